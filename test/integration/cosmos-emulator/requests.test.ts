import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Fixture, kindOf, startFixture, upserts } from './fixture.js';
import { request, signedHeaders } from './raw-request.js';

/** Every call of the official client, the requests that it sends, and what comes back. */
let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  fixture.sent.length = 0;
});

const kinds = () => fixture.sent.map(kindOf);
const OWNER = { paths: ['/ownerId'], version: 2 };

test('the account is read, and its locations point back to the emulator', async () => {
  const { resource } = await fixture.client.getDatabaseAccount();
  expect(resource?.writableLocations[0]?.databaseAccountEndpoint).toBe(fixture.emulator.endpoint);
  expect(resource?.consistencyPolicy).toBe('Session');
  expect(kinds()).toEqual(['account']);
});

test('the account is not read again before every request', async () => {
  await fixture.database.read();
  await fixture.database.read();
  expect(kinds()).toEqual(['GET /dbs/db', 'GET /dbs/db']);
});

test('behind another host name the locations follow the Host header', async () => {
  const headers = await signedHeaders(fixture.emulator);
  const response = await request(fixture.emulator, { headers: { ...headers, host: 'cosmos.lab:18081' } });
  expect(response.status).toBe(200);
  expect(response.body.writableLocations[0].databaseAccountEndpoint).toBe('http://cosmos.lab:18081/');
  expect(response.body.id).not.toBe('localhost');
});

describe('databases', () => {
  test('create, read, list, query, delete', async () => {
    const { databases } = fixture.client;
    const created = await databases.create({ id: 'other', throughput: 400 });
    expect(created.statusCode).toBe(201);
    expect(fixture.sent[0]?.headers['x-ms-offer-throughput']).toBe('400');
    expect((await created.database.read()).resource?.id).toBe('other');
    expect((await databases.readAll().fetchAll()).resources.map(({ id }) => id)).toEqual(['db', 'other']);
    const query = {
      query: 'SELECT * FROM root r WHERE r.id = @id',
      parameters: [{ name: '@id', value: 'other' }],
    };
    expect((await databases.query(query).fetchAll()).resources).toHaveLength(1);
    expect((await created.database.delete()).statusCode).toBe(204);
    await expect(created.database.read()).rejects.toMatchObject({ code: 404 });
  });

  test('createIfNotExists creates once', async () => {
    expect((await fixture.client.databases.createIfNotExists({ id: 'once' })).statusCode).toBe(201);
    expect((await fixture.client.databases.createIfNotExists({ id: 'once' })).statusCode).toBe(200);
    expect(kinds()).toEqual(['GET /dbs/once', 'POST /dbs', 'GET /dbs/once']);
  });

  test('a second one with the same id is a conflict', async () => {
    await expect(fixture.client.databases.create({ id: 'db' })).rejects.toMatchObject({ code: 409 });
  });
});

describe('containers', () => {
  test('create, read, replace, list, delete', async () => {
    const { containers } = fixture.database;
    const definition = { id: 'crud', partitionKey: OWNER, defaultTtl: -1 };
    const { container, resource } = await containers.create({ ...definition, throughput: 400 });
    expect(resource?.partitionKey).toEqual(OWNER);
    expect(resource?.indexingPolicy?.indexingMode).toBe('consistent');
    const { resource: read } = await container.read();
    expect(read).toMatchObject({ id: 'crud', defaultTtl: -1 });
    const { resource: replaced } = await container.replace({ ...definition, defaultTtl: 60 });
    expect(replaced?.defaultTtl).toBe(60);
    await expect(
      container.replace({ id: 'crud', partitionKey: { paths: ['/x'], version: 2 } }),
    ).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining('partition key'),
    });
    expect((await containers.readAll().fetchAll()).resources.map(({ id }) => id)).toContain('crud');
    expect((await container.delete()).statusCode).toBe(204);
    await expect(container.read()).rejects.toMatchObject({ code: 404 });
  });

  test('createIfNotExists reads first', async () => {
    const definition = { id: 'lazy', partitionKey: OWNER, throughput: 400 };
    expect((await fixture.database.containers.createIfNotExists(definition)).statusCode).toBe(201);
    expect(kinds()).toEqual(['GET /dbs/db/colls/lazy', 'POST /dbs/db/colls']);
    expect((await fixture.database.containers.createIfNotExists(definition)).statusCode).toBe(200);
  });

  test('a partition key is echoed exactly as created', async () => {
    for (const partitionKey of [{ paths: ['/a'] }, { paths: ['/a'], kind: 'Hash', version: 2 }] as never[]) {
      const { resource, container } = await fixture.database.containers.create({ id: 'echo', partitionKey });
      expect(resource?.partitionKey).toEqual(partitionKey);
      await container.delete();
    }
  });

  test('autoscale', async () => {
    const container = await fixture.container({ id: 'auto', partitionKey: OWNER, maxThroughput: 24_000 });
    expect(JSON.parse(fixture.sent[0]?.headers['x-ms-cosmos-offer-autopilot-settings'] as string)).toEqual({
      maxThroughput: 24_000,
    });
    const { resource } = await container.readOffer();
    expect(resource?.content?.offerAutopilotSettings).toEqual({ maxThroughput: 24_000 });
    expect(resource?.content?.offerThroughput).toBe(2400);
    expect((await container.readPartitionKeyRanges().fetchAll()).resources).toHaveLength(3);
  });
});

