import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { shutdownAzureMonitor, useAzureMonitor } from 'applicationinsights';
import type { OtlpPipeline } from '../delivery/otlp.js';
import { trackPolicy } from '../delivery/track-policy.js';
import type { AzureSettings, TelemetrySettings } from '../settings.js';
import { ContextLogProcessor, ContextSpanProcessor } from '../spans/context-processor.js';
import { applyHttpInstrumentation, callInstrumentations, httpConfig } from '../spans/instrumentations.js';
import type { RunningSdk } from './running-sdk.js';

/** Usage reports of the SDK to its makers: nothing may leave that nobody asked for. Read when the SDK starts. */
const NO_STATSBEAT = 'APPLICATION_INSIGHTS_NO_STATSBEAT';

/**
 * Starts Application Insights; an OTLP receiver gets the same as well. The resource comes from the OTEL_* variables, which the caller
 * has completed.
 */
export function startAzure(
  settings: TelemetrySettings,
  azure: AzureSettings,
  otlp: OtlpPipeline,
): RunningSdk {
  process.env[NO_STATSBEAT] ??= 'true';
  process.env.OTEL_METRIC_EXPORT_INTERVAL = String(settings.metricIntervalMs);
  const off = { enabled: false };
  useAzureMonitor({
    azureMonitorExporterOptions: {
      connectionString: azure.connectionString,
      additionalPolicies: [{ policy: trackPolicy(), position: 'perCall' }],
      ...standInOptions(azure),
    },
    // Without it the SDK keeps 5 traces a second, whatever the ratio is.
    tracesPerSecond: 0,
    samplingRatio: settings.samplingRatio,
    enableLiveMetrics: false,
    enableStandardMetrics: azure.insecureEndpoint === null,
    enableAutoCollectExceptions: false,
    instrumentationOptions: {
      ...{
        http: httpConfig(),
        azureSdk: off,
        mongoDb: off,
        mySql: off,
        postgreSql: off,
        redis: off,
        redis4: off,
      },
      ...{ console: off, bunyan: off, winston: off },
    },
    spanProcessors: [new ContextSpanProcessor(), ...otlp.spanProcessors],
    logRecordProcessors: [new ContextLogProcessor(), ...otlp.logRecordProcessors],
    metricReaders: otlp.metricReaders,
  });
  registerInstrumentations({ instrumentations: callInstrumentations(settings.peers) });
  applyHttpInstrumentation();
  return { shutdown: shutdownAzureMonitor };
}

/** What was kept on disk for a stand-in would arrive in the middle of a later run. */
function standInOptions({ insecureEndpoint }: AzureSettings) {
  if (insecureEndpoint === null) return {};
  return { host: insecureEndpoint, allowInsecureConnection: true, disableOfflineStorage: true };
}
