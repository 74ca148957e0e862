import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { NodeSDK, resources } from '@opentelemetry/sdk-node';
import type { OtlpPipeline } from '../delivery/otlp.js';
import type { TelemetrySettings } from '../settings.js';
import { ContextLogProcessor, ContextSpanProcessor } from '../spans/context-processor.js';
import { applyHttpInstrumentation, callInstrumentations, httpConfig } from '../spans/instrumentations.js';
import { RatioSampler } from '../spans/ratio-sampler.js';
import type { RunningSdk } from './running-sdk.js';

/** Starts OpenTelemetry alone, for any receiver of OTLP. */
export function startOtlp(settings: TelemetrySettings, otlp: OtlpPipeline): RunningSdk {
  const sdk = new NodeSDK({
    // The environment says who this process is; the default detectors would ask cloud platforms.
    resourceDetectors: [resources.envDetector],
    sampler: new RatioSampler(settings.samplingRatio),
    spanProcessors: [new ContextSpanProcessor(), ...otlp.spanProcessors],
    logRecordProcessors: [new ContextLogProcessor(), ...otlp.logRecordProcessors],
    metricReaders: otlp.metricReaders,
    instrumentations: [new HttpInstrumentation(httpConfig()), ...callInstrumentations(settings.peers)],
  });
  sdk.start();
  applyHttpInstrumentation();
  return sdk;
}
