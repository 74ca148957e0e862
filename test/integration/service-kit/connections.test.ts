import http from 'node:http';
import { route } from '@bottleneck-lab/service-kit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from './eventually.js';
import { startTestService } from './service-under-test.js';

/** One route whose answers the test lets go. */
function gate() {
  const waiting: (() => void)[] = [];
  const held = route({
    method: 'GET',
    path: '/api/held',
    operation: 'GET Held',
    query: z.strictObject({}),
    handle: () => new Promise((resolve) => waiting.push(() => resolve({ ok: true }))),
  });
  const quick = route({
    method: 'GET',
    path: '/api/quick',
    operation: 'GET Quick',
    query: z.strictObject({}),
    handle: () => ({ ok: true }),
  });
  return { routes: [held, quick], waiting };
}

interface Reply {
  status: number | undefined;
  connection: string | undefined;
  localPort: number | undefined;
}

function request(url: string, agent: http.Agent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const req = http.get(url, { agent }, (res) => {
      const localPort = req.socket?.localPort;
      res.resume().once('end', () => {
        resolve({ status: res.statusCode, connection: res.headers.connection, localPort });
      });
    });
    req.once('error', reject);
  });
}
const oneConnection = () => new http.Agent({ keepAlive: true, maxSockets: 1 });

describe('recycling', () => {
  it('closes a connection with its n-th answer, and the client goes on with another', async () => {
    await using service = await startTestService({
      routes: gate().routes,
      env: { KEEP_ALIVE_MAX_REQUESTS: '3' },
    });
    const agent = oneConnection();
    const replies: Reply[] = [];
    for (let i = 0; i < 7; i += 1) replies.push(await request(`${service.url}/api/quick`, agent));
    expect(replies.map((r) => r.connection)).toEqual([
      ...['keep-alive', 'keep-alive', 'close', 'keep-alive', 'keep-alive', 'close', 'keep-alive'],
    ]);
    expect(new Set(replies.map((r) => r.localPort)).size).toBe(3);
    agent.destroy();
  });

  it('closes a connection that is old', async () => {
    await using service = await startTestService({
      routes: gate().routes,
      env: { KEEP_ALIVE_MAX_AGE_MS: '50' },
    });
    const agent = oneConnection();
    const first = await request(`${service.url}/api/quick`, agent);
    const last = await eventually(async () => {
      const reply = await request(`${service.url}/api/quick`, agent);
      return reply.connection === 'close' && reply;
    });
    expect(last.localPort).toBe(first.localPort);
    agent.destroy();
  });
});

describe('draining', () => {
  it('finishes what is in flight, answers what still arrives, and closes with the answer', async () => {
    const { routes, waiting } = gate();
    const service = await startTestService({ routes, env: { SHUTDOWN_LINGER_MS: '2000' } });
    const agent = oneConnection();
    const idle = oneConnection();
    await request(`${service.url}/api/quick`, idle);
    const inFlight = request(`${service.url}/api/held`, agent);
    await eventually(() => waiting.length === 1);
    const stopping = service.stop();
    const ready = await fetch(`${service.internalUrl}/-/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      checks: [{ name: 'accepting requests', reason: 'stopping' }],
    });
    // A keep-alive connection that was idle when the stop began still gets its answer.
    expect(await request(`${service.url}/api/quick`, idle)).toMatchObject({
      status: 200,
      connection: 'close',
    });
    waiting[0]?.();
    expect(await inFlight).toMatchObject({ status: 200, connection: 'close' });
    expect(await stopping).toMatchObject({ cutOff: 0 });
    await expect(request(`${service.url}/api/quick`, oneConnection())).rejects.toThrow('ECONNREFUSED');
  });

  it('closes idle connections once they have been quiet', async () => {
    const service = await startTestService({ routes: gate().routes });
    const agent = oneConnection();
    await request(`${service.url}/api/quick`, agent);
    expect(await service.stop()).toMatchObject({ cutOff: 0 });
    agent.destroy();
  });

  it('ends with the grace period and tells how many requests it cut off', async () => {
    const { routes, waiting } = gate();
    const service = await startTestService({ routes, env: { SHUTDOWN_GRACE_MS: '200' } });
    const lost = request(`${service.url}/api/held`, oneConnection());
    const failure = expect(lost).rejects.toThrow();
    await eventually(() => waiting.length === 1);
    const [first, again] = await Promise.all([service.stop(), service.stop()]);
    expect(first.cutOff).toBe(1);
    expect(again).toBe(first);
    await failure;
  });
});
