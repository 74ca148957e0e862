import type http from 'node:http';
import { invoice, problem } from '@bottleneck-lab/contracts';
import { createApp, settings } from '@bottleneck-lab/gateway';
import { type RunningService, startService } from '@bottleneck-lab/service-kit';
import { describe, expect, it } from 'vitest';
import { eventually } from '../service-kit/eventually.js';
import { sendJson, startServer, type TestServer } from '../service-kit/http-server.js';
import { testConfig } from '../service-kit/service-under-test.js';

const ANSWERS = {
  delivery: { count: 3, flownKilometres: 41.5, noFlyZoneWaypoints: 2 },
  package: { count: 9, totalWeight: 12.25 },
  'drone-utilization': { traveledMiles: 120.5, assignedHours: 14 },
};
type BackendName = keyof typeof ANSWERS;
const NAMES = Object.keys(ANSWERS) as BackendName[];
const PATH = '/api/invoices?ownerId=o000042&year=2019&month=7';

interface Setup extends AsyncDisposable {
  gateway: RunningService;
  backends: Record<BackendName, TestServer>;
  get(path?: string, init?: RequestInit): Promise<{ status: number; body: Record<string, unknown> }>;
}

/** The gateway before three real servers, which answer well unless told otherwise. */
async function setUp(
  options: {
    env?: Record<string, string>;
    handlers?: Partial<Record<BackendName, http.RequestListener>>;
  } = {},
): Promise<Setup> {
  const start = (name: BackendName) =>
    startServer(options.handlers?.[name] ?? ((_req, res) => sendJson(res, ANSWERS[name])));
  const [delivery, packages, drones] = await Promise.all(NAMES.map(start));
  if (!delivery || !packages || !drones) throw new Error('unreachable');
  const backends = { delivery, package: packages, 'drone-utilization': drones };
  const gateway = await startService({
    name: 'gateway',
    createApp,
    config: testConfig(settings, {
      DELIVERY_URL: delivery.url,
      PACKAGE_URL: packages.url,
      DRONE_UTILIZATION_URL: drones.url,
      BACKEND_CONNECTIONS: '4',
      ...options.env,
    }),
  });
  await eventually(() => gateway.runtime.health.report().status === 'ready');
  return {
    gateway,
    backends,
    async get(path = PATH, init) {
      const response = await fetch(gateway.url + path, init);
      return { status: response.status, body: JSON.parse(await response.text()) };
    },
    async [Symbol.asyncDispose]() {
      await gateway.stop();
      await Promise.all(Object.values(backends).map((server) => server[Symbol.asyncDispose]()));
    },
  };
}

describe('GET /api/invoices', () => {
  it('merges the answers of three calls', async () => {
    await using lab = await setUp();
    const { status, body } = await lab.get();
    expect(status).toBe(200);
    expect(invoice.parse(body)).toEqual({
      deliveries: ANSWERS.delivery,
      packages: ANSWERS.package,
      drones: ANSWERS['drone-utilization'],
    });
    const search = '?ownerId=o000042&year=2019&month=7';
    expect(NAMES.map((name) => lab.backends[name].requests[0]?.url)).toEqual([
      `/api/deliveries/summary${search}`,
      `/api/packages/summary${search}`,
      `/api/dronedeliveries/utilization${search}`,
    ]);
  });

  it('makes the three calls at the same time', async () => {
    const held: (() => void)[] = [];
    const hold =
      (name: BackendName): http.RequestListener =>
      (_req, res) => {
        held.push(() => sendJson(res, ANSWERS[name]));
        // None is answered before all have arrived.
        if (held.length === 3) for (const release of held) release();
      };
    const handlers = Object.fromEntries(NAMES.map((name) => [name, hold(name)]));
    await using lab = await setUp({ handlers });
    expect((await lab.get()).status).toBe(200);
  });

  it('refuses a bad query itself', async () => {
    await using lab = await setUp();
    const { status, body } = await lab.get('/api/invoices?ownerId=42&year=2019&month=13&page=1');
    expect(status).toBe(400);
    expect((body.parameters as { parameter: string }[]).map((p) => p.parameter).sort()).toEqual([
      ...['month', 'ownerId', 'page'],
    ]);
    for (const name of NAMES) expect(lab.backends[name].requests).toHaveLength(0);
  });

  it('passes request id, trace context and baggage on, and nothing else of the caller', async () => {
    await using lab = await setUp();
    const headers = {
      'x-request-id': 'r-42',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'vendor=1',
      baggage: 'lab.run=r1,lab.step=3',
    };
    await lab.get(PATH, { headers: { ...headers, authorization: 'Bearer secret', cookie: 'a=b' } });
    for (const name of NAMES) {
      const received = lab.backends[name].requests[0]?.headers;
      expect(received).toMatchObject(headers);
      expect(received).not.toHaveProperty('authorization');
      expect(received).not.toHaveProperty('cookie');
    }
  });
});

