import http from 'node:http';
import net from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { startAppInsightsEmulator } from '@bottleneck-lab/app-insights-emulator';
import { describe, expect, it } from 'vitest';
import { event, send, track } from './running-emulator.js';

describe('track', () => {
  it('takes both paths, arrays, single items, lines and compression', async () => {
    await using emulator = await startAppInsightsEmulator();
    const url = `${emulator.endpoint}/v2.1/track`;
    const array = Buffer.from(JSON.stringify([event('a'), event('b')]));
    const lines = [event('c'), event('d')].map((item) => JSON.stringify(item)).join('\n');
    const encoded = (encoding: string) => ({ 'content-encoding': encoding });
    const replies = [
      await send(url, { method: 'POST', body: array }),
      await send(url, { method: 'POST', body: gzipSync(array), headers: encoded('gzip') }),
      await send(url, { method: 'POST', body: brotliCompressSync(array), headers: encoded('br') }),
      await send(`${emulator.endpoint}/v2/track`, {
        method: 'POST',
        body: lines,
        headers: { 'content-type': 'application/x-json-stream' },
      }),
    ];
    for (const { status, body } of replies) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ itemsReceived: 2, itemsAccepted: 2, errors: [] });
    }
    const single = await send(url, { method: 'POST', body: JSON.stringify(event('e')) });
    expect(single.body).toMatchObject({ itemsReceived: 1, itemsAccepted: 1 });
    expect(emulator.stats().rows.ingested.customEvents).toBe(9);
  });

  it('answers 206 with an error per refused item, and 400 when all are refused', async () => {
    await using emulator = await startAppInsightsEmulator();
    const partial = await track(emulator, [event('a'), {}, event('b'), { ...event('c'), time: 'x' }]);
    expect(partial.status).toBe(206);
    expect(partial.body).toMatchObject({
      itemsReceived: 4,
      itemsAccepted: 2,
      errors: [
        { index: 1, statusCode: 400, message: expect.stringContaining('iKey') },
        { index: 3, statusCode: 400, message: expect.stringContaining("'time'") },
      ],
    });
    const none = await track(emulator, [{}]);
    expect(none.status).toBe(400);
    expect(none.body).toMatchObject({ itemsReceived: 1, itemsAccepted: 0 });
    expect(emulator.stats().ingestion).toMatchObject({ items: 5, accepted: 2, rejected: { 400: 3 } });
  });

  it.each([
    ['an empty body', '', {}, 400, /empty/],
    ['garbage', '\u0000\u0001nonsense', {}, 400, /not JSON/],
    ['a body over the limit', JSON.stringify([event('x'.repeat(3000))]), {}, 413, /at most 2048 bytes/],
    ['too deep a body', '['.repeat(1500), {}, 400, /nested too deep/],
    ['an unknown encoding', '[]', { 'content-encoding': 'zstd' }, 415, /"zstd"; known are gzip/],
    ['a bad encoding', '[]', { 'content-encoding': 'gzip' }, 400, /decompressed/],
    ['too many items', JSON.stringify(Array.from({ length: 11 }, () => 0)), {}, 413, /11 items, at most 10/],
  ])('refuses %s with a body that says why', async (_, body, headers, status, message) => {
    await using emulator = await startAppInsightsEmulator({
      limits: { maxBodyBytes: 2048, maxItemsPerRequest: 10 },
    });
    const reply = await send(`${emulator.endpoint}/v2.1/track`, { method: 'POST', body, headers });
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject({
      itemsReceived: 0,
      itemsAccepted: 0,
      errors: [{ statusCode: status }],
    });
    expect(reply.body.errors[0]?.message).toMatch(message);
  });

  it('refuses a bomb that is small only while compressed', async () => {
    await using emulator = await startAppInsightsEmulator({ limits: { maxBodyBytes: 1_000_000 } });
    const body = gzipSync(Buffer.alloc(50_000_000, ' '));
    const reply = await send(`${emulator.endpoint}/v2.1/track`, {
      method: 'POST',
      body,
      headers: { 'content-encoding': 'gzip' },
    });
    expect(reply.status).toBe(413);
  });

  it('lets the sender of a body without a length read the answer, and serves it again', async () => {
    await using emulator = await startAppInsightsEmulator({ limits: { maxBodyBytes: 10_000 } });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const post = (bytes: number) =>
      new Promise<number>((resolve, reject) => {
        const url = `${emulator.endpoint}/v2.1/track`;
        const request = http.request(url, { method: 'POST', agent }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode ?? 0));
        });
        request.on('error', reject);
        for (let sent = 0; sent < bytes; sent += 1000) request.write(' '.repeat(1000));
        request.end(JSON.stringify(event('a')));
      });
    expect(await post(3_000_000)).toBe(413);
    expect(await post(1000)).toBe(200);
    agent.destroy();
  });

  it('reads only so many bytes at once, over all requests', async () => {
    await using emulator = await startAppInsightsEmulator({
      limits: { maxBodyBytes: 60_000, maxPendingBytes: 100_000 },
    });
    const open = () => {
      const request = http.request(`${emulator.endpoint}/v2.1/track`, { method: 'POST' });
      const answered = new Promise<http.IncomingMessage>((resolve) => request.on('response', resolve));
      return { request, answered };
    };
    const first = open();
    first.request.write(' '.repeat(55_000));
    const statuses: (number | undefined)[] = [];
    // The first may reach the server after the others: then one of these waits for it, and the next one is refused.
    while (!statuses.includes(503)) {
      const reply = await send(`${emulator.endpoint}/v2.1/track`, {
        method: 'POST',
        body: ' '.repeat(55_000),
      });
      statuses.push(reply.status);
      if (reply.status === 503) expect(reply.headers.get('retry-after')).toBe('1');
    }
    first.request.end(JSON.stringify(event('a')));
    expect((await first.answered).statusCode).toBe(200);
    expect((await track(emulator, [event('b')])).status).toBe(200);
  });

  it('answers 402 above the daily cap and 429 above the rate', async () => {
    await using capped = await startAppInsightsEmulator({ limits: { dailyCapItems: 2 } });
    expect((await track(capped, [event('a'), event('b')])).status).toBe(200);
    const over = await track(capped, [event('c')]);
    expect(over.status).toBe(402);
    expect(over.body.errors[0]?.message).toContain('Daily quota exceeded');

    await using slow = await startAppInsightsEmulator({ limits: { maxItemsPerSecond: 1 } });
    const many = await track(
      slow,
      Array.from({ length: 100 }, () => event('a')),
    );
    expect(many.status).toBe(429);
    expect(Number(many.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(slow.stats().rows.ingested.customEvents).toBe(0);
  });

  it('answers unknown paths and methods', async () => {
    await using emulator = await startAppInsightsEmulator();
    const at = (path: string, method: string) => send<object>(emulator.endpoint + path, { method });
    expect(await at('/v2/nope', 'POST')).toMatchObject({
      status: 404,
      body: { errors: [{ statusCode: 404 }] },
    });
    expect(await at('/v2.1/track', 'GET')).toMatchObject({ status: 405 });
    expect(await at('/', 'GET')).toMatchObject({
      status: 404,
      body: { error: { code: 'PathNotFoundError' } },
    });
    expect(await at('/-/ready', 'GET')).toMatchObject({ status: 200 });
    expect(await at('/-/live', 'GET')).toMatchObject({ status: 200 });
  });

  it('answers what is not HTTP, or too long a query in the address, with a body', async () => {
    await using emulator = await startAppInsightsEmulator();
    const long = await send<{ error: { message: string } }>(
      `${emulator.endpoint}/v1/apps/live/query?query=${'x'.repeat(20_000)}`,
      { method: 'GET' },
    );
    expect(long).toMatchObject({
      status: 431,
      body: { error: { message: expect.stringContaining('POST') } },
    });
    const socket = net.connect(emulator.port, '127.0.0.1');
    socket.end('nonsense\r\n\r\n');
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 400 [\s\S]*not HTTP/);
  });

  it('holds its memory bounded while far more comes in than it keeps', async () => {
    await using emulator = await startAppInsightsEmulator({ retain: { rows: 5000, bytes: 4_000_000 } });
    const batch = Array.from({ length: 1000 }, (_, i) => event(`e${i}`, { text: 'x'.repeat(300) }));
    for (let i = 0; i < 20; i += 1) expect((await track(emulator, batch)).status).toBe(200);
    const { rows, retainedBytes } = emulator.stats();
    expect(rows.ingested.customEvents).toBe(20_000);
    expect(rows.retained.customEvents + rows.evicted.customEvents).toBe(20_000);
    expect(rows.retained.customEvents).toBeLessThanOrEqual(5000);
    expect(retainedBytes).toBeLessThanOrEqual(4_000_000);
  });
});
