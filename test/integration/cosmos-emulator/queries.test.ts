import type { Container, FeedOptions } from '@azure/cosmos';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Fixture, kindOf, startFixture } from './fixture.js';

/** How the client's query options turn into requests, over four physical partitions. */
const PARTITIONS = 4;
const OWNERS = 40;
let fixture: Fixture;
let container: Container;

beforeAll(async () => {
  fixture = await startFixture({ emulator: { throttling: false } });
  container = await fixture.container(
    { id: 'c', partitionKey: { paths: ['/ownerId'], version: 2 } },
    PARTITIONS,
  );
  for (let i = 0; i < 120; i++) {
    await container.items.create({ id: `i${i}`, ownerId: `o${i % OWNERS}`, city: `c${i % 3}`, n: i });
  }
  // Long enough for requests to overlap if the client sends them together; nothing here asserts a time.
  const latency = { query: { meanMs: 40, coefficientOfVariation: 0 } };
  await fixture.control('containers/db/c/model', { method: 'PATCH', body: { latency } });
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  fixture.sent.length = 0;
  fixture.resetInFlight();
});

const CITY = { query: 'SELECT * FROM c WHERE c.city = @city', parameters: [{ name: '@city', value: 'c1' }] };

async function run(options: FeedOptions, query = CITY) {
  const { resources, requestCharge } = await container.items
    .query(query, { maxItemCount: 100, ...options })
    .fetchAll();
  const counts: Record<string, number> = {};
  for (const request of fixture.sent) counts[kindOf(request)] = (counts[kindOf(request)] ?? 0) + 1;
  return { resources, requestCharge, counts, ranges: fixture.sent.flatMap(({ rangeId }) => rangeId ?? []) };
}

describe('with a partition key', () => {
  test('one query goes to one partition, and a plan that is not needed', async () => {
    const query = { query: 'SELECT * FROM c WHERE c.city = "c1"', parameters: [] };
    const { resources, counts, ranges, requestCharge } = await run({ partitionKey: 'o7' }, query);
    expect(counts).toEqual({ plan: 1, query: 1 });
    expect(ranges).toEqual([]);
    expect(resources.map(({ ownerId, city }) => [ownerId, city])).toEqual([['o7', 'c1']]);
    expect(requestCharge).toBeGreaterThan(2.5);
    expect(requestCharge).toBeLessThan(3);
  });

  test('items of other keys in the same partition stay out', async () => {
    const query = { query: 'SELECT * FROM c', parameters: [] };
    const { resources } = await run({ partitionKey: 'o7' }, query);
    expect(resources.map(({ id }) => id)).toEqual(['i7', 'i47', 'i87']);
  });
});

describe('without a partition key', () => {
  test('a filter is served page by page, one range after the other, whatever the parallelism', async () => {
    const { resources, counts } = await run({ maxDegreeOfParallelism: -1 });
    expect(counts).toEqual({ plan: 1, query: PARTITIONS });
    expect(fixture.maxInFlight()).toBe(1);
    expect(resources).toHaveLength(40);
    const tokens = fixture.sent
      .filter((request) => kindOf(request) === 'query')
      .map(({ headers }) => headers['x-ms-continuation']);
    expect(tokens[0]).toBeUndefined();
    expect(new Set(tokens).size).toBe(PARTITIONS);
  });

  test('what has to be merged is refused with the plan, and the client fans out', async () => {
    const query = { query: 'SELECT * FROM c ORDER BY c.n DESC', parameters: [] };
    const { resources, counts } = await run({ maxDegreeOfParallelism: -1 }, query);
    expect(counts).toEqual({ plan: 1, pkranges: 1, query: 1 + PARTITIONS });
    const refused = fixture.sent.filter(({ status }) => status === 400);
    expect(refused).toHaveLength(1);
    expect(resources.map(({ n }) => n)).toEqual(Array.from({ length: 120 }, (_, i) => 119 - i));
  });

  test('a filter on the partition key goes to its partition only', async () => {
    const query = { query: 'SELECT * FROM c WHERE c.ownerId = "o7"', parameters: [] };
    const { resources, counts } = await run({}, query);
    expect(counts).toEqual({ plan: 1, query: 1 });
    expect(resources).toHaveLength(3);
  });
});

