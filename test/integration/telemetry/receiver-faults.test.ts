import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startAppInsightsEmulator } from '@bottleneck-lab/app-insights-emulator';
import { describe, expect, it } from 'vitest';
import { query } from '../app-insights/running-emulator.js';
import { eventually } from '../service-kit/eventually.js';
import { type Fault, startFaultyReceiver } from './faulty-receiver.js';
import { startObserved } from './observed-lab.js';

const app = fileURLToPath(new URL('./fixtures/app.mjs', import.meta.url));
const KEY = '00000000-0000-0000-0000-000000000001';

const PATHS = {
  'Application Insights': (endpoint: string) => ({
    APPLICATIONINSIGHTS_CONNECTION_STRING: `InstrumentationKey=${KEY};IngestionEndpoint=${endpoint}/`,
  }),
  OTLP: (endpoint: string) => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  }),
};

const FAULTS: [keyof typeof PATHS, string, Fault][] = [
  ['Application Insights', 'is down', { kind: 'down' }],
  ['Application Insights', 'is slow', { kind: 'slow', delayMs: 4000 }],
  ['Application Insights', 'answers 429', { kind: 'status', status: 429, body: 'json' }],
  ['Application Insights', 'answers 503', { kind: 'status', status: 503, body: 'json' }],
  ['Application Insights', 'answers 503 without a body', { kind: 'status', status: 503, body: 'empty' }],
  ['OTLP', 'is down', { kind: 'down' }],
  ['OTLP', 'is slow', { kind: 'slow', delayMs: 4000 }],
  ['OTLP', 'answers 503 without a body', { kind: 'status', status: 503, body: 'empty' }],
];

/** Spans that an SDK's queue holds; twice as many may be on their way, or wait to be sent again. */
const QUEUE = 2048;
/** More than a process may hold: what does not fit has to be dropped, not kept. */
const LOAD_REQUESTS = 8000;
const AT_ONCE = 50;

describe('a receiver that fails', () => {
  it.each(FAULTS)('%s: %s: the service goes on, and what is lost is counted', async (path, _, fault) => {
    await using emulator = await startAppInsightsEmulator();
    await using receiver = await startFaultyReceiver(emulator.endpoint);
    await using process = await startObserved(app, { env: PATHS[path](receiver.endpoint) });
    const call = async (where = '/') => (await fetch(process.url + where)).text();

    await call();
    await eventually(async () => (await query(emulator, 'requests | count'))[0]?.Count === 1);
    await receiver.set(fault);
    const before = Number(await call('/memory'));
    let requests = 2;
    for (let sent = 0; sent < LOAD_REQUESTS; sent += AT_ONCE) {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => call()));
      for (const answer of answers) expect(answer).toBe('ok');
      requests += AT_ONCE;
    }
    const after = Number(await call('/memory'));
    requests += 1;
    expect(after - before).toBeLessThan(150 * 1024 * 1024);

    await receiver.set({ kind: 'ok' });
    await eventually(async () => {
      await call('/again');
      requests += 1;
      await delay(200);
      return (await query(emulator, "requests | where name == 'GET /again' | count"))[0]?.Count !== 0;
    }, 40_000);
    expect(await process.stop()).toBe(0);

    const [seen] = await query(emulator, 'requests | count');
    const missing = requests - (seen?.Count as number);
    const report = /telemetry: (\d+) items delivered, (\d+) lost; the last because: .+/.exec(
      process.output(),
    );
    const [delivered, lost] = report === null ? [null, 0] : [Number(report[1]), Number(report[2])];
    // A slow receiver gets more than that in the end.
    const held = fault.kind === 'slow' ? LOAD_REQUESTS : 3 * QUEUE;
    expect(missing).toBeGreaterThanOrEqual(LOAD_REQUESTS - held);
    expect(lost).toBeGreaterThanOrEqual(missing);
    if (delivered !== null && path === 'Application Insights') {
      const { accepted } = emulator.stats().ingestion;
      // A connection that breaks before the answer leaves the sender in the dark about what arrived.
      if (fault.kind === 'status') expect(delivered).toBe(accepted);
      else expect(delivered).toBeLessThanOrEqual(accepted);
    }
  });
});
