import type { Container, FeedOptions } from '@azure/cosmos';
import { expect } from 'vitest';
import type { ConformanceCase } from './case.js';

/** Items over several partition keys, with values of every type. */
const ITEMS = [
  { id: '1', pk: 'a', n: 1, s: 'apple', tags: ['x', 'y'], nested: { b: true, d: 1.5 } },
  { id: '2', pk: 'a', n: 2, s: 'Banana', tags: ['y'], nested: { b: false } },
  { id: '3', pk: 'b', n: 3, s: 'cherry', tags: [], nested: null },
  { id: '4', pk: 'b', n: 2, s: 'date', tags: ['z', 'x'] },
  { id: '5', pk: 'c', n: null, s: 'élan', tags: ['x'] },
];

/** Query, and what it gives over all partitions; `ordered` results are compared in order. */
interface QueryForm {
  feature: string;
  query: string;
  expected: unknown[];
  ordered?: boolean;
}

const FORMS: QueryForm[] = [
  {
    feature: 'comparisons, AND, OR, NOT',
    query: 'SELECT VALUE c.id FROM c WHERE (c.n > 1 AND NOT (c.n = 3)) OR c.s = "apple"',
    expected: ['1', '2', '4'],
  },
  {
    feature: 'IN, BETWEEN',
    query: 'SELECT VALUE c.id FROM c WHERE c.n BETWEEN 2 AND 3 AND c.pk IN ("b", "c")',
    expected: ['3', '4'],
  },
  {
    feature: 'many items by id and partition key',
    query: 'SELECT VALUE c.id FROM c WHERE (c.id = "1" AND c.pk = "a") OR (c.id = "4" AND c.pk = "b")',
    expected: ['1', '4'],
  },
  { feature: 'LIKE', query: 'SELECT VALUE c.id FROM c WHERE c.s LIKE "%an%"', expected: ['2', '5'] },
  {
    feature: 'projection with aliases and expressions',
    query: 'SELECT c.id, c.n + 1 AS m, c.nested.b ?? "none" AS b FROM c WHERE c.pk = "a"',
    expected: [
      { id: '1', m: 2, b: true },
      { id: '2', m: 3, b: false },
    ],
  },
  {
    feature: 'SELECT VALUE of objects and arrays',
    query: 'SELECT VALUE { i: c.id, a: [c.n, 0] } FROM c WHERE c.id = "1"',
    expected: [{ i: '1', a: [1, 0] }],
  },
  {
    feature: 'JOIN over arrays',
    query: 'SELECT VALUE t FROM c JOIN t IN c.tags WHERE c.pk = "b"',
    expected: ['x', 'z'],
  },
  {
    feature: 'EXISTS and ARRAY subqueries',
    query: 'SELECT VALUE c.id FROM c WHERE EXISTS (SELECT VALUE t FROM t IN c.tags WHERE t = "x")',
    expected: ['1', '4', '5'],
  },
  {
    feature: 'ORDER BY',
    query: 'SELECT VALUE c.id FROM c ORDER BY c.s DESC',
    expected: ['5', '4', '3', '1', '2'],
    ordered: true,
  },
  {
    feature: 'TOP',
    query: 'SELECT TOP 2 VALUE c.id FROM c ORDER BY c.id',
    expected: ['1', '2'],
    ordered: true,
  },
  {
    feature: 'OFFSET LIMIT',
    query: 'SELECT VALUE c.id FROM c ORDER BY c.id OFFSET 1 LIMIT 2',
    expected: ['2', '3'],
    ordered: true,
  },
  { feature: 'DISTINCT', query: 'SELECT DISTINCT VALUE c.pk FROM c', expected: ['a', 'b', 'c'] },
  { feature: 'COUNT', query: 'SELECT VALUE COUNT(1) FROM c', expected: [5] },
  { feature: 'SUM', query: 'SELECT VALUE SUM(c.n) FROM c WHERE IS_NUMBER(c.n)', expected: [8] },
  { feature: 'AVG', query: 'SELECT VALUE AVG(c.n) FROM c WHERE IS_NUMBER(c.n)', expected: [2] },
  { feature: 'MIN and MAX', query: 'SELECT VALUE MAX(c.s) FROM c', expected: ['élan'] },
  {
    feature: 'GROUP BY',
    query: 'SELECT c.pk, COUNT(1) AS count FROM c GROUP BY c.pk',
    expected: [
      { pk: 'a', count: 2 },
      { pk: 'b', count: 2 },
      { pk: 'c', count: 1 },
    ],
  },
  {
    feature: 'type functions',
    query: 'SELECT VALUE c.id FROM c WHERE IS_NULL(c.nested) OR NOT IS_DEFINED(c.nested)',
    expected: ['3', '4', '5'],
  },
  {
    feature: 'string functions',
    query: 'SELECT VALUE UPPER(SUBSTRING(c.s, 0, 2)) FROM c WHERE STARTSWITH(c.s, "ban", true)',
    expected: ['BA'],
  },
  {
    feature: 'math functions',
    query: 'SELECT VALUE FLOOR(ABS(-1.5) * POWER(2, 3)) FROM c WHERE c.id = "1"',
    expected: [12],
  },
  {
    feature: 'date functions',
    query:
      'SELECT VALUE DateTimeDiff("day", "2019-12-30T00:00:00.0000000Z", DateTimeAdd("hh", 49, "2020-01-01T00:00:00.0000000Z")) FROM c WHERE c.id = "1"',
    expected: [4],
  },
  {
    feature: 'array functions',
    query: 'SELECT VALUE ARRAY_LENGTH(c.tags) FROM c WHERE ARRAY_CONTAINS(c.tags, "z")',
    expected: [2],
  },
  {
    feature: 'undefined and null in comparisons',
    query: 'SELECT VALUE c.id FROM c WHERE c.n = null OR c.none = null',
    expected: ['5'],
  },
];

