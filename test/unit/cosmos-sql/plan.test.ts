import { describe, expect, it } from 'vitest';
import { errorOf, planOf, run } from './run-query.js';

/** The parts of a plan that differ from a plain one. */
const PLAIN = {
  distinctType: 'None',
  top: null,
  offset: null,
  limit: null,
  orderBy: [],
  orderByExpressions: [],
  groupByExpressions: [],
  groupByAliases: [],
  aggregates: [],
  groupByAliasToAggregateType: {},
  rewrittenQuery: '',
  hasSelectValue: false,
  dCountInfo: null,
  hasNonStreamingOrderBy: false,
};

/**
 * Forms published in the query plan baselines of Microsoft's .NET SDK (QueryPlanBaselineTests in
 * Azure/azure-cosmos-dotnet-v3), up to white space and the explicit ASC.
 */
const plans: readonly (readonly [string, Record<string, unknown>])[] = [
  ['SELECT * FROM c', {}],
  ['SELECT * FROM c WHERE c.a = 1', {}],
  ['SELECT VALUE c.a FROM c', { hasSelectValue: true }],
  ['SELECT TOP 5 * FROM c WHERE c.blah = 5', { top: 5 }],
  [
    'SELECT * FROM Root r ORDER BY r.blah',
    {
      orderBy: ['Ascending'],
      orderByExpressions: ['r.blah'],
      rewrittenQuery:
        'SELECT r._rid, [{"item": r.blah}] AS orderByItems, r AS payload FROM Root AS r WHERE ({documentdb-formattableorderbyquery-filter}) ORDER BY r.blah ASC',
    },
  ],
  [
    "SELECT * FROM Root r WHERE r.key = 'key' ORDER BY r.key DESC",
    {
      orderBy: ['Descending'],
      orderByExpressions: ['r.key'],
      rewrittenQuery:
        'SELECT r._rid, [{"item": r.key}] AS orderByItems, r AS payload FROM Root AS r WHERE ((r.key = "key") AND ({documentdb-formattableorderbyquery-filter})) ORDER BY r.key DESC',
    },
  ],
  [
    'SELECT TOP 10 c.property1, c.property2 FROM c WHERE c.property4 = "asdf" ORDER BY c.f1, c.f2 DESC',
    {
      top: 10,
      orderBy: ['Ascending', 'Descending'],
      orderByExpressions: ['c.f1', 'c.f2'],
      rewrittenQuery:
        'SELECT TOP 10 c._rid, [{"item": c.f1}, {"item": c.f2}] AS orderByItems, {"property1": c.property1, "property2": c.property2} AS payload FROM c WHERE ((c.property4 = "asdf") AND ({documentdb-formattableorderbyquery-filter})) ORDER BY c.f1 ASC, c.f2 DESC',
    },
  ],
  [
    'SELECT VALUE r.a FROM r WHERE r.d = true ORDER BY r.b',
    {
      hasSelectValue: true,
      orderBy: ['Ascending'],
      orderByExpressions: ['r.b'],
      rewrittenQuery:
        'SELECT r._rid, [{"item": r.b}] AS orderByItems, r.a AS payload FROM r WHERE (((r.d = true) AND ({documentdb-formattableorderbyquery-filter})) AND IS_DEFINED(r.a)) ORDER BY r.b ASC',
    },
  ],
  [
    'SELECT 1 FROM r ORDER BY r._ts',
    {
      orderBy: ['Ascending'],
      orderByExpressions: ['r._ts'],
      rewrittenQuery:
        'SELECT r._rid, [{"item": r._ts}] AS orderByItems, {"$1": 1} AS payload FROM r WHERE ({documentdb-formattableorderbyquery-filter}) ORDER BY r._ts ASC',
    },
  ],
  ['SELECT DISTINCT c.blah FROM c', { distinctType: 'Unordered' }],
  [
    'SELECT DISTINCT VALUE c.blah FROM c ORDER BY c.blah',
    {
      distinctType: 'Ordered',
      hasSelectValue: true,
      orderBy: ['Ascending'],
      orderByExpressions: ['c.blah'],
      rewrittenQuery:
        'SELECT c._rid, [{"item": c.blah}] AS orderByItems, c.blah AS payload FROM c WHERE (({documentdb-formattableorderbyquery-filter}) AND IS_DEFINED(c.blah)) ORDER BY c.blah ASC',
    },
  ],
  [
    'SELECT DISTINCT TOP 2 c.a FROM c ORDER BY c.b',
    {
      distinctType: 'Unordered',
      top: 2,
      orderBy: ['Ascending'],
      orderByExpressions: ['c.b'],
      rewrittenQuery:
        'SELECT c._rid, [{"item": c.b}] AS orderByItems, {"a": c.a} AS payload FROM c WHERE ({documentdb-formattableorderbyquery-filter}) ORDER BY c.b ASC',
    },
  ],
  [
    'SELECT DISTINCT TOP 5 VALUE c.name FROM c',
    {
      distinctType: 'Unordered',
      top: 5,
      hasSelectValue: true,
      rewrittenQuery: 'SELECT DISTINCT VALUE c.name FROM c',
    },
  ],
  [
    'SELECT DISTINCT * FROM c WHERE c.key = 5 OFFSET 1 LIMIT 2',
    {
      distinctType: 'Unordered',
      offset: 1,
      limit: 2,
      rewrittenQuery: 'SELECT DISTINCT * FROM c WHERE (c.key = 5)',
    },
  ],
  [
    'SELECT * FROM c WHERE c.blah = 5 OFFSET 1 LIMIT 2',
    { offset: 1, limit: 2, rewrittenQuery: 'SELECT * FROM c WHERE (c.blah = 5) OFFSET 0 LIMIT 3' },
  ],
  [
    'SELECT * FROM c OFFSET @OFFSETCOUNT LIMIT @LIMITCOUNT',
    { offset: 42, limit: 1337, rewrittenQuery: 'SELECT * FROM c OFFSET 0 LIMIT 1379' },
  ],
  [
    'SELECT * FROM c ORDER BY c.a OFFSET 5 LIMIT 10',
    {
      offset: 5,
      limit: 10,
      orderBy: ['Ascending'],
      orderByExpressions: ['c.a'],
      rewrittenQuery:
        'SELECT c._rid, [{"item": c.a}] AS orderByItems, c AS payload FROM c WHERE ({documentdb-formattableorderbyquery-filter}) ORDER BY c.a ASC OFFSET 0 LIMIT 15',
    },
  ],
  ['SELECT TOP @TOPCOUNT * FROM c', { top: 7 }],
  [
    'SELECT VALUE COUNT(1) FROM c',
    {
      hasSelectValue: true,
      aggregates: ['Count'],
      rewrittenQuery: 'SELECT VALUE [{"item": COUNT(1)}] FROM c',
    },
  ],
  [
    'SELECT VALUE SUM(c.blah) FROM c',
    {
      hasSelectValue: true,
      aggregates: ['Sum'],
      rewrittenQuery: 'SELECT VALUE [{"item": SUM(c.blah)}] FROM c',
    },
  ],
  [
    'SELECT VALUE AVG(c.blah) FROM c',
    {
      hasSelectValue: true,
      aggregates: ['Average'],
      rewrittenQuery: 'SELECT VALUE [{"item": {"sum": SUM(c.blah), "count": COUNT(c.blah)}}] FROM c',
    },
  ],
  [
    'SELECT VALUE MIN(c.blah + 1) FROM c WHERE c.key > 1',
    {
      hasSelectValue: true,
      aggregates: ['Min'],
      rewrittenQuery:
        'SELECT VALUE [{"item": MIN((c.blah + 1)), "item2": {"min": MIN((c.blah + 1)), "count": COUNT((c.blah + 1))}}] FROM c WHERE (c.key > 1)',
    },
  ],
  [
    'SELECT VALUE MAX(c.blah) FROM Root r JOIN c IN r.children',
    {
      hasSelectValue: true,
      aggregates: ['Max'],
      rewrittenQuery:
        'SELECT VALUE [{"item": MAX(c.blah), "item2": {"max": MAX(c.blah), "count": COUNT(c.blah)}}] FROM Root AS r JOIN c IN r.children',
    },
  ],
  [
    'SELECT TOP 10 VALUE AVG(r.age + 1) FROM Root r',
    {
      top: 10,
      hasSelectValue: true,
      aggregates: ['Average'],
      rewrittenQuery:
        'SELECT VALUE [{"item": {"sum": SUM((r.age + 1)), "count": COUNT((r.age + 1))}}] FROM Root AS r',
    },
  ],
  [
    'SELECT SUM(c.blah) FROM c',
    {
      groupByAliases: ['$1'],
      groupByAliasToAggregateType: { $1: 'Sum' },
      rewrittenQuery: 'SELECT {"$1": {"item": SUM(c.blah)}} AS payload FROM c',
    },
  ],
  [
    'SELECT MAX(c.blah), AVG(c.blah) AS mean FROM c',
    {
      groupByAliases: ['$1', 'mean'],
      groupByAliasToAggregateType: { $1: 'Max', mean: 'Average' },
      rewrittenQuery:
        'SELECT {"$1": {"item": MAX(c.blah), "item2": {"max": MAX(c.blah), "count": COUNT(c.blah)}}, "mean": {"item": {"sum": SUM(c.blah), "count": COUNT(c.blah)}}} AS payload FROM c',
    },
  ],
  [
    'SELECT VALUE {"age": c.age} FROM c GROUP BY {"age": c.age}',
    {
      hasSelectValue: true,
      groupByExpressions: ['{"age": c.age}'],
      rewrittenQuery:
        'SELECT [{"item": {"age": c.age}}] AS groupByItems, {"age": c.age} AS payload FROM c GROUP BY {"age": c.age}',
    },
  ],
  [
    'SELECT VALUE COUNT(1) FROM c GROUP BY c.age',
    {
      hasSelectValue: true,
      aggregates: ['Count'],
      groupByExpressions: ['c.age'],
      rewrittenQuery:
        'SELECT [{"item": c.age}] AS groupByItems, [{"item": COUNT(1)}] AS payload FROM c GROUP BY c.age',
    },
  ],
  [
    'SELECT c.team, c.name, COUNT(1) AS count, MIN(c.age) AS min_age FROM c GROUP BY c.team, c.name',
    {
      groupByExpressions: ['c.team', 'c.name'],
      groupByAliases: ['team', 'name', 'count', 'min_age'],
      groupByAliasToAggregateType: { team: null, name: null, count: 'Count', min_age: 'Min' },
      rewrittenQuery:
        'SELECT [{"item": c.team}, {"item": c.name}] AS groupByItems, {"team": c.team, "name": c.name, "count": {"item": COUNT(1)}, "min_age": {"item": MIN(c.age), "item2": {"min": MIN(c.age), "count": COUNT(c.age)}}} AS payload FROM c GROUP BY c.team, c.name',
    },
  ],
  [
    'SELECT TOP 5 VALUE c.name FROM c GROUP BY c.name',
    {
      top: 5,
      hasSelectValue: true,
      groupByExpressions: ['c.name'],
      rewrittenQuery: 'SELECT [{"item": c.name}] AS groupByItems, c.name AS payload FROM c GROUP BY c.name',
    },
  ],
  [
    'SELECT c.name FROM c WHERE c.key = 5 GROUP BY c.name OFFSET 1 LIMIT 2',
    {
      offset: 1,
      limit: 2,
      groupByExpressions: ['c.name'],
      groupByAliases: ['name'],
      groupByAliasToAggregateType: { name: null },
      rewrittenQuery:
        'SELECT [{"item": c.name}] AS groupByItems, {"name": c.name} AS payload FROM c WHERE (c.key = 5) GROUP BY c.name',
    },
  ],
];

