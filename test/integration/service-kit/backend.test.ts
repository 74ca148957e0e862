import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type http from 'node:http';
import { BACKEND_SETTINGS, Backend, BackendError } from '@bottleneck-lab/service-kit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Health } from '../../../libs/service-kit/src/health.js';
import { createLogger } from '../../../libs/service-kit/src/logger.js';
import { eventually } from './eventually.js';
import { sendJson, startServer } from './http-server.js';
import { testConfig } from './service-under-test.js';

const schema = z.object({ count: z.number() });
const never = () => new AbortController().signal;

interface Recorded {
  resultCode: string;
  retry: boolean;
  target: string;
}

/** A backend over a real pool; rows are kept in a list. */
function connect(origin: string, env: Record<string, string> = {}) {
  const rows: Recorded[] = [];
  const health = new Health();
  const stats = { recordDependency: (row: Recorded) => rows.push(row) };
  const backend = new Backend({
    ...{ name: 'delivery', origin, random: () => 0 },
    config: testConfig(BACKEND_SETTINGS, { BACKEND_CONNECTIONS: '4', ...env }),
    runtime: {
      health,
      stats: stats as never,
      log: createLogger({ level: 'silent', role: 'r', instance: 'i' }),
    },
  });
  const call = (signal = never()) => backend.get({ path: '/count?x=1', schema, signal });
  const refusal = async (signal = never()) => {
    const error = await call(signal).catch((e) => e);
    if (error instanceof BackendError) return error;
    throw new Error(`expected a BackendError, got ${JSON.stringify(error)}`);
  };
  return {
    ...{ backend, rows, health, call, refusal },
    [Symbol.asyncDispose]: () => backend.stop(),
  };
}

describe('a call', () => {
  it('returns the validated answer and leaves a row', async () => {
    await using server = await startServer((_req, res) => sendJson(res, { count: 7, more: true }));
    await using delivery = connect(server.url);
    expect(await delivery.call()).toEqual({ count: 7 });
    expect(server.requests[0]?.url).toBe('/count?x=1');
    expect(delivery.rows).toMatchObject([
      { type: 'Http', target: 'delivery', resultCode: '200', retry: false },
    ]);
  });

  it.each<[string, http.RequestListener, string, number, string]>([
    ['malformed JSON', (_q, r) => r.end('{"count":'), 'BACKEND_BAD_ANSWER', 502, 'malformed JSON'],
    [
      'another shape',
      (_q, r) => sendJson(r, { count: 'x' }),
      'BACKEND_BAD_ANSWER',
      502,
      'count: Invalid input',
    ],
    ['too much', (_q, r) => r.end('x'.repeat(2_000)), 'BACKEND_BAD_ANSWER', 502, 'more than is taken'],
    ['a 500', (_q, r) => sendJson(r, {}, 500), 'BACKEND_FAILED', 502, 'answered 500'],
    ['a 400', (_q, r) => sendJson(r, {}, 400), 'BACKEND_FAILED', 502, 'answered 400'],
    [
      'a redirect',
      (_q, r) => r.writeHead(302, { location: '/' }).end(),
      'BACKEND_FAILED',
      502,
      'answered 302',
    ],
    ['a 404', (_q, r) => sendJson(r, {}, 404), 'BACKEND_NOT_FOUND', 404, 'answered 404'],
  ])('refuses %s, naming the backend', async (_what, handler, code, status, detail) => {
    await using server = await startServer(handler);
    await using delivery = connect(server.url, { BACKEND_ANSWER_LIMIT_BYTES: '1000' });
    const error = await delivery.refusal();
    expect(error.row).toMatchObject({ code, status });
    expect(error.message).toMatch(/^delivery /);
    expect(error.message).toContain(detail);
    expect(server.requests).toHaveLength(1);
  });

  it("passes on the code and detail of a backend's problem document", async () => {
    const document = { type: 'x', title: 'T', status: 503, code: 'COSMOS_THROTTLED', detail: 'out of RU' };
    await using server = await startServer((_req, res) => sendJson(res, document, 503));
    await using delivery = connect(server.url);
    const error = await delivery.refusal();
    expect(error.answered).toEqual({ status: 503, code: 'COSMOS_THROTTLED' });
    expect(error.message).toBe('delivery answered 503 COSMOS_THROTTLED: out of RU');
  });

  it('says that nobody listens', async () => {
    const server = await startServer(() => {});
    await server[Symbol.asyncDispose]();
    await using delivery = connect(server.url);
    const error = await delivery.refusal();
    expect(error.row.code).toBe('BACKEND_UNREACHABLE');
    expect(error.message).toBe('delivery gave no answer: ECONNREFUSED');
    expect(delivery.rows).toMatchObject([{ resultCode: 'ECONNREFUSED' }]);
  });

  it.each<[string, http.RequestListener]>([
    ['no answer', () => {}],
    ['half an answer', (_req, res) => void res.writeHead(200).write('{"count":')],
  ])('ends at its deadline with %s, and the backend is told', async (_what, handler) => {
    let left = 0;
    await using server = await startServer((req, res) => {
      res.on('close', () => {
        left += 1;
      });
      handler(req, res);
    });
    await using delivery = connect(server.url, { BACKEND_DEADLINE_MS: '150' });
    const error = await delivery.refusal();
    expect(error.row).toMatchObject({ code: 'BACKEND_TIMEOUT', status: 504 });
    expect(error.message).toBe('delivery did not answer within 150 ms');
    expect(delivery.rows).toMatchObject([{ resultCode: 'TIMEOUT' }]);
    await eventually(() => left === 1);
  });

  it('ends at its deadline while it waits for a connection, and is never sent', async () => {
    await using server = await startServer(() => {});
    await using delivery = connect(server.url, { BACKEND_DEADLINE_MS: '200', BACKEND_CONNECTIONS: '1' });
    const errors = await Promise.all([delivery.refusal(), delivery.refusal()]);
    expect(errors.map((error) => error.row.code)).toEqual(['BACKEND_TIMEOUT', 'BACKEND_TIMEOUT']);
    expect(delivery.rows).toHaveLength(2);
    expect(server.requests).toHaveLength(1);
  });

  it('ends when nobody waits any more, and the backend is told', async () => {
    let left = 0;
    const leaving = new AbortController();
    await using server = await startServer((_req, res) => {
      res.on('close', () => {
        left += 1;
      });
      leaving.abort();
    });
    await using delivery = connect(server.url);
    expect((await delivery.refusal(leaving.signal)).row.code).toBe('CLIENT_LEFT');
    expect(delivery.rows).toMatchObject([{ resultCode: 'CANCELLED' }]);
    await eventually(() => left === 1);
    expect((await delivery.refusal(leaving.signal)).row.code).toBe('CLIENT_LEFT');
    expect(server.requests).toHaveLength(1);
  });
});

