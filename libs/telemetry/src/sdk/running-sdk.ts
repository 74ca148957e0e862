import { metrics, trace } from '@opentelemetry/api';
import { logs } from '@opentelemetry/api-logs';

export interface RunningSdk {
  /** Delivers what is queued and ends. */
  shutdown(): Promise<void>;
}

/** Providers of the API hand over to the SDK's, which alone can be flushed. */
interface Provider {
  forceFlush?: () => Promise<void>;
  getDelegate?: () => Provider;
  _getDelegate?: () => Provider;
}

const flush = async (provider: object): Promise<void> => {
  const { forceFlush, getDelegate, _getDelegate } = provider as Provider;
  if (forceFlush !== undefined) return forceFlush.call(provider);
  const delegate = (getDelegate ?? _getDelegate)?.call(provider);
  if (delegate !== undefined && delegate !== provider) return flush(delegate);
};

/** Delivers queued spans and log records. Never rejects: what can not be delivered is counted. */
export async function flushSpansAndLogs(): Promise<void> {
  await Promise.allSettled([flush(trace.getTracerProvider()), flush(logs.getLoggerProvider())]);
}

/** Delivers everything that is queued, metrics included; does nothing where telemetry is off. Never rejects. */
export async function flushTelemetry(): Promise<void> {
  await Promise.allSettled([flushSpansAndLogs(), flush(metrics.getMeterProvider())]);
}