const parameters = { '@OFFSETCOUNT': 42, '@LIMITCOUNT': 1337, '@TOPCOUNT': 7 };

describe('query plans', () => {
  it.each(plans)('%s', (text, changes) => {
    expect(planOf(text, parameters).queryInfo).toStrictEqual({ ...PLAIN, ...changes });
  });

  it('are the same object for the same query, unless a parameter gives a count', () => {
    const text = 'SELECT TOP @n * FROM c';
    expect(planOf(text, { '@n': 1 }).queryInfo.top).toBe(1);
    expect(planOf(text, { '@n': 2 }).queryInfo.top).toBe(2);
  });

  it('refuse compositions of aggregates, which cannot be merged', () => {
    const error = errorOf(() => planOf('SELECT VALUE FLOOR(AVG(c.a)) FROM c'));
    expect(error).toMatchObject({ code: 'UNSUPPORTED', position: 19, end: 27 });
    expect(error.message).toContain('Compositions of aggregates');
    expect(errorOf(() => planOf('SELECT VALUE {"n": COUNT(1)} FROM c')).code).toBe('UNSUPPORTED');
  });
});

describe('rewritten queries on one partition', () => {
  const documents = [
    { _rid: 'r1', id: 'a', x: 2, team: 't' },
    { _rid: 'r2', id: 'b', x: 1, team: 't' },
    { _rid: 'r3', id: 'c', team: 'u' },
  ];
  const rewritten = (text: string, filter = 'true') =>
    run(
      planOf(text).queryInfo.rewrittenQuery.replace('{documentdb-formattableorderbyquery-filter}', filter),
      documents,
    );

  it.each<[string, unknown[]]>([
    [
      'SELECT c.id FROM c ORDER BY c.x',
      [
        { _rid: 'r2', orderByItems: [{ item: 1 }], payload: { id: 'b' } },
        { _rid: 'r1', orderByItems: [{ item: 2 }], payload: { id: 'a' } },
      ],
    ],
    [
      'SELECT VALUE c.id FROM c ORDER BY c.team DESC, c.x',
      [
        { _rid: 'r3', orderByItems: [{ item: 'u' }, {}], payload: 'c' },
        { _rid: 'r2', orderByItems: [{ item: 't' }, { item: 1 }], payload: 'b' },
        { _rid: 'r1', orderByItems: [{ item: 't' }, { item: 2 }], payload: 'a' },
      ],
    ],
    ['SELECT VALUE COUNT(1) FROM c', [[{ item: 3 }]]],
    ['SELECT VALUE AVG(c.x) FROM c', [[{ item: { sum: 3, count: 2 } }]]],
    ['SELECT VALUE MIN(c.x) FROM c', [[{ item: 1, item2: { min: 1, count: 2 } }]]],
    ['SELECT VALUE MIN(c.nothing) FROM c', [[{ item2: { count: 0 } }]]],
    ['SELECT SUM(c.x), 1 AS one FROM c', [{ payload: { $1: { item: 3 }, one: 1 } }]],
    [
      'SELECT c.team, COUNT(1) AS n FROM c GROUP BY c.team',
      [
        { groupByItems: [{ item: 't' }], payload: { team: 't', n: { item: 2 } } },
        { groupByItems: [{ item: 'u' }], payload: { team: 'u', n: { item: 1 } } },
      ],
    ],
  ])('%s', (text, expected) => {
    expect(rewritten(text)).toStrictEqual(expected);
  });

  it('take the filter with which an SDK resumes a sorted query', () => {
    expect(rewritten('SELECT VALUE c.id FROM c ORDER BY c.x', '(c.x > 1)')).toMatchObject([{ payload: 'a' }]);
    expect(
      rewritten('SELECT VALUE c.id FROM c ORDER BY c.team', String.raw`(c.team >= 'u\u0027')`),
    ).toStrictEqual([]);
  });
});

describe('what the gateway can serve page by page', () => {
  it.each([
    ['SELECT * FROM c WHERE c.a = 1', true],
    ['SELECT c.a, t FROM c JOIN t IN c.tags', true],
    ['SELECT VALUE EXISTS(SELECT VALUE COUNT(1) FROM t IN c.tags) FROM c', true],
    ['SELECT TOP 1 * FROM c', false],
    ['SELECT * FROM c ORDER BY c.a', false],
    ['SELECT * FROM c OFFSET 0 LIMIT 1', false],
    ['SELECT DISTINCT c.a FROM c', false],
    ['SELECT VALUE COUNT(1) FROM c', false],
    ['SELECT c.a FROM c GROUP BY c.a', false],
  ])('%s: %s', (text, servable) => {
    expect(planOf(text).servableByGateway).toBe(servable);
  });

  it('knows a query that reads no documents', () => {
    expect(planOf('SELECT VALUE 1').readsDocuments).toBe(false);
    expect(planOf('SELECT VALUE 1 FROM c').readsDocuments).toBe(true);
  });
});