describe('with the plan forced', () => {
  test.each([
    [undefined, PARTITIONS],
    [0, PARTITIONS],
    [-1, PARTITIONS],
    [4, PARTITIONS],
    [2, 2],
    [3, 3],
    [1, 1],
  ])('maxDegreeOfParallelism %s has %i in flight', async (maxDegreeOfParallelism, expected) => {
    const options: FeedOptions = { forceQueryPlan: true };
    if (maxDegreeOfParallelism !== undefined) options.maxDegreeOfParallelism = maxDegreeOfParallelism;
    const { resources, counts, ranges } = await run(options);
    expect(counts).toEqual({ plan: 1, pkranges: 1, query: PARTITIONS });
    expect(fixture.maxInFlight()).toBe(expected);
    expect(ranges.toSorted()).toEqual(['0', '1', '2', '3']);
    if (expected === 1) expect(ranges).toEqual(['0', '1', '2', '3']);
    expect(resources.map(({ id }) => id).toSorted()).toEqual(
      Array.from({ length: 40 }, (_, i) => `i${3 * i + 1}`).toSorted(),
    );
  });

  test('charges add up over ranges, and nothing else is charged', async () => {
    const empty = { query: 'SELECT * FROM c WHERE c.city = "nowhere"', parameters: [] };
    expect((await run({ forceQueryPlan: true }, empty)).requestCharge).toBe(2.5 * PARTITIONS);
  });

  test('an equality on the partition key visits one range', async () => {
    const query = {
      query: 'SELECT * FROM c WHERE c.ownerId = @o',
      parameters: [{ name: '@o', value: 'o9' }],
    };
    const { resources, counts } = await run({ forceQueryPlan: true }, query);
    expect(counts).toEqual({ plan: 1, pkranges: 1, query: 1 });
    expect(resources).toHaveLength(3);
  });

  test('filters that contradict each other find nothing', async () => {
    const query = { query: 'SELECT * FROM c WHERE c.ownerId = "o1" AND c.ownerId = "o2"', parameters: [] };
    for (const options of [{}, { forceQueryPlan: true }])
      expect((await run(options, query)).resources).toEqual([]);
  });

  test('serial: all pages of a range before the next one', async () => {
    const query = { query: 'SELECT * FROM c', parameters: [] };
    const { resources, ranges } = await run(
      { forceQueryPlan: true, maxDegreeOfParallelism: 1, maxItemCount: 10 },
      query,
    );
    expect(resources).toHaveLength(120);
    expect(ranges).toEqual(ranges.toSorted());
    expect(ranges.length).toBeGreaterThan(PARTITIONS);
  });
});

describe('cross-partition forms that the client merges', () => {
  const options = { forceQueryPlan: true, maxDegreeOfParallelism: -1 };
  test.each([
    ['SELECT VALUE COUNT(1) FROM c', [120]],
    ['SELECT VALUE SUM(c.n) FROM c WHERE c.city = "c1"', [2380]],
    ['SELECT VALUE MIN(c.n) FROM c', [0]],
    ['SELECT VALUE MAX(c.n) FROM c', [119]],
    ['SELECT VALUE AVG(c.n) FROM c', [59.5]],
    ['SELECT TOP 3 VALUE c.n FROM c ORDER BY c.n', [0, 1, 2]],
    ['SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 3', [5, 6, 7]],
    ['SELECT VALUE c.n FROM c WHERE c.n IN (3, 90, 200) ORDER BY c.n DESC', [90, 3]],
    ['SELECT VALUE c.n FROM c WHERE c.n BETWEEN 10 AND 12 ORDER BY c.n', [10, 11, 12]],
  ])('%s', async (query, expected) => {
    expect((await run(options, { query, parameters: [] })).resources).toEqual(expected);
  });
});

