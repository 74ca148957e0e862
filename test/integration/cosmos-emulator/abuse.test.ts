import { fork } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import { CosmosClient } from '@azure/cosmos';
import { type CosmosEmulator, startCosmosEmulator, WELL_KNOWN_KEY } from '@bottleneck-lab/cosmos-emulator';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RawRequest, request, signedHeaders } from './raw-request.js';

/** What no honest client does. The emulator has to answer, or close, and go on. */
let emulator: CosmosEmulator;
const failures: unknown[] = [];

beforeAll(async () => {
  emulator = await startCosmosEmulator({ throttling: false, onError: (error) => failures.push(error) });
  const client = new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key });
  const { database } = await client.databases.create({ id: 'db' });
  const { container } = await database.containers.create({
    id: 'c',
    partitionKey: { paths: ['/k'], version: 2 },
  });
  for (let i = 0; i < 20; i++) await container.items.create({ id: `i${i}`, k: `k${i % 3}`, n: i });
  client.dispose();
});
afterAll(async () => {
  await emulator.stop();
  expect(failures).toEqual([]);
});

async function isAlive(): Promise<void> {
  expect((await request(emulator, { path: '/_emulator/health' })).body).toMatchObject({ status: 'ok' });
}

/** Sends bytes and returns what comes back until the server closes. */
async function speak(bytes: string | Buffer): Promise<string> {
  const socket = net.connect(emulator.port, '127.0.0.1');
  socket.on('error', () => undefined);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.end(bytes);
  await once(socket, 'close');
  return answer;
}

describe('what is not HTTP', () => {
  test.each([
    ['garbage', 'hello\r\n\r\n'],
    ['binary', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0xff])],
    ['a wrong length', 'POST /dbs HTTP/1.1\r\nhost: x\r\ncontent-length: -5\r\n\r\n'],
    [
      'two lengths',
      'POST /dbs HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['endless headers', `GET / HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(5000)}\r\n`],
    ['half a request', 'POST /dbs/db/colls/c/docs HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"id"'],
    ['nothing', ''],
  ])('%s', async (_name, bytes) => {
    const answer = await speak(bytes);
    if (answer !== '') expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/);
    await isAlive();
  });
});

