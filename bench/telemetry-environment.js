const INSTRUMENTATION_KEY = '00000000-0000-0000-0000-000000000001';

/** What a service is preloaded with, so that it sends telemetry. */
export const REGISTER = import.meta.resolve('@bottleneck-lab/telemetry/register');

/**
 * Where a service's telemetry goes.
 * @param {'applicationinsights' | 'otlp'} sdk
 * @param {string} endpoint without a path
 * @returns {Record<string, string>}
 */
export function receiverEnvironment(sdk, endpoint) {
  if (sdk === 'otlp') return { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
  return {
    APPLICATIONINSIGHTS_CONNECTION_STRING: `InstrumentationKey=${INSTRUMENTATION_KEY};IngestionEndpoint=${endpoint}/;LiveEndpoint=${endpoint}/`,
    APPLICATION_INSIGHTS_NO_STATSBEAT: '1',
  };
}