describe('small pages do not change what the client merges', () => {
  const byJson = (values: unknown[]) => values.map((value) => JSON.stringify(value)).sort();
  test.each<[string, unknown[]]>([
    ['SELECT DISTINCT VALUE c.city FROM c', ['c0', 'c1', 'c2']],
    ['SELECT DISTINCT VALUE c.city FROM c ORDER BY c.city DESC', ['c2', 'c1', 'c0']],
    [
      'SELECT c.city, COUNT(1) AS n FROM c GROUP BY c.city',
      ['c0', 'c1', 'c2'].map((city) => ({ city, n: 40 })),
    ],
    [
      'SELECT c.city, MIN(c.n) AS low, MAX(c.n) AS high, AVG(c.n) AS mean, SUM(c.n) AS total FROM c GROUP BY c.city',
      [0, 1, 2].map((i) => ({ city: `c${i}`, low: i, high: 117 + i, mean: 58.5 + i, total: 2340 + 40 * i })),
    ],
    ['SELECT VALUE COUNT(1) FROM c WHERE c.n < 50', [50]],
    ['SELECT TOP 7 VALUE c.n FROM c ORDER BY c.n DESC', [119, 118, 117, 116, 115, 114, 113]],
    ['SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 110 LIMIT 5', [110, 111, 112, 113, 114]],
    [
      'SELECT VALUE [c.city, c.n] FROM c WHERE c.n < 6 ORDER BY c.city, c.n DESC',
      [
        ['c0', 3],
        ['c0', 0],
        ['c1', 4],
        ['c1', 1],
        ['c2', 5],
        ['c2', 2],
      ],
    ],
  ])('%s', async (query, expected) => {
    const options = { forceQueryPlan: true, maxDegreeOfParallelism: -1, maxItemCount: 2 };
    const { resources } = await run(options, { query, parameters: [] });
    if (query.includes('ORDER BY')) expect(resources).toEqual(expected);
    else expect(byJson(resources)).toEqual(byJson(expected));
  });
});

describe('pages', () => {
  test('of one partition have the size asked for and continue without loss or repetition', async () => {
    const iterator = container.items.query('SELECT * FROM c WHERE c.ownerId = "o7" OR c.n < 50', {
      partitionKey: 'o7',
      maxItemCount: 2,
    });
    const pages: string[][] = [];
    while (iterator.hasMoreResults()) pages.push((await iterator.fetchNext()).resources.map(({ id }) => id));
    expect(pages).toEqual([['i7', 'i47'], ['i87']]);
  });

  test('go on with a continuation token in a later request', async () => {
    const first = await container.items.query('SELECT * FROM c', { maxItemCount: 7 }).fetchNext();
    const seen = first.resources.map(({ id }) => id);
    let continuationToken: string | undefined = first.continuationToken;
    while (continuationToken !== undefined) {
      const page = await container.items
        .query('SELECT * FROM c', { maxItemCount: 7, continuationToken })
        .fetchNext();
      seen.push(...page.resources.map(({ id }) => id));
      continuationToken = page.continuationToken || undefined;
    }
    expect(seen).toHaveLength(120);
    expect(new Set(seen).size).toBe(120);
  });

  test('survive a write and a delete between them', async () => {
    const key = { partitionKey: 'pages' };
    const create = (n: number) => container.items.create({ id: `p${n}`, ownerId: 'pages', n });
    for (let n = 0; n < 6; n++) await create(n);
    const iterator = container.items.query('SELECT * FROM c', { ...key, maxItemCount: 2 });
    const seen = (await iterator.fetchNext()).resources.map(({ id }) => id);
    await container.item('p1', 'pages').delete();
    await create(6);
    while (iterator.hasMoreResults())
      seen.push(...(await iterator.fetchNext()).resources.map(({ id }) => id));
    expect(seen).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6']);
    for (const { id } of (await container.items.readAll(key).fetchAll()).resources) {
      await container.item(id as string, 'pages').delete();
    }
  });

  test('of joins may be cut within an item', async () => {
    await container.items.create({ id: 'j', ownerId: 'join', tags: ['a', 'b', 'c', 'd', 'e'] });
    const query = 'SELECT VALUE t FROM c JOIN t IN c.tags';
    const iterator = container.items.query(query, { partitionKey: 'join', maxItemCount: 2 });
    const pages: string[][] = [];
    while (iterator.hasMoreResults()) pages.push((await iterator.fetchNext()).resources);
    expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    await container.item('j', 'join').delete();
  });

  test('end at 4 MB', async () => {
    const big = 'x'.repeat(1_500_000);
    for (let i = 0; i < 4; i++) await container.items.create({ id: `big${i}`, ownerId: 'big', big });
    const iterator = container.items.query('SELECT * FROM c', { partitionKey: 'big', maxItemCount: -1 });
    const pages: number[] = [];
    while (iterator.hasMoreResults()) pages.push((await iterator.fetchNext()).resources.length);
    expect(pages).toEqual([2, 2]);
    for (let i = 0; i < 4; i++) await container.item(`big${i}`, 'big').delete();
  });

  test('a token that makes no sense is a 400', async () => {
    const query = container.items.query('SELECT * FROM c', { continuationToken: 'nonsense' });
    await expect(query.fetchNext()).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining('continuation'),
    });
  });
});