describe('items', () => {
  test('create, upsert, read, replace, delete', async () => {
    const container = await fixture.container({ id: 'items', partitionKey: OWNER, throughput: 18_000 });
    fixture.sent.length = 0;
    const created = await container.items.create({ id: '1', ownerId: 'o1', n: 1 });
    expect(created.statusCode).toBe(201);
    expect(created.headers['x-ms-session-token']).toMatch(/^\d+:-1#\d+$/);
    const upserted = await container.items.upsert({ id: '1', ownerId: 'o1', n: 2 });
    expect(upserted.statusCode).toBe(200);
    expect(upserted.resource?._rid).toBe(created.resource?._rid);
    expect(upserted.resource?._etag).not.toBe(created.resource?._etag);
    expect((await container.items.upsert({ id: '2', ownerId: 'o1' })).statusCode).toBe(201);
    const item = container.item('1', 'o1');
    const read = await item.read();
    expect(read.resource).toEqual(upserted.resource);
    expect(read.requestCharge).toBe(1);
    expect((await item.replace({ id: '1', ownerId: 'o1', n: 3 })).resource?.n).toBe(3);
    expect((await item.delete()).statusCode).toBe(204);
    expect(await item.read()).toMatchObject({ statusCode: 404, resource: undefined });
    expect(kinds()).toEqual([
      'POST /dbs/db/colls/items/docs',
      'POST /dbs/db/colls/items/docs',
      'POST /dbs/db/colls/items/docs',
      'GET /dbs/db/colls/items/docs/1',
      'PUT /dbs/db/colls/items/docs/1',
      'DELETE /dbs/db/colls/items/docs/1',
      'GET /dbs/db/colls/items/docs/1',
    ]);
    expect(fixture.sent[0]?.headers['x-ms-documentdb-partitionkey']).toBe('["o1"]');
    expect(fixture.sent[1]?.headers['x-ms-documentdb-is-upsert']).toBe('true');
  });

  test('a container that the client does not know is read once for its partition key', async () => {
    await fixture.container({ id: 'known', partitionKey: OWNER });
    const { CosmosClient } = await import('@azure/cosmos');
    const other = new CosmosClient({ endpoint: fixture.emulator.endpoint, key: fixture.emulator.key });
    const container = other.database('db').container('known');
    await container.items.create({ id: '1', ownerId: 'a' });
    await container.items.create({ id: '1', ownerId: 'b' });
    expect((await container.item('1', 'b').read()).resource?.ownerId).toBe('b');
    other.dispose();
  });

  test('ids with spaces, percent signs and other scripts', async () => {
    const container = await fixture.container({ id: 'ids', partitionKey: { paths: ['/id'], version: 2 } });
    for (const id of ['a b', '100%', 'ä-ö', '日本', "it's", 'a+b&c=d', '😀']) {
      await container.items.create({ id });
      expect((await container.item(id, id).read()).resource?.id).toBe(id);
      expect((await container.item(id, id).delete()).statusCode).toBe(204);
    }
  });

  test('partition keys of every type are kept apart', async () => {
    const container = await fixture.container({
      id: 'types',
      partitionKey: { paths: ['/k'], version: 2 },
      throughput: 18_000,
    });
    const keys = ['1', 1, true, 'true', null, undefined, 0, ''];
    for (const [index, k] of keys.entries()) await container.items.create({ id: 'same', k, index });
    for (const [index, k] of keys.entries()) {
      expect((await container.item('same', k).read()).resource?.index).toBe(index);
    }
    await expect(container.items.create({ id: 'same', k: 1 })).rejects.toMatchObject({ code: 409 });
  });

  test('readAll goes through every partition', async () => {
    const container = await fixture.container({ id: 'all', partitionKey: OWNER, throughput: 18_000 });
    for (let i = 0; i < 30; i++) await container.items.create({ id: `i${i}`, ownerId: `o${i}` });
    const { resources } = await container.items.readAll({ maxItemCount: 4 }).fetchAll();
    expect(resources.map(({ id }) => id).sort()).toEqual(
      Array.from({ length: 30 }, (_, i) => `i${i}`).sort(),
    );
    expect((await container.items.readAll({ partitionKey: 'o3' }).fetchAll()).resources).toHaveLength(1);
  });
});

test('5,000 upserts in bulk: the client hashes as the emulator does', async () => {
  const container = await fixture.container({ id: 'bulk', partitionKey: OWNER, throughput: 54_000 });
  fixture.sent.length = 0;
  await fixture.control('containers/db/bulk/model', { method: 'PATCH', body: { throttling: false } });
  const operations = upserts(5000, (i) => ({ id: `i${i}`, ownerId: `o${i % 700}`, i }), 'ownerId');
  const results = await container.items.executeBulkOperations(operations);
  expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(results.every(({ response }) => response?.statusCode === 201)).toBe(true);
  expect(results.every(({ response }) => (response?.requestCharge ?? 0) > 5)).toBe(true);
  expect(kinds().filter((kind) => kind === 'pkranges')).toHaveLength(1);
  const batches = fixture.sent.filter((request) => kindOf(request) === 'POST /dbs/db/colls/bulk/docs');
  expect(new Set(batches.map(({ rangeId }) => rangeId)).size).toBe(9);
  expect(batches.every(({ headers }) => headers['x-ms-cosmos-batch-atomic'] === 'false')).toBe(true);
  const { body } = await fixture.control('containers/db/bulk/model');
  expect(body.partitions.reduce((sum: number, { items }: { items: number }) => sum + items, 0)).toBe(5000);
});

test('bulk also reads, replaces, patches and deletes, and reports each failure on its own', async () => {
  const container = await fixture.container({ id: 'mixed', partitionKey: OWNER, throughput: 12_000 });
  await container.items.create({ id: '1', ownerId: 'a', n: 1 });
  const results = await container.items.executeBulkOperations([
    { operationType: 'Read', id: '1', partitionKey: 'a' },
    { operationType: 'Replace', id: '1', partitionKey: 'a', resourceBody: { id: '1', ownerId: 'a', n: 2 } },
    {
      operationType: 'Patch',
      id: '1',
      partitionKey: 'a',
      resourceBody: { operations: [{ op: 'incr', path: '/n', value: 5 }] },
    },
    { operationType: 'Create', partitionKey: 'a', resourceBody: { id: '1', ownerId: 'a' } },
    { operationType: 'Delete', id: 'missing', partitionKey: 'b' },
    { operationType: 'Delete', id: '1', partitionKey: 'a' },
  ]);
  expect(results.map(({ response, error }) => response?.statusCode ?? error?.code)).toEqual([
    200, 200, 200, 409, 404, 204,
  ]);
  expect(results[2]?.response?.resourceBody?.n).toBe(7);
});

describe('offers', () => {
  test('read through a query, replaced by id', async () => {
    const container = await fixture.container({ id: 'offer', partitionKey: OWNER, throughput: 54_000 });
    fixture.sent.length = 0;
    const { offer, resource } = await container.readOffer();
    expect(kinds()).toEqual(['GET /dbs/db/colls/offer', 'POST /offers']);
    expect(resource?.content?.offerThroughput).toBe(54_000);
    if (offer === undefined || resource?.content === undefined) throw new Error('no offer');
    resource.content.offerThroughput = 900;
    const replaced = await offer.replace(resource);
    expect(replaced.resource?.content?.offerThroughput).toBe(900);
    expect(replaced.headers['x-ms-offer-replace-pending']).toBe('false');
    expect(replaced.headers['x-ms-cosmos-min-throughput']).toBe('600');
    resource.content.offerThroughput = 500;
    await expect(offer.replace(resource)).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining('600'),
    });
    resource.content.offerThroughput = 950;
    await expect(offer.replace(resource)).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining('increments of 100'),
    });
    expect((await container.readPartitionKeyRanges().fetchAll()).resources).toHaveLength(9);
    expect((await offer.read()).resource?.content?.offerThroughput).toBe(900);
    expect((await fixture.client.offers.readAll().fetchAll()).resources.length).toBeGreaterThan(0);
  });
});

test('key ranges touch each other, with ids as texts', async () => {
  const container = await fixture.container({ id: 'ranges', partitionKey: OWNER, throughput: 24_000 });
  fixture.sent.length = 0;
  const { resources, requestCharge } = await container.readPartitionKeyRanges().fetchAll();
  expect(kinds()).toEqual(['pkranges']);
  expect(requestCharge).toBe(0);
  expect(resources.map(({ id }) => id)).toEqual(['0', '1', '2', '3']);
  expect(resources[0]?.minInclusive).toBe('');
  expect(resources[3]?.maxExclusive).toBe('FF');
});

test('a session token comes back with the partition that answered, for clients with session consistency', async () => {
  await using session = await startFixture({ client: { consistencyLevel: 'Session' } });
  const container = await session.container({ id: 'c', partitionKey: OWNER, throughput: 18_000 });
  for (let i = 0; i < 20; i++) await container.items.create({ id: `i${i}`, ownerId: `o${i}` });
  session.sent.length = 0;
  await container.item('i3', 'o3').read();
  const token = session.sent[0]?.headers['x-ms-session-token'] ?? '';
  expect(
    token
      .split(',')
      .map((part) => part.split(':')[0])
      .sort(),
  ).toEqual(['0', '1', '2']);
});
