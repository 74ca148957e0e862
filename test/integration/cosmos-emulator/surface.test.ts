import {
  ChangeFeedStartFrom,
  type Container,
  CosmosClient,
  PartitionKeyDefinitionVersion,
  PartitionKeyKind,
  type Resource,
} from '@azure/cosmos';
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

describe('patch', () => {
  let container: Container;
  beforeAll(async () => {
    container = await fixture.container({ id: 'patch', partitionKey: OWNER });
  });
  const start = { id: '1', ownerId: 'o', n: 1, list: [1, 2, 3], nested: { a: 1, b: 'x' } };
  const item = () => container.item('1', 'o');

  test.each<[string, object[], object]>([
    ['add', [{ op: 'add', path: '/m', value: 5 }], { m: 5 }],
    ['add into an array', [{ op: 'add', path: '/list/1', value: 9 }], { list: [1, 9, 2, 3] }],
    ['add at the end', [{ op: 'add', path: '/list/-', value: 9 }], { list: [1, 2, 3, 9] }],
    ['set', [{ op: 'set', path: '/nested/c', value: null }], { nested: { a: 1, b: 'x', c: null } }],
    ['set in an array', [{ op: 'set', path: '/list/0', value: 7 }], { list: [7, 2, 3] }],
    ['replace', [{ op: 'replace', path: '/nested/a', value: 2 }], { nested: { a: 2, b: 'x' } }],
    ['remove', [{ op: 'remove', path: '/list/0' }], { list: [2, 3] }],
    ['incr', [{ op: 'incr', path: '/n', value: -3 }], { n: -2 }],
    ['incr of nothing', [{ op: 'incr', path: '/fresh', value: 4 }], { fresh: 4 }],
    ['move', [{ op: 'move', from: '/nested/b', path: '/b' }], { nested: { a: 1 }, b: 'x' }],
    [
      'several in order',
      [
        { op: 'set', path: '/x', value: { y: 1 } },
        { op: 'incr', path: '/x/y', value: 1 },
      ],
      { x: { y: 2 } },
    ],
  ])('%s', async (_name, operations, expected) => {
    await container.items.upsert({ ...start });
    const { resource } = await item().patch(operations as never);
    expect(resource).toMatchObject(expected);
    expect((await item().read()).resource).toEqual(resource);
  });

  test.each<[string, object[], RegExp]>([
    ['replace', [{ op: 'replace', path: '/none', value: 1 }], /\/none does not exist/],
    ['remove', [{ op: 'remove', path: '/list/9' }], /\/list\/9 does not exist/],
    ['incr', [{ op: 'incr', path: '/nested/b', value: 1 }], /needs numbers/],
    ['below nothing', [{ op: 'set', path: '/none/x', value: 1 }], /\/none\/x does not exist/],
    ['of the id', [{ op: 'set', path: '/id', value: '2' }], /cannot change the id/],
    ['of the partition key', [{ op: 'set', path: '/ownerId', value: 'p' }], /doesn't match/],
    ['that is unknown', [{ op: 'swap', path: '/n', value: 1 }], /"swap" is unknown/],
    [
      'eleven',
      Array.from({ length: 11 }, () => ({ op: 'incr', path: '/n', value: 1 })),
      /1 to 10 operations/,
    ],
  ])('a wrong one changes nothing: %s', async (_name, operations, message) => {
    const before = (await container.items.upsert({ ...start })).resource;
    await expect(item().patch(operations as never)).rejects.toMatchObject({
      code: 400,
      message: expect.stringMatching(message),
    });
    expect((await item().read()).resource).toEqual(before);
  });

  test('with a condition', async () => {
    await container.items.upsert({ ...start });
    const patch = (condition: string) =>
      item().patch({ condition, operations: [{ op: 'incr', path: '/n', value: 1 }] });
    expect((await patch('from c where c.n = 1')).resource?.n).toBe(2);
    await expect(patch('from c where c.n = 1')).rejects.toMatchObject({ code: 412 });
    await expect(patch('from c whre c.n')).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining('location'),
    });
  });
});