test('query metrics come on request', async () => {
  const page = await container.items
    .query('SELECT * FROM c WHERE c.city = "c1"', { partitionKey: 'o7', populateQueryMetrics: true })
    .fetchNext();
  expect(JSON.stringify(page.queryMetrics)).toContain('retrievedDocumentCount');
});

describe('the index', () => {
  test('an equality loads only the items that have the value', async () => {
    const indexed = await run(
      { partitionKey: 'o7' },
      { query: 'SELECT * FROM c WHERE c.n = 7', parameters: [] },
    );
    expect(indexed.requestCharge).toBeLessThan(2.65);
    const scan = await run(
      { forceQueryPlan: true },
      { query: 'SELECT * FROM c WHERE c.n + 0 = 7', parameters: [] },
    );
    expect(scan.requestCharge).toBeGreaterThan(2.5 * PARTITIONS + 120 * 0.0166);
  });

  test('follows changes', async () => {
    const find = async (n: number) =>
      (
        await run(
          { partitionKey: 'index' },
          { query: `SELECT VALUE c.id FROM c WHERE c.n = ${n}`, parameters: [] },
        )
      ).resources;
    await container.items.create({ id: 'x', ownerId: 'index', n: 1000 });
    expect(await find(1000)).toEqual(['x']);
    await container.items.upsert({ id: 'x', ownerId: 'index', n: 1001 });
    expect(await find(1000)).toEqual([]);
    expect(await find(1001)).toEqual(['x']);
    await container.item('x', 'index').delete();
    expect(await find(1001)).toEqual([]);
  });

  test('a path that the policy excludes is scanned', async () => {
    const unindexed = await fixture.container({
      id: 'unindexed',
      partitionKey: { paths: ['/k'], version: 2 },
      indexingPolicy: { includedPaths: [{ path: '/a/?' }], excludedPaths: [{ path: '/*' }] },
    });
    for (let i = 0; i < 50; i++) await unindexed.items.create({ id: `${i}`, k: 'k', a: i, b: i });
    const charge = async (field: string) =>
      (await unindexed.items.query(`SELECT * FROM c WHERE c.${field} = 7`, { partitionKey: 'k' }).fetchAll())
        .requestCharge;
    expect(await charge('b')).toBeGreaterThan((await charge('a')) + 0.5);
  });
});

describe('a query without FROM', () => {
  test.each([
    ['plain', {}],
    ['planned', { forceQueryPlan: true }],
    ['with a partition key', { partitionKey: 'o1' }],
  ])('has one answer, not one per partition: %s', async (_, options) => {
    const { resources } = await run(options, { query: 'SELECT VALUE 1 + 1', parameters: [] });
    expect(resources).toEqual([2]);
  });
});

describe('bad queries', () => {
  test.each([
    ['SELECT * FRM c', 'FRM'],
    ['SELECT * FROM c WHERE', ''],
    ['SELECT udf.f(c) FROM c', 'udf'],
    ['SELECT * FROM c WHERE c.a = @missing', '@missing'],
  ])('%s is a 400 that says where', async (query, named) => {
    const error = await container.items
      .query(query, { partitionKey: 'o1' })
      .fetchAll()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 400, message: expect.stringContaining(named) });
    expect((error as { message: string }).message).toMatch(/"start":\d+/);
  });
});
