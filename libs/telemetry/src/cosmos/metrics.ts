import { METRICS } from '@bottleneck-lab/contracts';
import { type Counter, type Histogram, metrics } from '@opentelemetry/api';

export interface CosmosDimensions {
  container: string;
  partition: string;
  type: string;
}

/** Request units and 429s. The instruments are made late: before the SDK runs, the API hands out idle ones. */
export class CosmosMetrics {
  #instruments: { requestUnits: Histogram; throttled: Counter } | undefined;

  record(dimensions: CosmosDimensions, attempt: { requestCharge: number; throttled: boolean }): void {
    const { requestUnits, throttled } = this.#made();
    requestUnits.record(attempt.requestCharge, { ...dimensions });
    if (attempt.throttled) throttled.add(1, { ...dimensions });
  }

  #made() {
    const meter = metrics.getMeter('bottleneck-lab.telemetry');
    this.#instruments ??= {
      requestUnits: meter.createHistogram(METRICS.cosmosRequestUnits, { unit: '{request_unit}' }),
      throttled: meter.createCounter(METRICS.cosmosThrottled),
    };
    return this.#instruments;
  }
}