describe('a failing backend', () => {
  it.each(NAMES)('%s is named in a 502, never hidden in a 200', async (name) => {
    const document = { type: 'x', title: 't', status: 503, code: 'COSMOS_THROTTLED', detail: 'out of RU' };
    const refuse: http.RequestListener = (_req, res) => sendJson(res, document, 503);
    await using lab = await setUp({ handlers: { [name]: refuse } });
    const { status, body } = await lab.get();
    expect(status).toBe(502);
    expect(problem.parse(body).code).toBe('INVOICE_BACKEND_FAILED');
    expect(body.backends).toEqual([
      {
        name,
        code: 'BACKEND_FAILED',
        detail: `${name} answered 503 COSMOS_THROTTLED: out of RU`,
        answered: { status: 503, code: 'COSMOS_THROTTLED' },
      },
    ]);
    expect(lab.backends[name].requests).toHaveLength(1);
  });

  it('that is late is named in a 504', async () => {
    await using lab = await setUp({ handlers: { package: () => {} }, env: { BACKEND_DEADLINE_MS: '200' } });
    const { status, body } = await lab.get();
    expect(status).toBe(504);
    expect(body).toMatchObject({
      code: 'INVOICE_BACKEND_LATE',
      detail: 'package did not answer within 200 ms',
      backends: [{ name: 'package', code: 'BACKEND_TIMEOUT' }],
    });
  });

  it('that answers nonsense is named in a 502', async () => {
    await using lab = await setUp({ handlers: { delivery: (_req, res) => sendJson(res, { count: -1 }) } });
    const { status, body } = await lab.get();
    expect(status).toBe(502);
    expect(body).toMatchObject({ backends: [{ name: 'delivery', code: 'BACKEND_BAD_ANSWER' }] });
  });

  it('that has no such invoice makes it a 404', async () => {
    await using lab = await setUp({
      handlers: { 'drone-utilization': (_req, res) => sendJson(res, {}, 404) },
    });
    expect(await lab.get()).toMatchObject({
      status: 404,
      body: { code: 'INVOICE_NOT_FOUND', backends: [{ name: 'drone-utilization' }] },
    });
  });

  it('ends the calls to the others, without waiting for them', async () => {
    const left: string[] = [];
    const slow =
      (name: string): http.RequestListener =>
      (_req, res) =>
        void res.on('close', () => left.push(name));
    const handlers = {
      delivery: slow('delivery'),
      'drone-utilization': slow('drone-utilization'),
      package: ((_req, res) => sendJson(res, {}, 500)) as http.RequestListener,
    };
    await using lab = await setUp({ handlers });
    const { status, body } = await lab.get();
    expect(status).toBe(502);
    expect(body.backends).toHaveLength(1);
    await eventually(() => left.length === 2);
  });

  it('is retried when that is set', async () => {
    let calls = 0;
    const flaky: http.RequestListener = (_req, res) => {
      calls += 1;
      sendJson(res, calls === 1 ? {} : ANSWERS.package, calls === 1 ? 503 : 200);
    };
    await using lab = await setUp({ handlers: { package: flaky }, env: { BACKEND_RETRIES: '1' } });
    expect((await lab.get()).status).toBe(200);
    expect(calls).toBe(2);
  });
});

describe('a caller who leaves', () => {
  it('ends the calls to all backends and counts as cancelled', async () => {
    let arrived = 0;
    let left = 0;
    const slow: http.RequestListener = (_req, res) => {
      arrived += 1;
      res.on('close', () => {
        left += 1;
      });
    };
    await using lab = await setUp({ handlers: { delivery: slow, package: slow, 'drone-utilization': slow } });
    const leaving = new AbortController();
    const call = fetch(lab.gateway.url + PATH, { signal: leaving.signal });
    await eventually(() => arrived === 3);
    leaving.abort();
    await expect(call).rejects.toThrow();
    await eventually(() => left === 3);
    const rows = await eventually(() => {
      const held = lab.gateway.runtime.stats.read(0).rows.filter((row) => row.kind === 'operation');
      return held.length > 0 && held;
    });
    expect(rows).toMatchObject([{ operation: 'GET /api/invoices', count: 1, failed: 0, cancelled: 1 }]);
  });
});

describe('readiness', () => {
  it('follows the backends down and up again', async () => {
    await using lab = await setUp();
    const ready = async () => (await fetch(`${lab.gateway.url}/-/ready`)).status;
    expect(await ready()).toBe(200);
    await lab.backends.package[Symbol.asyncDispose]();
    await eventually(async () => (await ready()) === 503);
    const { status, body } = await lab.get();
    expect(status).toBe(502);
    expect(body).toMatchObject({ backends: [{ name: 'package', code: 'BACKEND_UNREACHABLE' }] });
    await using _back = await startServer((_req, res) => sendJson(res, ANSWERS.package), {
      port: lab.backends.package.port,
    });
    await eventually(async () => (await ready()) === 200);
    expect((await lab.get()).status).toBe(200);
  });
});
