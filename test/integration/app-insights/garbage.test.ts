import { type RunningEmulator, startAppInsightsEmulator } from '@bottleneck-lab/app-insights-emulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { event, KEY, track } from './running-emulator.js';

type Json = Record<string, unknown>;

/** Deeper than any recursion over it can go; written into the text, as `JSON.stringify` could not write it either. */
const DEEP = '@deep@';
const DEEP_TEXT = `${'[1,'.repeat(100_000)}1${']'.repeat(100_000)}`;
const VALUES = [DEEP, { toString: 1 }, null, [], '', -1, 1e308, '9'.repeat(400), 'x'.repeat(100_000)];

const envelope = (baseType: string, baseData: Json): Json => ({
  ver: 1,
  time: '2026-01-02T03:04:05.678Z',
  iKey: KEY,
  sampleRate: 100,
  tags: { 'ai.operation.id': 'a' },
  data: { baseType, baseData: { ...baseData, properties: { p: 'v' }, measurements: { m: 1 } } },
});
const call = { id: '1', name: 'n', duration: '00:00:01', success: true, resultCode: '200', target: 't' };
const metric = { name: 'm', value: 1, count: 1, min: 1, max: 1 };
const exception = { typeName: 'E', message: 'm', stack: 's', hasFullStack: true };

const nanos = '1767323045000000000';
const attributes = [{ key: 'http.method', value: { stringValue: 'GET' } }];
const resource = { attributes };
const span = {
  ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'n', kind: 2, attributes, status: { code: 2 } },
  ...{
    startTimeUnixNano: nanos,
    endTimeUnixNano: nanos,
    events: [{ name: 'exception', timeUnixNano: nanos }],
  },
};
const point = { timeUnixNano: nanos, startTimeUnixNano: nanos, attributes };
const metrics = [
  {
    name: 's',
    sum: { dataPoints: [{ ...point, asDouble: 1 }], aggregationTemporality: 2, isMonotonic: true },
  },
  { name: 'h', histogram: { dataPoints: [{ ...point, count: '1', sum: 1, min: 1, max: 1 }] } },
];
const record = { timeUnixNano: nanos, severityNumber: 17, body: { stringValue: 'x' }, attributes };

const DOCUMENTS: [string, unknown][] = [
  ['/v2.1/track', [envelope('RemoteDependencyData', call)]],
  ['/v2.1/track', [envelope('MetricData', { metrics: [metric] })]],
  ['/v2.1/track', [envelope('ExceptionData', { exceptions: [exception], severityLevel: 'Error' })]],
  ['/v1/traces', { resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] }],
  ['/v1/metrics', { resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] }],
  ['/v1/logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords: [record] }] }] }],
];

/** The document once per place in it, with another value there. */
function* withValueEverywhere(document: unknown, value: unknown): Generator<unknown> {
  for (const [key, inner] of Object.entries(document as Json)) {
    const put = (other: unknown) =>
      Array.isArray(document) ? document.with(Number(key), other) : { ...(document as Json), [key]: other };
    yield put(value);
    if (typeof inner === 'object' && inner !== null) {
      for (const changed of withValueEverywhere(inner, value)) yield put(changed);
    }
  }
}

describe('garbage', () => {
  let emulator: RunningEmulator;
  const failures: unknown[] = [];
  beforeAll(async () => {
    emulator = await startAppInsightsEmulator({ onInternalError: (error) => failures.push(error) });
  });
  afterAll(() => emulator.stop());

  it.each(DOCUMENTS)('at any place of what %s takes is its sender’s error: %#', async (path, document) => {
    let sent = 0;
    for (const value of VALUES) {
      for (const changed of withValueEverywhere(document, value)) {
        const body = JSON.stringify(changed).replace(JSON.stringify(DEEP), DEEP_TEXT);
        const headers = { 'content-type': 'application/json' };
        const reply = await fetch(emulator.endpoint + path, { method: 'POST', headers, body });
        expect(await reply.json()).toBeTypeOf('object');
        expect(reply.status, body.slice(0, 500)).toBeLessThan(500);
        sent += 1;
      }
    }
    expect(sent).toBeGreaterThan(100);
    expect(failures).toEqual([]);
    expect((await track(emulator, [event('after')])).status).toBe(200);
  });
});