describe('entity tags', () => {
  let container: Container;
  beforeAll(async () => {
    container = await fixture.container({ id: 'etag', partitionKey: OWNER });
  });
  const stale = (etag: string) => ({ accessCondition: { type: 'IfMatch', condition: etag } });

  test('If-Match lets only the first of two writers through', async () => {
    const { resource } = await container.items.create({ id: '1', ownerId: 'o', n: 0 });
    const etag = resource?._etag as string;
    const item = container.item('1', 'o');
    await item.replace({ id: '1', ownerId: 'o', n: 1 }, stale(etag));
    for (const attempt of [
      () => item.replace({ id: '1', ownerId: 'o', n: 2 }, stale(etag)),
      () => container.items.upsert({ id: '1', ownerId: 'o', n: 2 }, stale(etag)),
      () => item.patch([{ op: 'set', path: '/n', value: 2 }], stale(etag)),
      () => item.delete(stale(etag)),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 412 });
    }
    expect((await item.read()).resource?.n).toBe(1);
    expect((await item.delete(stale('*'))).statusCode).toBe(204);
  });

  test('If-None-Match answers 304 while nothing has changed', async () => {
    const { resource } = await container.items.create({ id: '2', ownerId: 'o' });
    const known = { accessCondition: { type: 'IfNoneMatch', condition: resource?._etag as string } };
    expect((await container.item('2', 'o').read(known)).statusCode).toBe(304);
    await container.item('2', 'o').patch([{ op: 'add', path: '/n', value: 1 }]);
    expect((await container.item('2', 'o').read(known)).statusCode).toBe(200);
  });
});

describe('transactional batches', () => {
  let container: Container;
  beforeAll(async () => {
    container = await fixture.container({
      id: 'batch',
      partitionKey: OWNER,
      throughput: 18_000,
      uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }] },
    });
    await container.items.create({ id: 'old', ownerId: 'o', n: 1, email: 'old' });
  });

  test('do everything', async () => {
    const { result, code } = await container.items.batch(
      [
        { operationType: 'Create', resourceBody: { id: 'a', ownerId: 'o', email: 'a' } },
        { operationType: 'Upsert', resourceBody: { id: 'b', ownerId: 'o', email: 'b' } },
        {
          operationType: 'Patch',
          id: 'old',
          resourceBody: { operations: [{ op: 'incr', path: '/n', value: 1 }] },
        },
        { operationType: 'Read', id: 'old' },
        { operationType: 'Replace', id: 'a', resourceBody: { id: 'a', ownerId: 'o', email: 'c' } },
        { operationType: 'Delete', id: 'b' },
      ],
      'o',
    );
    expect(code).toBe(200);
    expect(result?.map(({ statusCode }) => statusCode)).toEqual([201, 201, 200, 200, 200, 204]);
    expect(result?.[3]?.resourceBody?.n).toBe(2);
    expect(result?.every(({ requestCharge }) => requestCharge > 0)).toBe(true);
  });

  test('leave the written items out of the answer on request', async () => {
    const { result } = await container.items.batch(
      [
        { operationType: 'Upsert', resourceBody: { id: 'm', ownerId: 'minimal', email: 'm' } },
        { operationType: 'Read', id: 'm' },
      ],
      'minimal',
      { contentResponseOnWriteEnabled: false },
    );
    expect(result?.map(({ resourceBody }) => resourceBody?.id)).toEqual([undefined, 'm']);
  });

  test('or nothing', async () => {
    const all = async () =>
      (await container.items.query('SELECT * FROM c', { partitionKey: 'o' }).fetchAll()).resources;
    const before = await all();
    const { result, code } = await container.items.batch(
      [
        { operationType: 'Create', resourceBody: { id: 'new', ownerId: 'o', email: 'new' } },
        {
          operationType: 'Patch',
          id: 'old',
          resourceBody: { operations: [{ op: 'incr', path: '/n', value: 1 }] },
        },
        { operationType: 'Delete', id: 'a' },
        { operationType: 'Create', resourceBody: { id: 'old', ownerId: 'o', email: 'x' } },
        { operationType: 'Read', id: 'old' },
      ],
      'o',
    );
    expect(code).toBe(207);
    expect(result?.map(({ statusCode }) => statusCode)).toEqual([424, 424, 424, 409, 424]);
    expect(await all()).toEqual(before);
    // The index and the unique keys were put back too.
    const find = (email: string) =>
      container.items
        .query(`SELECT VALUE c.id FROM c WHERE c.email = "${email}"`, { partitionKey: 'o' })
        .fetchAll();
    expect((await find('new')).resources).toEqual([]);
    await container.items.create({ id: 'free', ownerId: 'o', email: 'new' });
    expect((await find('new')).resources).toEqual(['free']);
    await expect(container.items.create({ id: 'taken', ownerId: 'o', email: 'c' })).rejects.toMatchObject({
      code: 409,
    });
  });
});