async function filled(create: () => Promise<Container>): Promise<Container> {
  const container = await create();
  for (const item of ITEMS) await container.items.create({ ...item });
  return container;
}

async function resultsOf(container: Container, query: string, options: FeedOptions = {}): Promise<unknown[]> {
  return (await container.items.query(query, { maxItemCount: 100, ...options }).fetchAll()).resources;
}

const sorted = (values: unknown[]) => values.map((value) => JSON.stringify(value)).sort();

function formCase({ feature, query, expected, ordered }: QueryForm): ConformanceCase {
  return {
    area: 'Queries',
    feature,
    run: async ({ container: create }) => {
      const container = await filled(() => create({ throughput: 12_000 }));
      for (const options of [{}, { forceQueryPlan: true }]) {
        const results = await resultsOf(container, query, options);
        if (ordered) expect(results).toEqual(expected);
        else expect(sorted(results)).toEqual(sorted(expected));
      }
    },
  };
}

export const QUERY_CASES: ConformanceCase[] = [
  ...FORMS.map(formCase),
  {
    area: 'Queries',
    feature: 'parameters of every type',
    run: async ({ container: create }) => {
      const container = await filled(create);
      const query = {
        query: 'SELECT VALUE c.id FROM c WHERE c.n = @n AND c.nested = @o AND ARRAY_CONTAINS(@list, c.pk)',
        parameters: [
          { name: '@n', value: 2 },
          { name: '@o', value: { b: false } },
          { name: '@list', value: ['a'] },
        ],
      };
      expect((await container.items.query(query).fetchAll()).resources).toEqual(['2']);
    },
  },
  {
    area: 'Queries',
    feature: 'one partition key, and pages with continuation tokens',
    run: async ({ container: create }) => {
      const container = await filled(create);
      expect(sorted(await resultsOf(container, 'SELECT VALUE c.id FROM c', { partitionKey: 'a' }))).toEqual(
        sorted(['1', '2']),
      );
      const seen: unknown[] = [];
      let continuationToken: string | undefined;
      do {
        const options: FeedOptions = {
          maxItemCount: 2,
          ...(continuationToken === undefined ? {} : { continuationToken }),
        };
        const page = await container.items.query('SELECT VALUE c.id FROM c', options).fetchNext();
        expect(page.resources.length).toBeLessThanOrEqual(2);
        seen.push(...page.resources);
        continuationToken = page.continuationToken || undefined;
      } while (continuationToken !== undefined);
      expect(sorted(seen)).toEqual(sorted(['1', '2', '3', '4', '5']));
    },
  },
  {
    area: 'Queries',
    feature: 'query metrics on request',
    run: async ({ container: create }) => {
      const container = await filled(create);
      const page = await container.items
        .query('SELECT * FROM c', { partitionKey: 'a', populateQueryMetrics: true })
        .fetchNext();
      expect(JSON.stringify(page.queryMetrics)).toContain('"retrievedDocumentCount":2');
    },
  },
  {
    area: 'Queries',
    feature: 'syntax errors say where',
    run: async ({ container: create }) => {
      const container = await create();
      await expect(resultsOf(container, 'SELECT * FRM c', { partitionKey: 'a' })).rejects.toMatchObject({
        code: 400,
        message: expect.stringContaining('location'),
      });
    },
  },
];
