import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { describe, expect, it } from 'vitest';
import { startServer } from './http-server.js';
import { mainOf, startProcess } from './service-process.js';

const SUPERVISOR = fileURLToPath(new URL('./fixtures/rolling-supervisor.mjs', import.meta.url));
const PATH = '/api/deliveries/summary?ownerId=o000042&year=2019&month=7';

async function freePort(): Promise<number> {
  await using server = await startServer(() => {});
  return server.port;
}

/** Closed-loop callers of three kinds: always busy, with think time, and on a new connection each time. */
function callers(url: string) {
  const pool = new Pool(url, { connections: 8, pipelining: 1 });
  const agent = new http.Agent({ keepAlive: true });
  let stopped = false;
  const outcomes = { ok: 0, failures: [] as unknown[] };
  const repeat = async (call: () => Promise<number | undefined>, thinkTimeMs: number) => {
    while (!stopped) {
      try {
        const status = await call();
        if (status === 200) outcomes.ok += 1;
        else outcomes.failures.push(status);
      } catch (error) {
        outcomes.failures.push(error);
      }
      await new Promise((resolve) => setTimeout(resolve, thinkTimeMs));
    }
  };
  const pooled = async () => {
    const { statusCode, body } = await pool.request({ method: 'GET', path: PATH });
    await body.dump();
    return statusCode;
  };
  const byAgent = (options: http.RequestOptions) => () =>
    new Promise<number | undefined>((resolve, reject) => {
      const req = http.get(url + PATH, options, (res) =>
        res.resume().on('end', () => resolve(res.statusCode)),
      );
      req.on('error', reject);
    });
  const loops = [
    ...Array.from({ length: 4 }, () => repeat(pooled, 0)),
    ...Array.from({ length: 6 }, () => repeat(byAgent({ agent }), 120)),
    ...Array.from({ length: 2 }, () => repeat(byAgent({ agent: false }), 50)),
  ];
  return {
    outcomes,
    async stop() {
      stopped = true;
      await Promise.all(loops);
      agent.destroy();
      await pool.close();
    },
  };
}

describe('a rolling replacement under load', () => {
  it('fails no request', async () => {
    const port = await freePort();
    await using supervisor = startProcess(SUPERVISOR, {
      args: [mainOf('delivery'), String(port)],
      env: { SHUTDOWN_LINGER_MS: '600', KEEP_ALIVE_MAX_REQUESTS: '40' },
    });
    const { url } = await supervisor.listening;
    expect(url).toBe(`http://127.0.0.1:${port}`);
    const load = callers(url);
    const replaced = () =>
      new Promise<number>((resolve) => {
        const listener = (message: unknown) => {
          const { type, exitCode } = message as { type: string; exitCode: number };
          if (type !== 'replaced') return;
          supervisor.child.off('message', listener);
          resolve(exitCode);
        };
        supervisor.child.on('message', listener);
        supervisor.child.send({ type: 'replace' });
      });
    for (let i = 0; i < 3; i += 1) expect(await replaced()).toBe(0);
    const { outcomes } = load;
    await load.stop();
    expect(outcomes.failures).toEqual([]);
    expect(outcomes.ok).toBeGreaterThan(100);
    supervisor.child.send({ type: 'shutdown' });
    expect(await supervisor.exited).toEqual({ code: 0, signal: null });
  });
});
