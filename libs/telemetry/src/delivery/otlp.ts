import { logs, metrics, tracing } from '@opentelemetry/sdk-node';
import type { OtlpSettings, TelemetrySettings } from '../settings.js';
import { Delivery } from './delivery-counts.js';

type Outcome = { code: number; error?: Error };
interface BatchExporter<T> {
  export(items: T[], done: (outcome: Outcome) => void): void;
}

const SUCCESS = 0;

/** Counts the items of each batch by its outcome. */
function counted<T, E extends BatchExporter<T>>(exporter: E): E {
  const deliver = exporter.export.bind(exporter);
  exporter.export = (items, done) => {
    const delivery = new Delivery(items.length);
    deliver(items, (outcome) => {
      const accepted = outcome.code === SUCCESS ? items.length : 0;
      delivery.end(accepted, outcome.error?.message ?? 'the OTLP receiver failed');
      done(outcome);
    });
  };
  return exporter;
}

/** Exporters of one protocol. Endpoint, headers and the rest come from the standard `OTEL_EXPORTER_OTLP_*` variables. */
async function exporters({ protocol }: OtlpSettings) {
  if (protocol === 'http/json') {
    const [t, m, l] = await Promise.all([
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/exporter-metrics-otlp-http'),
      import('@opentelemetry/exporter-logs-otlp-http'),
    ]);
    return {
      traces: new t.OTLPTraceExporter(),
      metrics: new m.OTLPMetricExporter(),
      logs: new l.OTLPLogExporter(),
    };
  }
  const [t, m, l] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/exporter-metrics-otlp-proto'),
    import('@opentelemetry/exporter-logs-otlp-proto'),
  ]);
  return {
    traces: new t.OTLPTraceExporter(),
    metrics: new m.OTLPMetricExporter(),
    logs: new l.OTLPLogExporter(),
  };
}

export interface OtlpPipeline {
  spanProcessors: tracing.SpanProcessor[];
  metricReaders: metrics.PeriodicExportingMetricReader[];
  logRecordProcessors: logs.LogRecordProcessor[];
}

/** Batches to an OTLP receiver; empty without one. */
export async function otlpPipeline(settings: TelemetrySettings): Promise<OtlpPipeline> {
  if (settings.otlp === null) return { spanProcessors: [], metricReaders: [], logRecordProcessors: [] };
  const made = await exporters(settings.otlp);
  const scheduledDelayMillis = settings.deliveryIntervalMs;
  return {
    spanProcessors: [new tracing.BatchSpanProcessor(counted(made.traces), { scheduledDelayMillis })],
    metricReaders: [
      new metrics.PeriodicExportingMetricReader({
        exporter: made.metrics,
        exportIntervalMillis: settings.metricIntervalMs,
        exportTimeoutMillis: settings.metricIntervalMs,
      }),
    ],
    logRecordProcessors: [new logs.BatchLogRecordProcessor(counted(made.logs), { scheduledDelayMillis })],
  };
}
