import { abandonDeliveries, deliveriesEnded, deliveryCounts } from './delivery/delivery-counts.js';
import { watchDiagnostics } from './delivery/diagnostics.js';
import { otlpPipeline } from './delivery/otlp.js';
import { forwardPinoLogs } from './process/pino-logs.js';
import { shutDownWithProcess } from './process/stopping.js';
import { reportProcessMetrics } from './process/usage-metrics.js';
import { startAzure } from './sdk/azure.js';
import { startOtlp } from './sdk/otlp.js';
import { flushSpansAndLogs, type RunningSdk } from './sdk/running-sdk.js';
import type { TelemetrySettings } from './settings.js';

/** Starts one SDK for all receivers: two started side by side would silence each other. */
export async function startTelemetry(settings: TelemetrySettings): Promise<void> {
  describeProcess(settings);
  const otlp = await otlpPipeline(settings);
  const sdk: RunningSdk =
    settings.azure === null ? startOtlp(settings, otlp) : startAzure(settings, settings.azure, otlp);
  const complain = (line: string) => process.stderr.write(`${line}\n`);
  watchDiagnostics(complain);
  reportProcessMetrics();
  forwardPinoLogs();
  if (settings.azure !== null && settings.deliveryIntervalMs < AZURE_DELIVERY_MS) {
    flushRegularly(settings.deliveryIntervalMs);
  }
  shutDownWithProcess({
    async shutdown() {
      await sdk.shutdown();
      await deliveriesEnded();
    },
    ended() {
      abandonDeliveries('the process ended');
      reportLosses(complain);
    },
  });
}

function reportLosses(complain: (line: string) => void): void {
  const { delivered, lost, lastReason } = deliveryCounts();
  if (lost === 0) return;
  complain(`telemetry: ${delivered} items delivered, ${lost} lost; the last because: ${lastReason}`);
}

/** Both SDKs read who a process is from the environment. */
function describeProcess({ serviceName, instance, version }: TelemetrySettings): void {
  process.env.OTEL_SERVICE_NAME = serviceName;
  const attributes = { 'service.instance.id': instance, 'service.version': version };
  const given = process.env.OTEL_RESOURCE_ATTRIBUTES ?? '';
  const added = Object.entries(attributes)
    .filter(([name]) => !given.includes(`${name}=`))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  process.env.OTEL_RESOURCE_ATTRIBUTES = [given, ...added].filter((part) => part !== '').join(',');
}

/** How often the Application Insights SDK delivers spans; it has no setting for it. */
const AZURE_DELIVERY_MS = 5000;

function flushRegularly(intervalMs: number): void {
  let flushing = false;
  setInterval(() => {
    if (flushing) return;
    flushing = true;
    void flushSpansAndLogs().finally(() => {
      flushing = false;
    });
  }, intervalMs).unref();
}
