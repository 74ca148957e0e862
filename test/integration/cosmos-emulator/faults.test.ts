import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CosmosClient } from '@azure/cosmos';
import { type CosmosEmulator, startCosmosEmulator } from '@bottleneck-lab/cosmos-emulator';
import { describe, expect, test } from 'vitest';
import { type Fixture, startFixture } from './fixture.js';

const OWNER = { paths: ['/ownerId'], version: 2 };
const NO_RETRY = {
  connectionPolicy: { retryOptions: { maxRetryAttemptCount: 0 }, enableEndpointDiscovery: false },
} as never;

async function withContainer() {
  const fixture = await startFixture({ client: NO_RETRY });
  const container = await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 18_000 });
  for (let i = 0; i < 12; i++) await container.items.create({ id: `i${i}`, ownerId: `o${i}` });
  const addRule = async (body: object) => (await fixture.control('faults', { method: 'POST', body })).body;
  return { fixture, container, addRule };
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    (value) => (value as { statusCode: number }).statusCode,
    (error: { code: unknown }) => error.code,
  );

describe('injected faults', () => {
  test.each([
    ['429', 429, 3200],
    ['449', 449, undefined],
    ['503', 503, 20003],
  ])('%s', async (action, code, substatus) => {
    const { fixture, container, addRule } = await withContainer();
    await using _ = fixture;
    await addRule({ action, operations: ['read'], count: 1, retryAfterMs: 25 });
    const error = await container
      .item('i1', 'o1')
      .read()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, ...(substatus === undefined ? {} : { substatus }) });
    if (action !== '503') expect(error).toMatchObject({ retryAfterInMs: 25 });
    expect((await container.item('i1', 'o1').read()).statusCode).toBe(200);
  });

  test('reset drops the connection', async () => {
    const { fixture, container, addRule } = await withContainer();
    await using _ = fixture;
    await addRule({ action: 'reset', operations: ['create'], count: 1 });
    await expect(container.items.create({ id: 'x', ownerId: 'x' })).rejects.toMatchObject({
      code: 'ECONNRESET',
    });
    expect((await container.item('x', 'x').read()).statusCode).toBe(404);
  });

  test('delay lets the request go on afterwards', async () => {
    const { fixture, container, addRule } = await withContainer();
    await using _ = fixture;
    await addRule({ action: 'delay', delayMs: 120, operations: ['read'] });
    const start = performance.now();
    expect((await container.item('i1', 'o1').read()).statusCode).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(115);
  });

  test('one partition only', async () => {
    const { fixture, container, addRule } = await withContainer();
    await using _ = fixture;
    await addRule({ action: '503', container: 'c', partitionKeyRangeId: '1' });
    const { resources: ranges } = await container.readPartitionKeyRanges().fetchAll();
    const failed = await container.items
      .query('SELECT * FROM c', { forceQueryPlan: true })
      .fetchAll()
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 503 });
    const statuses = fixture.sent.filter(({ rangeId, status }) => rangeId !== undefined && status === 503);
    expect(new Set(statuses.map(({ rangeId }) => rangeId))).toEqual(new Set(['1']));
    expect(ranges).toHaveLength(3);
  });

  test('a rate hits that share, the same requests for the same seed', async () => {
    const { fixture, container, addRule } = await withContainer();
    await using _ = fixture;
    const pattern = async (seed: number) => {
      await fixture.control('faults', { method: 'DELETE' });
      await addRule({ action: '503', rate: 0.3, seed, operations: ['read'] });
      const codes: unknown[] = [];
      for (let i = 0; i < 100; i++) codes.push(await codeOf(container.item('i1', 'o1').read()));
      return codes;
    };
    const first = await pattern(1);
    const hits = first.filter((code) => code === 503).length;
    expect(hits).toBeGreaterThan(15);
    expect(hits).toBeLessThan(45);
    expect(await pattern(1)).toEqual(first);
    expect(await pattern(2)).not.toEqual(first);
  });

  test('rules are listed with their hits, and removed one by one', async () => {
    const { fixture, container, addRule } = await withContainer();
    await using _ = fixture;
    const { id } = await addRule({ action: '503', database: 'other' });
    await addRule({ action: '503', operations: ['read'], count: 2 });
    for (let i = 0; i < 3; i++) await codeOf(container.item('i1', 'o1').read());
    const { faults } = (await fixture.control('faults')).body;
    expect(faults.map(({ hits }: { hits: number }) => hits)).toEqual([0, 2]);
    expect((await fixture.control(`faults/${id}`, { method: 'DELETE' })).body.faults).toHaveLength(1);
    expect((await fixture.control(`faults/${id}`, { method: 'DELETE' })).status).toBe(404);
  });

  test.each([
    [{}, /action/],
    [{ action: '500' }, /action/],
    [{ action: '503', rate: 2 }, /rate/],
    [{ action: '503', operations: ['reads'] }, /operations/],
    [{ action: '503', container: 'c', partition: '1' }, /partition/],
  ])('a wrong rule is refused by name: %j', async (body, message) => {
    await using fixture = await startFixture();
    const answer = await fixture.control('faults', { method: 'POST', body });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(message);
  });
});