describe('unique keys', () => {
  test('hold within a logical partition, through updates and deletes', async () => {
    const container = await fixture.container({
      id: 'unique',
      partitionKey: OWNER,
      uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }, { paths: ['/a', '/b/c'] }] },
    });
    const create = (id: string, more: object, ownerId = 'o') =>
      container.items.create({ id, ownerId, ...more });
    await create('1', { email: 'x', a: 1, b: { c: 1 } });
    await expect(create('2', { email: 'x' })).rejects.toMatchObject({
      code: 409,
      message: expect.stringContaining('Unique index'),
    });
    await create('2', { email: 'x' }, 'other');
    await expect(create('3', { email: 'y', a: 1, b: { c: 1 } })).rejects.toMatchObject({ code: 409 });
    await create('3', { email: 'y', a: 1, b: { c: 2 } });
    await expect(
      container.item('3', 'o').patch([{ op: 'set', path: '/email', value: 'x' }]),
    ).rejects.toMatchObject({ code: 409 });
    await container.item('1', 'o').replace({ id: '1', ownerId: 'o', email: 'z' });
    await container.item('3', 'o').patch([{ op: 'set', path: '/email', value: 'x' }]);
    await container.item('3', 'o').delete();
    await create('4', { email: 'x', a: 9 });
    // A missing value counts as null, and there is one such item already.
    await expect(create('5', { email: 'free' })).rejects.toMatchObject({ code: 409 });
  });
});

describe('time to live', () => {
  test('removes items when their time has come, from reads, queries and counts', async () => {
    const container = await fixture.container({ id: 'ttl', partitionKey: OWNER, defaultTtl: 60 });
    await container.items.create({ id: 'default', ownerId: 'o' });
    await container.items.create({ id: 'short', ownerId: 'o', ttl: 10 });
    await container.items.create({ id: 'never', ownerId: 'o', ttl: -1 });
    const left = async () =>
      (await container.items.query('SELECT VALUE c.id FROM c', { partitionKey: 'o' }).fetchAll()).resources;
    expect(await left()).toEqual(['default', 'short', 'never']);
    clock.ms += 11_000;
    expect(await left()).toEqual(['default', 'never']);
    expect((await container.item('short', 'o').read()).statusCode).toBe(404);
    await container.items.upsert({ id: 'default', ownerId: 'o' });
    await container.items.create({ id: 'short', ownerId: 'o' });
    clock.ms += 50_000;
    expect(await left()).toEqual(['default', 'never', 'short']);
    clock.ms += 11_000;
    expect(await left()).toEqual(['never']);
    await expect(container.items.create({ id: 'x', ownerId: 'o', ttl: 0 })).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining('ttl'),
    });
  });

  test('means nothing where the container does not expire items', async () => {
    const container = await fixture.container({ id: 'no-ttl', partitionKey: OWNER });
    await container.items.create({ id: '1', ownerId: 'o', ttl: 1 });
    clock.ms += 5000;
    expect((await container.item('1', 'o').read()).statusCode).toBe(200);
  });
});