describe('retries', () => {
  const failing = (failures: number, status: number) => {
    let count = 0;
    const handler: http.RequestListener = (_req, res) => {
      count += 1;
      if (count <= failures) sendJson(res, {}, status);
      else sendJson(res, { count });
    };
    return handler;
  };

  it('are off by default', async () => {
    await using server = await startServer(failing(1, 503));
    await using delivery = connect(server.url);
    expect((await delivery.refusal()).row.code).toBe('BACKEND_FAILED');
    expect(server.requests).toHaveLength(1);
  });

  it.each([502, 503])('repeat a %s as often as set', async (status) => {
    await using server = await startServer(failing(2, status));
    await using delivery = connect(server.url, { BACKEND_RETRIES: '2' });
    expect(await delivery.call()).toEqual({ count: 3 });
    expect(delivery.rows.map((r) => [r.resultCode, r.retry])).toEqual([
      [String(status), false],
      [String(status), true],
      ['200', true],
    ]);
  });

  it('give up after the last', async () => {
    await using server = await startServer(failing(9, 503));
    await using delivery = connect(server.url, { BACKEND_RETRIES: '1' });
    expect((await delivery.refusal()).answered.status).toBe(503);
    expect(server.requests).toHaveLength(2);
  });

  it.each([500, 404, 400])('do not repeat a %s', async (status) => {
    await using server = await startServer(failing(1, status));
    await using delivery = connect(server.url, { BACKEND_RETRIES: '3' });
    await delivery.refusal();
    expect(server.requests).toHaveLength(1);
  });

  it('repeat a refused connection, within the deadline', async () => {
    const server = await startServer(() => {});
    await server[Symbol.asyncDispose]();
    await using delivery = connect(server.url, { BACKEND_RETRIES: '10', BACKEND_DEADLINE_MS: '400' });
    expect((await delivery.refusal()).row.code).toBe('BACKEND_TIMEOUT');
    expect(delivery.rows.length).toBeGreaterThan(2);
    expect(delivery.rows.length).toBeLessThan(10);
  });
});

