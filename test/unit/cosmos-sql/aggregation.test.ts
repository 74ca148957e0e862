import { describe, expect, it } from 'vitest';
import { run } from './run-query.js';

const UNDEFINED = undefined;

/** Aggregates over the property `v` of documents with these values; undefined: a document without it. */
const aggregates: readonly (readonly [string, readonly unknown[], Record<string, unknown>])[] = [
  ['numbers', [3, 1, 2], { COUNT: 3, SUM: 6, AVG: 2, MIN: 1, MAX: 3 }],
  ['numbers and gaps', [3, undefined, 1], { COUNT: 2, SUM: 4, AVG: 2, MIN: 1, MAX: 3 }],
  ['nothing', [], { COUNT: 0, SUM: 0, AVG: UNDEFINED, MIN: UNDEFINED, MAX: UNDEFINED }],
  ['only gaps', [undefined, undefined], { COUNT: 0, SUM: 0, AVG: UNDEFINED, MIN: UNDEFINED, MAX: UNDEFINED }],
  ['strings', ['b', 'a'], { COUNT: 2, SUM: UNDEFINED, AVG: UNDEFINED, MIN: 'a', MAX: 'b' }],
  ['a string among numbers', [1, 'x', 2], { COUNT: 3, SUM: UNDEFINED, AVG: UNDEFINED, MIN: 1, MAX: 'x' }],
  ['null among numbers', [1, null], { COUNT: 2, SUM: UNDEFINED, AVG: UNDEFINED, MIN: null, MAX: 1 }],
  ['booleans', [true, false], { COUNT: 2, SUM: UNDEFINED, AVG: UNDEFINED, MIN: false, MAX: true }],
  [
    'an array among numbers',
    [1, [2]],
    { COUNT: 2, SUM: UNDEFINED, AVG: UNDEFINED, MIN: UNDEFINED, MAX: UNDEFINED },
  ],
  ['an object first', [{}, 1], { COUNT: 2, SUM: UNDEFINED, AVG: UNDEFINED, MIN: UNDEFINED, MAX: UNDEFINED }],
];

describe('aggregates', () => {
  describe.each(aggregates)('of %s', (_name, values, expected) => {
    const documents = values.map((v, id) => (v === undefined ? { id } : { id, v }));
    it.each(Object.entries(expected))('%s is %j', (name, value) => {
      expect(run(`SELECT VALUE ${name}(c.v) FROM c`, documents)).toStrictEqual(
        value === UNDEFINED ? [] : [value],
      );
      expect(run(`SELECT ${name}(c.v) FROM c`, documents)).toStrictEqual([
        value === UNDEFINED ? {} : { $1: value },
      ]);
    });
  });

  const documents = [
    { id: 1, team: 'a', age: 10, tags: ['x', 'y'] },
    { id: 2, team: 'b', age: 20, tags: ['y'] },
    { id: 3, team: 'a', age: 30, tags: [] },
    { id: 4, age: 40, tags: ['x'] },
  ];

  it.each<[string, unknown[]]>([
    ['SELECT VALUE COUNT(1) FROM c', [4]],
    ['SELECT VALUE COUNT(c.team) FROM c', [3]],
    ['SELECT VALUE COUNT(1) FROM c WHERE c.age > 99', [0]],
    ['SELECT VALUE COUNT(1) FROM c JOIN t IN c.tags', [4]],
    [
      'SELECT COUNT(1) AS n, MIN(c.age), max(c.age) AS oldest, AVG(c.age) FROM c',
      [{ n: 4, $1: 10, oldest: 40, $2: 25 }],
    ],
    ['SELECT VALUE SUM(c.age * 2) FROM c', [200]],
    [
      'SELECT VALUE {"n": COUNT(1), "rounded": ROUND(AVG(c.age) / 10), "constant": "x"} FROM c',
      [{ n: 4, rounded: 3, constant: 'x' }],
    ],
    ['SELECT VALUE [COUNT(1), COUNT(1) + 1] FROM c', [[4, 5]]],
    ['SELECT VALUE COUNT(1)', [1]],
    ['SELECT TOP 1 VALUE COUNT(1) FROM c', [4]],
    ['SELECT VALUE COUNT(1) FROM c OFFSET 1 LIMIT 1', []],
    ['SELECT VALUE MAX(c.age) FROM c ORDER BY c.age', [40]],
  ])('%s', (text, expected) => {
    expect(run(text, documents)).toStrictEqual(expected);
  });

  describe('with GROUP BY', () => {
    it.each<[string, unknown[]]>([
      [
        'SELECT c.team, COUNT(1) AS n FROM c GROUP BY c.team',
        [{ team: 'a', n: 2 }, { team: 'b', n: 1 }, { n: 1 }],
      ],
      ['SELECT VALUE c.team FROM c GROUP BY c.team', ['a', 'b']],
      ['SELECT VALUE AVG(c.age) FROM c GROUP BY c.team', [20, 20, 40]],
      [
        'SELECT c.team, UPPER(c.team) AS upper FROM c GROUP BY c.team',
        [{ team: 'a', upper: 'A' }, { team: 'b', upper: 'B' }, {}],
      ],
      [
        'SELECT c.age > 15 AS grown, COUNT(1) AS n FROM c GROUP BY c.age > 15',
        [
          { grown: false, n: 1 },
          { grown: true, n: 3 },
        ],
      ],
      [
        'SELECT t, SUM(c.age) AS age FROM c JOIN t IN c.tags GROUP BY t',
        [
          { t: 'x', age: 50 },
          { t: 'y', age: 30 },
        ],
      ],
      [
        'SELECT c.team, ARRAY_LENGTH(c.tags) AS tags FROM c GROUP BY c.team, ARRAY_LENGTH(c.tags)',
        [{ team: 'a', tags: 2 }, { team: 'b', tags: 1 }, { team: 'a', tags: 0 }, { tags: 1 }],
      ],
      ['SELECT VALUE {"team": c.team} FROM c GROUP BY {"team": c.team}', [{ team: 'a' }, { team: 'b' }, {}]],
      ['SELECT COUNT(1) FROM c WHERE c.age > 99 GROUP BY c.team', []],
      ['SELECT c["team"], COUNT(1) AS n FROM c GROUP BY c.team OFFSET 1 LIMIT 1', [{ team: 'b', n: 1 }]],
      ['SELECT DISTINCT VALUE COUNT(1) FROM c GROUP BY c.team', [2, 1]],
    ])('%s', (text, expected) => {
      expect(run(text, documents)).toStrictEqual(expected);
    });

    it('tells equal-looking keys of different types apart', () => {
      const keys = [
        { k: 1 },
        { k: '1' },
        { k: [1] },
        { k: '[1]' },
        { k: null },
        { k: 'null' },
        {},
        { k: 'u' },
      ];
      expect(run('SELECT c.k, COUNT(1) AS n FROM c GROUP BY c.k', [...keys, ...keys])).toStrictEqual(
        keys.map((key) => ({ ...key, n: 2 })),
      );
    });

    it('does not confuse keys of several parts', () => {
      const keys = [
        { a: 'x,y', b: 'z' },
        { a: 'x', b: 'y,z' },
        { a: '"', b: '"' },
      ];
      expect(run('SELECT c.a, c.b FROM c GROUP BY c.a, c.b', keys)).toStrictEqual(keys);
    });
  });
});
