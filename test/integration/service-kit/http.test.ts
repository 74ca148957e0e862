import net from 'node:net';
import { problem, statsResponse } from '@bottleneck-lab/contracts';
import { currentRequest, ERRORS, route, ServiceError } from '@bottleneck-lab/service-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from './eventually.js';
import { startTestService } from './service-under-test.js';

const query = z.strictObject({ mode: z.enum(['echo', 'fail', 'crash', 'wait']) });
const things = route({
  method: 'GET',
  path: '/api/things',
  operation: 'GET Things/Get',
  query,
  async handle({ query: { mode }, signal }) {
    await Promise.resolve();
    if (mode === 'fail') {
      throw new ServiceError(ERRORS.COSMOS_THROTTLED, { detail: 'no RU', headers: { 'retry-after': '2' } });
    }
    if (mode === 'crash') throw new Error('the password is hunter2');
    if (mode === 'wait') await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return { requestId: currentRequest()?.requestId, operation: currentRequest()?.operation };
  },
});

let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService({ routes: [things], env: { BODY_LIMIT_BYTES: '1000' } });
});
afterAll(() => service.stop());

async function get(path: string, init?: RequestInit) {
  const response = await fetch(service.url + path, init);
  return {
    status: response.status,
    headers: response.headers,
    body: JSON.parse((await response.text()) || 'null'),
  };
}

