import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startAppInsightsEmulator } from '@bottleneck-lab/app-insights-emulator';
import { METRICS } from '@bottleneck-lab/contracts';
import { describe, expect, it } from 'vitest';
import { query } from '../app-insights/running-emulator.js';
import { startObserved, TELEMETRY_FLAGS } from './observed-lab.js';

const app = fileURLToPath(new URL('./fixtures/app.mjs', import.meta.url));
const get = async (url: string, path: string) => (await fetch(url + path)).text();

type Receiver = { endpoint: string; connectionString: string };
const PATHS = [
  [
    'Application Insights',
    (receiver: Receiver) => ({ APPLICATIONINSIGHTS_CONNECTION_STRING: receiver.connectionString }),
  ],
  ['OTLP as protobuf', (receiver: Receiver) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint })],
  [
    'OTLP as JSON',
    (receiver: Receiver) => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    }),
  ],
] as const;

describe.each(PATHS)('a process with %s', (_, environment) => {
  it('delivers requests, logs, exceptions and metrics before it exits', async () => {
    await using emulator = await startAppInsightsEmulator();
    const env = { ...environment(emulator), OTEL_SERVICE_NAME: 'fabrikam-app', INSTANCE: 'app-1' };
    await using process = await startObserved(app, { env });
    for (const path of ['/log', '/fail', '/usage', '/-/ready']) await get(process.url, path);
    expect(await process.stop()).toBe(0);

    const names = await query(
      emulator,
      'requests | order by name asc | project name, cloud_RoleName, cloud_RoleInstance',
    );
    expect(names).toEqual(
      ['GET /fail', 'GET /log', 'GET /usage'].map((name) => ({
        ...{ name, cloud_RoleName: 'fabrikam-app', cloud_RoleInstance: 'app-1' },
      })),
    );
    const logged = await query(
      emulator,
      `traces | where message == 'battery is low'
       | join kind=inner (requests | project operation_Id, id, request = name) on operation_Id
       | project message, severityLevel, code = tostring(customDimensions.code), drone = tostring(customDimensions.drone),
           request, below = operation_ParentId == id`,
    );
    expect(logged).toEqual([
      {
        message: 'battery is low',
        severityLevel: 2,
        code: 'LOW',
        drone: '{"id":7}',
        request: 'GET /log',
        below: true,
      },
    ]);
    const failed = await query(emulator, 'exceptions | project type, outerMessage, severityLevel');
    expect(failed).toEqual([{ type: 'RangeError', outerMessage: 'too far', severityLevel: 3 }]);
    const metrics = await query(emulator, 'customMetrics | summarize sum(valueSum) by name');
    const sums = Object.fromEntries(metrics.map((row) => [row.name, row.sum_valueSum]));
    expect(sums).toMatchObject({
      [METRICS.cpuUsedCores]: 0.25,
      [METRICS.cpuLimitCores]: 0.5,
      [METRICS.cpuLimitUtilization]: 0.5,
      [METRICS.cpuPeriods]: 10,
      [METRICS.cpuThrottledPeriods]: 4,
      [METRICS.cpuThrottledMs]: 120,
      [METRICS.residentBytes]: 1000,
      [METRICS.telemetryLostItems]: 0,
    });
    expect(sums[METRICS.eventLoopUtilization]).toBeGreaterThan(0);
    expect(sums['http.server.duration']).toBeGreaterThan(0);
  });

  it('delivers what it has when it runs out of work without saying so', async () => {
    await using emulator = await startAppInsightsEmulator();
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...TELEMETRY_FLAGS, '--input-type=module', '-e', QUIET],
      {
        env: { PATH: process.env.PATH, ...environment(emulator) },
        cwd: fileURLToPath(new URL('.', import.meta.url)),
      },
    );
    expect(stdout).toBe('');
    expect(await query(emulator, 'dependencies | project name, type')).toEqual([
      { name: 'flight', type: 'Dependency' },
    ]);
  });

  it('keeps the share of traces that it is told to, and counts stay right', async () => {
    await using emulator = await startAppInsightsEmulator();
    const env = { ...environment(emulator), TELEMETRY_SAMPLING_RATIO: '0.2' };
    await using process = await startObserved(app, { env });
    const requests = 600;
    for (let i = 0; i < requests; i += 1) await get(process.url, '/');
    await process.stop();
    const [row] = await query(
      emulator,
      'requests | summarize items = count(), requests = sum(itemCount), max(itemCount)',
    );
    expect(row?.max_itemCount).toBe(5);
    expect(row?.requests).toBe((row?.items as number) * 5);
    // Five standard deviations of a binomial count.
    expect(Math.abs((row?.items as number) - requests * 0.2)).toBeLessThan(50);
  });
});

const QUIET = `
import { trace, SpanKind } from '@opentelemetry/api';
trace.getTracer('t').startSpan('flight', { kind: SpanKind.CLIENT }).end();
`;

describe('a process', () => {
  it('delivers to both receivers when both are named', async () => {
    await using insights = await startAppInsightsEmulator();
    await using otlp = await startAppInsightsEmulator();
    const env = {
      APPLICATIONINSIGHTS_CONNECTION_STRING: insights.connectionString,
      OTEL_EXPORTER_OTLP_ENDPOINT: otlp.endpoint,
    };
    await using process = await startObserved(app, { env });
    await get(process.url, '/log');
    await process.stop();
    const requests = [];
    for (const receiver of [insights, otlp]) {
      requests.push(await query(receiver, 'requests | project id, operation_Id, name, timestamp'));
      expect((await query(receiver, "traces | where message == 'battery is low' | count"))[0]?.Count).toBe(1);
      expect((await query(receiver, 'customMetrics | count'))[0]?.Count).toBeGreaterThan(0);
    }
    const [byInsights, byOtlp] = requests.map((rows) => rows.map(({ timestamp, ...row }) => row));
    expect(byInsights).toHaveLength(1);
    expect(byInsights).toEqual(byOtlp);
    // The exporter for Application Insights sends whole milliseconds, cut off after a division that is not exact.
    const [first, second] = requests.map((rows) => Date.parse(String(rows[0]?.timestamp)));
    expect(Math.abs((first ?? 0) - (second ?? 0))).toBeLessThanOrEqual(1);
  });

  it('loads nothing when no receiver is named', async () => {
    await using process = await startObserved(app);
    expect(JSON.parse(await get(process.url, '/loaded'))).toEqual([]);
    expect(await process.stop()).toBe(0);
  });

  it('does not start with a wrong environment, and names all that is wrong', async () => {
    const failing = startObserved(app, {
      env: {
        APPLICATIONINSIGHTS_CONNECTION_STRING: 'InstrumentationKey=x',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'x',
        TELEMETRY_SAMPLING_RATIO: 'half',
      },
    });
    await expect(failing).rejects.toThrow(
      /ended with 78[\s\S]*InstrumentationKey[\s\S]*OTLP_ENDPOINT: x is not a URL[\s\S]*TELEMETRY_SAMPLING_RATIO: half/,
    );
  });
});