describe('a connection that the backend closes just when it is used', () => {
  it('costs no failure: the request is sent again on another', async () => {
    const seen = new Set<unknown>();
    await using server = await startServer((req, res) => {
      const reused = seen.has(req.socket);
      seen.add(req.socket);
      if (reused) req.socket.destroy();
      else sendJson(res, { count: 1 });
    });
    await using delivery = connect(server.url, { BACKEND_CONNECTIONS: '1' });
    await delivery.call();
    expect(await delivery.call()).toEqual({ count: 1 });
    expect(delivery.rows.map((r) => [r.resultCode, r.retry])).toEqual([
      ['200', false],
      ['UND_ERR_SOCKET', false],
      ['200', true],
    ]);
  });

  it('is a failure when it happens again', async () => {
    await using server = await startServer((req) => void req.socket.destroy());
    await using delivery = connect(server.url);
    expect((await delivery.refusal()).row.code).toBe('BACKEND_UNREACHABLE');
    expect(server.requests).toHaveLength(2);
  });
});

describe('calls that wait for a connection', () => {
  const LONG = { BACKEND_CONNECTIONS: '1', BACKEND_DEADLINE_MS: '60000' };

  it('are sent in the context of their caller, also when probes take all connections', async () => {
    const caller = new AsyncLocalStorage<number>();
    const sent: unknown[] = [];
    const note = (message: unknown) => {
      const { path } = (message as { request: { path: string } }).request;
      if (path.startsWith('/count')) sent.push(caller.getStore());
    };
    subscribe('undici:request:create', note);
    await using server = await startServer((_req, res) => sendJson(res, { count: 1 }));
    await using delivery = connect(server.url, LONG);
    delivery.backend.start();
    await Promise.all(Array.from({ length: 6 }, (_, i) => caller.run(i, () => delivery.call())));
    unsubscribe('undici:request:create', note);
    expect(sent).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('are sent when it breaks', async () => {
    await using server = await startServer((req, res) => {
      if (server.requests.length === 3) req.socket.destroy();
      else sendJson(res, { count: server.requests.length });
    });
    await using delivery = connect(server.url, LONG);
    const answers = await Promise.all(Array.from({ length: 12 }, () => delivery.call()));
    expect(new Set(answers.map(({ count }) => count)).size).toBe(12);
    expect(server.requests).toHaveLength(13);
  });

  it('fail one after another when nobody listens, and the next go through when somebody does', async () => {
    const gone = await startServer(() => {});
    await gone[Symbol.asyncDispose]();
    await using delivery = connect(gone.url, LONG);
    for (let round = 0; round < 3; round += 1) {
      const errors = await Promise.all(Array.from({ length: 8 }, () => delivery.refusal()));
      for (const error of errors) expect(error.row.code).toBe('BACKEND_UNREACHABLE');
    }
    await using back = await startServer((_req, res) => sendJson(res, { count: 1 }), { port: gone.port });
    const answers = await Promise.all(Array.from({ length: 8 }, () => delivery.call()));
    expect(answers).toEqual(Array.from({ length: 8 }, () => ({ count: 1 })));
    expect(back.requests).toHaveLength(8);
  });
});

describe('the pool', () => {
  const answer: http.RequestListener = (_req, res) => sendJson(res, { count: 1 });
  const ready = (health: Health) => health.report().status === 'ready';

  it('opens all connections before traffic, and then needs no other', async () => {
    await using server = await startServer(
      (_req, res) => void setTimeout(() => sendJson(res, { count: 1 }), 20),
    );
    await using delivery = connect(server.url, { BACKEND_CONNECTIONS: '16' });
    expect(delivery.health.report().checks[0]).toMatchObject({ name: 'delivery', ready: false });
    delivery.backend.start();
    await eventually(() => ready(delivery.health));
    expect(server.connections()).toBe(16);
    await Promise.all(Array.from({ length: 16 }, () => delivery.call()));
    expect(server.opened()).toBe(16);
  });

  it('opens again what the backend closes', async () => {
    await using server = await startServer((req, res) => {
      res.once('finish', () => req.socket.end());
      sendJson(res, { count: 1 });
    });
    await using delivery = connect(server.url);
    delivery.backend.start();
    await eventually(() => ready(delivery.health));
    for (let i = 0; i < 3; i += 1) await delivery.call();
    await eventually(() => server.opened() >= 7 && server.connections() === 4);
  });

  it('says that the backend is gone, and recovers alone when it is back', async () => {
    const server = await startServer(answer);
    await using delivery = connect(server.url);
    delivery.backend.start();
    await eventually(() => ready(delivery.health));
    await server[Symbol.asyncDispose]();
    const report = await eventually(() => !ready(delivery.health) && delivery.health.report());
    expect(report.checks[0]?.reason).toBe(`delivery at ${server.url}: ECONNREFUSED`);
    await using back = await startServer(answer, { port: server.port });
    await eventually(() => ready(delivery.health));
    expect(back.connections()).toBe(4);
    expect(await delivery.call()).toEqual({ count: 1 });
  });
});