test('the clock can be set ahead', async () => {
  await using fixture = await startFixture();
  const container = await fixture.container({ id: 'c', partitionKey: OWNER, defaultTtl: 3600 });
  await container.items.create({ id: '1', ownerId: 'o' });
  await fixture.control('clock', { method: 'PATCH', body: { offsetMs: 3_601_000 } });
  expect((await container.item('1', 'o').read()).statusCode).toBe(404);
  const { resource } = await container.items.create({ id: '2', ownerId: 'o' });
  expect(resource?._ts).toBeGreaterThan(Date.now() / 1000 + 3500);
});

describe('snapshots', () => {
  async function fill(fixture: Fixture) {
    const container = await fixture.container({
      id: 'c',
      partitionKey: OWNER,
      throughput: 18_000,
      defaultTtl: -1,
      uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/n'] }] },
    });
    for (let i = 0; i < 30; i++) await container.items.create({ id: `i${i}`, ownerId: `o${i}`, n: i });
    await fixture.control('containers/db/c/model', {
      method: 'PATCH',
      body: { burstSeconds: 3, physicalPartitions: 5 },
    });
    return container;
  }

  test('bring everything back: items with tags and times, throughput, partitions, model', async () => {
    await using source = await startFixture();
    const before = await fill(source);
    const snapshot = (await source.control('snapshot')).body;
    await using target = await startFixture();
    expect((await target.control('snapshot', { method: 'PUT', body: snapshot })).status).toBe(200);
    const after = target.database.container('c');
    const original = (await before.item('i7', 'o7').read()).resource;
    const restored = (await after.item('i7', 'o7').read()).resource;
    expect(restored).toMatchObject({ id: 'i7', n: 7, _etag: original?._etag, _ts: original?._ts });
    expect((await after.items.query('SELECT VALUE COUNT(1) FROM c').fetchAll()).resources).toEqual([30]);
    expect((await after.readOffer()).resource?.content?.offerThroughput).toBe(18_000);
    expect((await target.control('containers/db/c/model')).body).toMatchObject({
      burstSeconds: 3,
      physicalPartitions: 5,
    });
    await expect(after.items.create({ id: 'x', ownerId: 'o7', n: 7 })).rejects.toMatchObject({ code: 409 });
  });

  test.each<[unknown, RegExp]>([
    [{}, /format/],
    [{ format: 'cosmos-emulator-snapshot', version: 2, databases: [] }, /version/],
    [
      {
        format: 'cosmos-emulator-snapshot',
        version: 1,
        databases: [{ id: 'x', throughput: null, containers: [{}] }],
      },
      /databases\.0\.containers\.0/,
    ],
  ])('that are none leave everything as it is: %j', async (body, message) => {
    await using fixture = await startFixture();
    await fill(fixture);
    const answer = await fixture.control('snapshot', { method: 'PUT', body });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(message);
    expect((await fixture.database.container('c').item('i1', 'o1').read()).statusCode).toBe(200);
  });

  test('a file keeps the data from one run to the next', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'cosmos-emulator-'));
    const file = path.join(folder, 'data.json');
    const connect = ({ endpoint, key }: CosmosEmulator) => new CosmosClient({ endpoint, key });
    try {
      {
        await using emulator = await startCosmosEmulator({ snapshot: file });
        const client = connect(emulator);
        const { database } = await client.databases.create({ id: 'db' });
        const { container } = await database.containers.create({ id: 'c', partitionKey: OWNER });
        await container.items.create({ id: '1', ownerId: 'o', text: 'äöü 日本' });
        client.dispose();
      }
      expect(JSON.parse(await readFile(file, 'utf8')).format).toBe('cosmos-emulator-snapshot');
      {
        await using emulator = await startCosmosEmulator({ snapshot: file });
        const client = connect(emulator);
        const { resource } = await client.database('db').container('c').item('1', 'o').read();
        expect(resource?.text).toBe('äöü 日本');
        client.dispose();
      }
      await writeFile(file, '{"format"');
      await expect(startCosmosEmulator({ snapshot: file })).rejects.toThrow(/snapshot: .*data\.json/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