describe('the change feed', () => {
  test('gives the latest version of what changed, over all partitions, and goes on from a token', async () => {
    const container = await fixture.container({ id: 'feed', partitionKey: OWNER, throughput: 18_000 });
    const ids = async (iterator: ReturnType<typeof container.items.getChangeFeedIterator>) => {
      const seen: string[] = [];
      let token = '';
      for (;;) {
        const response = await iterator.readNext();
        token = response.continuationToken;
        if (response.statusCode === 304) return { seen: seen.sort(), token };
        seen.push(...response.result.map((item: Resource & { n?: number }) => `${item.id}=${item.n}`));
      }
    };
    for (let i = 0; i < 12; i++) await container.items.create({ id: `i${i}`, ownerId: `o${i}`, n: 0 });
    const beginning = { changeFeedStartFrom: ChangeFeedStartFrom.Beginning(), maxItemCount: 3 };
    const first = await ids(container.items.getChangeFeedIterator(beginning));
    expect(first.seen).toEqual(Array.from({ length: 12 }, (_, i) => `i${i}=0`).sort());
    await container.items.upsert({ id: 'i3', ownerId: 'o3', n: 1 });
    await container.items.upsert({ id: 'i3', ownerId: 'o3', n: 2 });
    await container.item('i4', 'o4').delete();
    await container.items.create({ id: 'i99', ownerId: 'o99', n: 0 });
    const later = { changeFeedStartFrom: ChangeFeedStartFrom.Continuation(first.token) };
    expect((await ids(container.items.getChangeFeedIterator(later))).seen).toEqual(['i3=2', 'i99=0']);
  });

  test('of one partition key, from now on, and from a time', async () => {
    const container = await fixture.container({ id: 'feed-key', partitionKey: OWNER, throughput: 18_000 });
    await container.items.create({ id: 'old', ownerId: 'a' });
    clock.ms += 10_000;
    const since = new Date(clock.ms);
    const now = container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Now('a') });
    expect((await now.readNext()).statusCode).toBe(304);
    await container.items.create({ id: 'new', ownerId: 'a' });
    await container.items.create({ id: 'other', ownerId: 'b' });
    expect((await now.readNext()).result.map(({ id }: { id: string }) => id)).toEqual(['new']);
    const timed = container.items.getChangeFeedIterator({
      changeFeedStartFrom: ChangeFeedStartFrom.Time(since, 'a'),
    });
    expect((await timed.readNext()).result.map(({ id }: { id: string }) => id)).toEqual(['new']);
  });

  test('loses nothing when a partition is split in between', async () => {
    const container = await fixture.container({ id: 'feed-split', partitionKey: OWNER, throughput: 400 });
    for (let i = 0; i < 20; i++) await container.items.create({ id: `i${i}`, ownerId: `o${i}` });
    const iterator = container.items.getChangeFeedIterator({
      changeFeedStartFrom: ChangeFeedStartFrom.Beginning(),
      maxItemCount: 6,
    });
    const seen: string[] = (await iterator.readNext()).result.map(({ id }: { id: string }) => id);
    await fixture.control('containers/db/feed-split/model', {
      method: 'PATCH',
      body: { physicalPartitions: 3 },
    });
    for (;;) {
      const { result, statusCode } = await iterator.readNext();
      if (statusCode === 304) break;
      seen.push(...result.map(({ id }: { id: string }) => id));
    }
    expect(seen.sort()).toEqual(Array.from({ length: 20 }, (_, i) => `i${i}`).sort());
  });

  test('of all versions is refused by name', async () => {
    const container = await fixture.container({ id: 'feed-all', partitionKey: OWNER });
    const iterator = container.items.getChangeFeedIterator({ changeFeedMode: 'Full-Fidelity Feed' as never });
    await expect(iterator.readNext()).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining('Full-Fidelity'),
    });
  });
});

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
