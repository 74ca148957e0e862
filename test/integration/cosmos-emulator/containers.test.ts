import { CosmosClient, PartitionKeyDefinitionVersion, PartitionKeyKind } from '@azure/cosmos';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fixture, startFixture } from './fixture.js';

const OWNER = { paths: ['/ownerId'], version: 2 };

/** A clock that can be set ahead. */
const clock = { ms: 1_700_000_000_000, now: () => clock.ms };
let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture({ emulator: { clock, throttling: false } });
});
afterAll(() => fixture[Symbol.asyncDispose]());

describe('partition keys', () => {
  test('hierarchical: complete keys, prefixes and bulk', async () => {
    const container = await fixture.container({
      id: 'multi',
      partitionKey: {
        paths: ['/tenant', '/user'],
        kind: PartitionKeyKind.MultiHash,
        version: PartitionKeyDefinitionVersion.V2,
      },
      throughput: 24_000,
    });
    const operations = Array.from({ length: 60 }, (_, i) => ({
      operationType: 'Create' as const,
      partitionKey: [`t${i % 3}`, `u${i % 10}`],
      resourceBody: { id: `i${i}`, tenant: `t${i % 3}`, user: `u${i % 10}`, n: i },
    }));
    const results = await container.items.executeBulkOperations(operations);
    expect(results.every(({ response }) => response?.statusCode === 201)).toBe(true);
    expect((await container.item('i7', ['t1', 'u7']).read()).resource?.n).toBe(7);
    const query = (partitionKey: string[], text = 'SELECT VALUE c.n FROM c') =>
      container.items.query(text, { partitionKey }).fetchAll();
    expect((await query(['t1', 'u7'])).resources).toEqual([7, 37]);
    const tenant = Array.from({ length: 60 }, (_, i) => i).filter((i) => i % 3 === 1);
    expect((await query(['t1'])).resources.toSorted((a, b) => a - b)).toEqual(tenant);
    await expect(container.items.create({ id: 'x', tenant: 't1', user: 'u1' })).resolves.toMatchObject({
      statusCode: 201,
    });
    const pinned = await container.items
      .query('SELECT VALUE c.n FROM c WHERE c.tenant = "t2" AND c.user = "u5"', { forceQueryPlan: true })
      .fetchAll();
    expect(pinned.resources.toSorted((a, b) => a - b)).toEqual([5, 35]);
  });

  test('version 1 over several partitions, with bulk', async () => {
    const container = await fixture.container({
      id: 'v1',
      partitionKey: { paths: ['/k'] },
      throughput: 54_000,
    });
    const operations = Array.from({ length: 200 }, (_, i) => ({
      operationType: 'Create' as const,
      partitionKey: `key-${i}`,
      resourceBody: { id: `i${i}`, k: `key-${i}` },
    }));
    const results = await container.items.executeBulkOperations(operations);
    expect(results.every(({ response }) => response?.statusCode === 201)).toBe(true);
    for (const i of [0, 50, 199])
      expect((await container.item(`i${i}`, `key-${i}`).read()).statusCode).toBe(200);
    const query = {
      query: 'SELECT VALUE c.id FROM c WHERE c.k = @k',
      parameters: [{ name: '@k', value: 'key-42' }],
    };
    expect((await container.items.query(query, { forceQueryPlan: true }).fetchAll()).resources).toEqual([
      'i42',
    ]);
    const { body } = await fixture.control('containers/db/v1/model');
    expect(body.partitions.filter(({ items }: { items: number }) => items === 0)).toEqual([]);
  });

  test('nested paths', async () => {
    const container = await fixture.container({
      id: 'nested',
      partitionKey: { paths: ['/address/"zip code"'], version: 2 },
    });
    await container.items.create({ id: '1', address: { 'zip code': '8001' } });
    expect((await container.item('1', '8001').read()).statusCode).toBe(200);
    expect(
      (await container.items.query('SELECT * FROM c', { partitionKey: '8001' }).fetchAll()).resources,
    ).toHaveLength(1);
  });
});

describe('shared throughput', () => {
  test('the containers of a database draw on one budget', async () => {
    await using shared = await startFixture({
      emulator: { clock },
      client: { connectionPolicy: { retryOptions: { maxRetryAttemptCount: 0 } } } as never,
    });
    const { database } = await shared.client.databases.create({ id: 'shared', throughput: 400 });
    const { container: a } = await database.containers.create({ id: 'a', partitionKey: OWNER });
    const { container: b } = await database.containers.create({ id: 'b', partitionKey: OWNER });
    const { container: own } = await database.containers.create({
      id: 'own',
      partitionKey: OWNER,
      throughput: 400,
    });
    await a.items.create({ id: '1', ownerId: 'o' });
    await b.items.create({ id: '1', ownerId: 'o' });
    clock.ms += 1000;
    let reads = 0;
    while (
      await a
        .item('1', 'o')
        .read()
        .then(
          () => true,
          () => false,
        )
    )
      reads += 1;
    expect(reads).toBe(400);
    await expect(b.item('1', 'o').read()).rejects.toMatchObject({ code: 429 });
    expect((await own.item('1', 'o').read()).statusCode).toBe(404);
    expect((await a.readOffer()).resource).toBeUndefined();
    const { offer, resource } = await database.readOffer();
    if (offer === undefined || resource?.content === undefined) throw new Error('no offer');
    resource.content.offerThroughput = 25_000;
    await offer.replace(resource);
    expect((await a.readPartitionKeyRanges().fetchAll()).resources).toHaveLength(3);
    expect((await own.readPartitionKeyRanges().fetchAll()).resources).toHaveLength(1);
    expect((await b.item('1', 'o').read()).statusCode).toBe(200);
  });
});

describe('consistency levels', () => {
  const readWith = async (consistencyLevel: string) => {
    const client = new CosmosClient({
      endpoint: fixture.emulator.endpoint,
      key: fixture.emulator.key,
      consistencyLevel: consistencyLevel as never,
    });
    try {
      return await client.database('db').read();
    } finally {
      client.dispose();
    }
  };

  test.each(['Session', 'ConsistentPrefix', 'Eventual'])('%s is accepted', async (level) => {
    expect((await readWith(level)).statusCode).toBe(200);
  });

  test.each(['Strong', 'BoundedStaleness', 'Weak'])('%s is refused by name', async (level) => {
    await expect(readWith(level)).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining(level),
    });
  });
});

test('index metrics say that there are none', async () => {
  const container = await fixture.container({ id: 'metrics', partitionKey: OWNER });
  const page = await container.items
    .query('SELECT * FROM c', { partitionKey: 'o', populateIndexMetrics: true })
    .fetchNext();
  expect(JSON.stringify(page.indexMetrics)).toContain('does not compute index metrics');
});

test('quota and usage come on request', async () => {
  const container = await fixture.container({ id: 'quota', partitionKey: OWNER });
  await container.items.create({ id: '1', ownerId: 'o', big: 'x'.repeat(5000) });
  const { headers } = await container.read({ populateQuotaInfo: true });
  expect(headers['x-ms-resource-usage']).toContain('documentsCount=1;');
});