describe('documents', () => {
  const signed = () => signedHeaders(emulator, { method: 'post', type: 'docs', link: 'dbs/db/colls/c' });
  const create = (body: string) =>
    request(emulator, {
      method: 'POST',
      path: '/dbs/db/colls/c/docs',
      headers: { ...signed(), 'x-ms-documentdb-partitionkey': '["k"]' },
      body,
    });

  test('nested deeper than the stack', async () => {
    const answer = await create(`{"id":"deep","k":"k","a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/128 levels/);
  });

  test('with members that mean something to JavaScript', async () => {
    const body =
      '{"id":"proto","k":"k","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1}';
    expect((await create(body)).status).toBe(201);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    const headers = signedHeaders(emulator, { type: 'docs', link: 'dbs/db/colls/c/docs/proto' });
    const read = await request(emulator, {
      path: '/dbs/db/colls/c/docs/proto',
      headers: { ...headers, 'x-ms-documentdb-partitionkey': '["k"]' },
    });
    expect(read.text).toContain('"__proto__":{"polluted":true}');
  });

  test('with half a character', async () => {
    const answer = await create('{"id":"\\ud800","k":"k"}');
    expect(answer.status).toBe(400);
  });
});

test('anything at all is answered with JSON and never with a 500', { timeout: 60_000 }, async () => {
  const segment = fc.oneof(
    fc.constantFrom(
      'dbs',
      'colls',
      'docs',
      'pkranges',
      'offers',
      'db',
      'c',
      'i1',
      '_emulator',
      '..',
      '%',
      '%00',
      '',
    ),
    fc.webSegment({ size: 'xsmall' }),
  );
  const header = fc.constantFrom(
    'x-ms-documentdb-partitionkey',
    'x-ms-documentdb-partitionkeyrangeid',
    'x-ms-documentdb-isquery',
    'x-ms-cosmos-is-query-plan-request',
    'x-ms-cosmos-is-batch-request',
    'x-ms-cosmos-batch-atomic',
    'x-ms-documentdb-is-upsert',
    'x-ms-continuation',
    'x-ms-max-item-count',
    'x-ms-start-epk',
    'x-ms-end-epk',
    'x-ms-offer-throughput',
    'x-ms-cosmos-offer-autopilot-settings',
    'x-ms-documentdb-query-enablecrosspartition',
    'if-match',
    'if-none-match',
    'if-modified-since',
    'a-im',
    'content-type',
  );
  const headerValue = fc.oneof(
    fc.constantFrom(
      'true',
      'True',
      '["k1"]',
      '["k",2]',
      '[]',
      '[{}]',
      '0',
      '-1',
      '*',
      'Incremental Feed',
      '{"token":null,"range":{"min":"","max":"FF"}}',
      '{"maxThroughput":4000}',
    ),
    fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
  );
  const body = fc.oneof(
    fc.constant(''),
    fc.json({ maxDepth: 3 }),
    fc.string({ maxLength: 30 }),
    fc
      .record({
        query: fc.constantFrom(
          'SELECT * FROM c',
          'SELECT VALUE COUNT(1) FROM c',
          'SELECT',
          'SELECT c.n FROM c ORDER BY c.n',
        ),
        parameters: fc.constant([]),
      })
      .map((spec) => JSON.stringify(spec)),
    fc
      .record({ id: fc.string({ maxLength: 5 }), k: fc.jsonValue({ maxDepth: 1 }) })
      .map((item) => JSON.stringify(item)),
    fc
      .array(
        fc.record({
          operationType: fc.constantFrom('Create', 'Read', 'Patch', 'Delete', 'x'),
          id: fc.constantFrom('i1', '', 'z'),
          resourceBody: fc.jsonValue({ maxDepth: 2 }),
        }),
        { maxLength: 3 },
      )
      .map((operations) => JSON.stringify(operations)),
    fc
      .record({
        operations: fc.array(
          fc.record({
            op: fc.constantFrom('add', 'set', 'incr', 'move', 'remove'),
            path: fc.constantFrom('/n', '/a/b', '/', '//', '/__proto__/x', 'n'),
            from: fc.constantFrom('/n', ''),
            value: fc.jsonValue({ maxDepth: 1 }),
          }),
          { maxLength: 3 },
        ),
      })
      .map((patch) => JSON.stringify(patch)),
  );
  const DOCS = '/dbs/db/colls/c/docs';
  // Mostly addresses and methods that exist, so that the handlers behind them are reached.
  const known = fc.constantFrom<[string, string]>(
    ['POST', DOCS],
    ['POST', DOCS],
    ['POST', DOCS],
    ['GET', DOCS],
    ['GET', `${DOCS}/i1`],
    ['PUT', `${DOCS}/i1`],
    ['PATCH', `${DOCS}/i1`],
    ['DELETE', `${DOCS}/i2`],
    ['POST', '/dbs'],
    ['POST', '/dbs/db/colls'],
    ['POST', '/offers'],
  );
  const anything = fc.tuple(
    fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
    fc.array(segment, { maxLength: 7 }).map((parts) => `/${parts.join('/')}`),
  );
  const anyRequest = fc.record({
    target: fc.oneof({ weight: 5, arbitrary: known }, { weight: 1, arbitrary: anything }),
    headers: fc.dictionary(header, headerValue, { maxKeys: 8 }),
    body,
  });
  await fc.assert(
    fc.asyncProperty(anyRequest, async ({ target: [method, path], headers, body: text }) => {
      const answer = await request(emulator, signedLike({ method, path, headers, body: text }));
      expect(answer.status).toBeLessThan(500);
      if (answer.status >= 400) expect(answer.body.message).toBeTypeOf('string');
    }),
    { numRuns: 800 },
  );
  await isAlive();
});

/** Signed, so that more than the authorization is tried; nothing else about the request is made right. */
function signedLike({
  method,
  path,
  headers,
  body,
}: Required<Omit<RawRequest, 'body'>> & { body: string }): RawRequest {
  const parts = decodeOrNull(path)?.split('/').filter(Boolean) ?? [];
  const [first = ''] = parts;
  const isFeed = parts.length % 2 === 1;
  const type = (isFeed ? parts.at(-1) : parts.at(-2)) ?? '';
  const link =
    first === 'offers' ? (parts[1] ?? '').toLowerCase() : parts.slice(0, isFeed ? -1 : undefined).join('/');
  const signed = signedHeaders(emulator, { method: method.toLowerCase(), type, link });
  return { method, path, headers: { ...headers, ...signed }, body };
}

function decodeOrNull(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

test('1,000 connections at once are all answered', async () => {
  const headers = signedHeaders(emulator, { type: 'docs', link: 'dbs/db/colls/c/docs/i1' });
  const answers = await Promise.all(
    Array.from({ length: 1000 }, () =>
      request(emulator, {
        path: '/dbs/db/colls/c/docs/i1',
        headers: { ...headers, 'x-ms-documentdb-partitionkey': '["k1"]' },
      }),
    ),
  );
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  await isAlive();
});

test('clients that send or read slowly do not hold up the others', async () => {
  const sockets = Array.from({ length: 100 }, (_, index) => {
    const socket = net.connect(emulator.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(
      index % 2 === 0
        ? 'POST /dbs HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{'
        : 'GET / HTTP/1.1\r\nho',
    );
    return socket;
  });
  await Promise.all(Array.from({ length: 20 }, isAlive));
  for (const socket of sockets) socket.destroy();
  await isAlive();
});

test('results of any size are read in bounded memory', { timeout: 120_000 }, async () => {
  const child = fork(fileURLToPath(import.meta.resolve('@bottleneck-lab/cosmos-emulator/main')), [
    '--port',
    '0',
    '--no-throttling',
  ]);
  const [{ port, controlToken }] = await once(child, 'message');
  const endpoint = `http://127.0.0.1:${port}/`;
  const client = new CosmosClient({ endpoint, key: WELL_KNOWN_KEY });
  const { database } = await client.databases.create({ id: 'db' });
  const { container } = await database.containers.create({
    id: 'c',
    partitionKey: { paths: ['/k'], version: 2 },
    throughput: 12_000,
  });
  const text = 'x'.repeat(50_000);
  for (let i = 0; i < 800; i += 8) {
    await Promise.all(
      Array.from({ length: 8 }, (_, j) =>
        container.items.create({ id: `${i + j}`, k: `${(i + j) % 40}`, text }),
      ),
    );
  }
  const resident = async () => {
    const { body } = await request(
      { endpoint },
      { path: '/_emulator/metrics', headers: { 'x-emulator-token': controlToken } },
    );
    return body.process as { residentBytes: number }[];
  };
  // Forty megabytes of data, read ten times over by clients that ask for as much as they can get.
  for (let round = 0; round < 10; round++) {
    const iterator = container.items.query('SELECT * FROM c', { maxItemCount: -1 });
    let count = 0;
    while (iterator.hasMoreResults()) count += (await iterator.fetchNext()).resources.length;
    expect(count).toBe(800);
  }
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const rows = await resident();
  expect(Math.max(...rows.map(({ residentBytes }) => residentBytes))).toBeLessThan(450_000_000);
  client.dispose();
  child.send({ type: 'shutdown' });
  await once(child, 'exit');
});
