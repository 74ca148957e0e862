import { describe, expect, it } from 'vitest';
import { peersOf, processIdentity } from '../../../libs/telemetry/src/process/identity.js';
import { isTelemetryOn, readSettings, TelemetrySettingsError } from '../../../libs/telemetry/src/settings.js';

const KEY = '00000000-0000-0000-0000-000000000001';
const identity = { serviceName: 'fabrikam-gateway', version: '1.2.3', pid: 42 };
const read = (env: Record<string, string>) => readSettings(env, identity, new Map());
const local = {
  APPLICATIONINSIGHTS_CONNECTION_STRING: `InstrumentationKey=${KEY};IngestionEndpoint=http://127.0.0.1:4319/`,
};
const azure = {
  APPLICATIONINSIGHTS_CONNECTION_STRING: `InstrumentationKey=${KEY};IngestionEndpoint=https://x.in.applicationinsights.azure.com/`,
};

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof TelemetrySettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe('isTelemetryOn', () => {
  it.each([
    [{}, false],
    [{ APPLICATIONINSIGHTS_CONNECTION_STRING: '' }, false],
    [local, true],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x' }, true],
    [{ ...local, OTEL_SDK_DISABLED: 'true' }, false],
  ])('%j: %s', (env, on) => {
    expect(isTelemetryOn(env)).toBe(on);
  });
});

describe('readSettings', () => {
  it('gives a stand-in everything each second, and Azure its usual intervals', () => {
    expect(read(local)).toMatchObject({
      serviceName: 'fabrikam-gateway',
      instance: 'fabrikam-gateway-42',
      version: '1.2.3',
      azure: { insecureEndpoint: 'http://127.0.0.1:4319' },
      otlp: null,
      samplingRatio: 1,
      deliveryIntervalMs: 1000,
      metricIntervalMs: 1000,
    });
    expect(read(azure)).toMatchObject({
      azure: { insecureEndpoint: null },
      deliveryIntervalMs: 5000,
      metricIntervalMs: 60_000,
    });
  });

  it('lets the environment overrule', () => {
    const env = {
      ...azure,
      OTEL_SERVICE_NAME: 'other',
      INSTANCE: 'i-1',
      OTEL_BSP_SCHEDULE_DELAY: '250',
      OTEL_METRIC_EXPORT_INTERVAL: '500',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      TELEMETRY_SAMPLING_RATIO: '0.25',
    };
    expect(read(env)).toMatchObject({
      serviceName: 'other',
      instance: 'i-1',
      deliveryIntervalMs: 250,
      metricIntervalMs: 500,
      samplingRatio: 0.25,
      otlp: { protocol: 'http/json' },
    });
  });

  it('names every problem at once', () => {
    const problems = problemsOf({
      APPLICATIONINSIGHTS_CONNECTION_STRING:
        'InstrumentationKey=NOPE;IngestionEndpoint=http://elsewhere.example/',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'elsewhere',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      TELEMETRY_SAMPLING_RATIO: '0.3',
      OTEL_METRIC_EXPORT_INTERVAL: '5',
    });
    expect(problems).toHaveLength(6);
    expect(problems.join('\n')).toMatch(/GUID in lower case/);
    expect(problems.join('\n')).toMatch(/elsewhere\.example.*no TLS.*TELEMETRY_ALLOW_HTTP=true/);
    expect(problems.join('\n')).toMatch(/grpc is not one of http\/protobuf, http\/json/);
    expect(problems.join('\n')).toMatch(/TELEMETRY_SAMPLING_RATIO: 0\.3 is not one of 1, 0\.5, 0\.25/);
    expect(problems.join('\n')).toMatch(/OTEL_METRIC_EXPORT_INTERVAL: 5 is not/);
  });

  it.each(['http://localhost:1/', 'http://[::1]:1/', 'http://127.9.9.9:1'])(
    'allows no TLS on loopback: %s',
    (endpoint) => {
      expect(
        problemsOf({
          APPLICATIONINSIGHTS_CONNECTION_STRING: `InstrumentationKey=${KEY};IngestionEndpoint=${endpoint}`,
        }),
      ).toEqual([]);
    },
  );

  it('allows no TLS elsewhere only when told to', () => {
    const env = {
      APPLICATIONINSIGHTS_CONNECTION_STRING: `InstrumentationKey=${KEY};IngestionEndpoint=http://app-insights:4319`,
    };
    expect(problemsOf(env)).toHaveLength(1);
    expect(problemsOf({ ...env, TELEMETRY_ALLOW_HTTP: 'true' })).toEqual([]);
  });

  it('takes only shares at which an item stands for a whole number of items', () => {
    for (const ratio of ['1', '0.5', '0.2', '0.04', '0.01']) {
      expect((100 / (Number(ratio) * 100)) % 1).toBeCloseTo(0, 10);
      expect(read({ ...local, TELEMETRY_SAMPLING_RATIO: ratio }).samplingRatio).toBe(Number(ratio));
    }
    for (const ratio of ['0', '2', '-1', 'x', '0.33']) {
      expect(problemsOf({ ...local, TELEMETRY_SAMPLING_RATIO: ratio })).toHaveLength(1);
    }
  });
});

describe('identity', () => {
  it('is the role of the service whose package the script belongs to', () => {
    const { serviceName } = processIdentity(
      `${import.meta.dirname}/../../../services/drone-utilization/dist/main.js`,
    );
    expect(serviceName).toBe('fabrikam-dronescheduler');
    expect(processIdentity(`${import.meta.dirname}/../../../loadtests/dist/main.js`).serviceName).toBe(
      'loadtests',
    );
    expect(processIdentity('/nowhere/main.js').serviceName).toBe('node');
  });

  it('knows the other services by the variables that hold their addresses', () => {
    const env = {
      DELIVERY_URL: 'http://127.0.0.1:1/',
      DRONE_UTILIZATION_URL: 'http://drones:80',
      PACKAGE_URL: 'nope',
    };
    expect([...peersOf(env)]).toEqual([
      ['http://127.0.0.1:1', 'fabrikam-delivery'],
      ['http://drones', 'fabrikam-dronescheduler'],
    ]);
  });
});