describe('a route', () => {
  it('answers JSON without headers that tell of the framework', async () => {
    const { status, headers, body } = await get('/api/things?mode=echo');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('etag')).toBeNull();
    expect(body).toEqual({ requestId: headers.get('x-request-id'), operation: 'GET Things/Get' });
  });

  it('takes the request id of the caller when it is sane, else its own', async () => {
    const idFor = async (id: string) =>
      (await get('/api/things?mode=echo', { headers: { 'x-request-id': id } })).headers.get('x-request-id');
    expect(await idFor('abc-123')).toBe('abc-123');
    for (const bad of ['a b', '<script>', 'x'.repeat(129)]) {
      expect(await idFor(bad)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it.each([
    ['unknown parameter', '/api/things?mode=echo&x=1', 400, 'BAD_QUERY'],
    ['missing parameter', '/api/things', 400, 'BAD_QUERY'],
    ['unknown route', '/api/thing', 404, 'ROUTE_NOT_FOUND'],
    ['a trailing path', '/api/things/1', 404, 'ROUTE_NOT_FOUND'],
    ['a failure from the table', '/api/things?mode=fail', 503, 'COSMOS_THROTTLED'],
    ['an unexpected error', '/api/things?mode=crash', 500, 'INTERNAL'],
  ])('answers %s with a problem document', async (_what, path, status, code) => {
    const answer = await get(path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(problem.parse(answer.body)).toMatchObject({ status, code });
    expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'));
  });

  it('names the method and route it does not know', async () => {
    expect((await get('/nope', { method: 'PUT' })).body.detail).toBe('There is no route PUT /nope');
  });

  it('sends the headers of a failure, and nothing of an unexpected one', async () => {
    expect((await get('/api/things?mode=fail')).headers.get('retry-after')).toBe('2');
    expect(JSON.stringify((await get('/api/things?mode=crash')).body)).not.toContain('hunter2');
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('refuses %s with the methods it allows', async (method) => {
    for (const path of ['/api/things', '/-/live', '/-/ready']) {
      const { status, headers, body } = await get(path, { method });
      expect(status).toBe(405);
      expect(headers.get('allow')).toBe('GET, HEAD');
      expect(body.code).toBe('METHOD_NOT_ALLOWED');
    }
  });

  it('answers HEAD without a body', async () => {
    const response = await fetch(`${service.url}/api/things?mode=echo`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });
});

describe('a body', () => {
  const json = { 'content-type': 'application/json' };
  async function* chunks(count: number) {
    for (let i = 0; i < count; i += 1) yield Buffer.alloc(100, ' ');
  }

  it.each([
    ['malformed JSON', { body: '{"a":', headers: json }, 400, 'BAD_JSON'],
    [
      'more than the limit',
      { body: JSON.stringify('x'.repeat(1_000)), headers: json },
      413,
      'BODY_TOO_LARGE',
    ],
    ['more than the limit of any kind', { body: 'x'.repeat(1_001) }, 413, 'BODY_TOO_LARGE'],
    ['another media type', { body: 'a=1', headers: { 'content-type': 'text/plain' } }, 415, 'BODY_NOT_JSON'],
    [
      'an unknown encoding',
      { body: '{}', headers: { ...json, 'content-encoding': 'x' } },
      415,
      'BODY_NOT_JSON',
    ],
  ])('of %s is refused', async (_what, init, status, code) => {
    const answer = await get('/api/things?mode=echo', { method: 'POST', ...init });
    expect(answer.status).toBe(status);
    expect(answer.body.code).toBe(code);
  });

  it('of more than the limit is refused when its length is not announced', async () => {
    const init = { method: 'POST', headers: json, body: chunks(11), duplex: 'half' } as RequestInit;
    expect((await get('/api/things?mode=echo', init)).status).toBe(413);
  });
});

describe('a malformed request', () => {
  it.each([
    [
      'a bad escape in the path',
      'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      /^HTTP\/1.1 40[04] /,
    ],
    ['no HTTP at all', 'HELLO\r\n\r\n', /^HTTP\/1.1 400 /],
    ['headers too large', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`, /^HTTP\/1.1 431 /],
  ])('with %s is refused and harms nobody else', async (_what, text, expected) => {
    const socket = net.connect(service.port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      answer += chunk;
    });
    socket.write(text);
    await new Promise((resolve) => socket.on('close', resolve));
    expect(answer).toMatch(expected);
    expect((await get('/-/live')).status).toBe(200);
  });
});

describe('health and statistics', () => {
  it('are the same on both ports, statistics on the internal one only', async () => {
    for (const path of ['/-/live', '/-/ready']) {
      const [outside, inside] = await Promise.all(
        [service.url, service.internalUrl].map((u) => fetch(u + path)),
      );
      expect(outside?.status).toBe(200);
      expect(await inside?.json()).toEqual(await outside?.json());
    }
    expect((await get('/-/stats')).status).toBe(404);
  });

  it('show why a service is not ready', async () => {
    const check = service.runtime.health.check('warehouse', 'connecting');
    const { status, body } = await get('/-/ready');
    expect(status).toBe(503);
    expect(body.checks).toContainEqual({ name: 'warehouse', ready: false, reason: 'connecting' });
    check.pass();
    expect((await get('/-/ready')).status).toBe(200);
  });

  it('count requests by operation, failures and callers who left', async () => {
    await using other = await startTestService({ routes: [things] });
    await fetch(`${other.url}/api/things?mode=echo`);
    await fetch(`${other.url}/api/things?mode=fail`);
    await fetch(`${other.url}/api/things?mode=bad`);
    await fetch(`${other.url}/-/live`);
    const leaving = AbortSignal.timeout(100);
    await expect(fetch(`${other.url}/api/things?mode=wait`, { signal: leaving })).rejects.toThrow();
    const totals = { count: 0, failed: 0, cancelled: 0 };
    let since = 0;
    await eventually(async () => {
      const stats = statsResponse.parse(
        await (await fetch(`${other.internalUrl}/-/stats?since=${since}`)).json(),
      );
      since = stats.second;
      for (const row of stats.rows) {
        if (row.kind !== 'operation') continue;
        expect(row.operation).toBe('GET Things/Get');
        totals.count += row.count;
        totals.failed += row.failed;
        totals.cancelled += row.cancelled;
      }
      return totals.count === 4;
    });
    expect(totals).toEqual({ count: 4, failed: 1, cancelled: 1 });
  });

  it.each(['since=x', 'since=-1', 'until=5'])('refuse %s', async (search) => {
    expect((await fetch(`${service.internalUrl}/-/stats?${search}`)).status).toBe(400);
  });
});
