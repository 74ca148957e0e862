import { describe, expect, it } from 'vitest';
import { errorOf, run } from './run-query.js';

const mixed = [
  { id: 'object', v: { a: 1 } },
  { id: 'array', v: [1] },
  { id: 'b', v: 'b' },
  { id: 'B', v: 'B' },
  { id: '10', v: 10 },
  { id: '9', v: 9 },
  { id: 'true', v: true },
  { id: 'false', v: false },
  { id: 'null', v: null },
  { id: 'missing' },
];
const sortedIds = ['null', 'false', 'true', '9', '10', 'B', 'b', 'array', 'object'];

const points = [
  { id: 1, a: 1, b: 2 },
  { id: 2, a: 2, b: 1 },
  { id: 3, a: 1, b: 1 },
  { id: 4, a: 2, b: 1 },
  { id: 5, b: 3 },
];

describe('ORDER BY', () => {
  it('sorts by type, then value, and leaves out rows without the property', () => {
    expect(run('SELECT VALUE c.id FROM c ORDER BY c.v', mixed)).toStrictEqual(sortedIds);
    expect(run('SELECT VALUE c.id FROM c ORDER BY c.v DESC', mixed)).toStrictEqual([...sortedIds].reverse());
  });

  it.each<[string, unknown[]]>([
    ['SELECT VALUE c.id FROM c ORDER BY c.a, c.b', [5, 3, 1, 2, 4]],
    ['SELECT VALUE c.id FROM c ORDER BY c.a ASC, c.b DESC', [5, 1, 3, 4, 2]],
    ['SELECT VALUE c.id FROM c ORDER BY c.a DESC, c.b ASC', [4, 2, 3, 1, 5]],
    ['SELECT VALUE c.id FROM c ORDER BY c.b', [2, 3, 4, 1, 5]],
    ['SELECT VALUE c.id FROM c ORDER BY c.b DESC', [5, 1, 4, 3, 2]],
    ['SELECT VALUE c.id FROM c WHERE c.b < 3 ORDER BY c["b"] desc', [1, 4, 3, 2]],
    ['SELECT c.a FROM c ORDER BY c.id DESC', [{}, { a: 2 }, { a: 1 }, { a: 2 }, { a: 1 }]],
    ['SELECT VALUE c.a FROM c ORDER BY c.id DESC', [2, 1, 2, 1]],
    ['SELECT TOP 2 VALUE c.a FROM c ORDER BY c.id DESC', [2, 1]],
  ])('%s', (text, expected) => {
    expect(run(text, points)).toStrictEqual(expected);
  });
});

describe('TOP, OFFSET and LIMIT', () => {
  it.each<[string, unknown[]]>([
    ['SELECT TOP 2 VALUE c.id FROM c', [1, 2]],
    ['SELECT TOP 0 VALUE c.id FROM c', []],
    ['SELECT TOP 99 VALUE c.id FROM c', [1, 2, 3, 4, 5]],
    ['SELECT TOP 3 VALUE c.a FROM c WHERE c.id > 2', [1, 2]],
    ['SELECT VALUE c.id FROM c OFFSET 1 LIMIT 2', [2, 3]],
    ['SELECT VALUE c.id FROM c OFFSET 4 LIMIT 9', [5]],
    ['SELECT VALUE c.id FROM c OFFSET 9 LIMIT 9', []],
    ['SELECT VALUE c.id FROM c OFFSET 0 LIMIT 0', []],
    ['SELECT VALUE c.id FROM c ORDER BY c.b DESC OFFSET 1 LIMIT 2', [1, 4]],
    ['SELECT TOP @top VALUE c.id FROM c', [1]],
    ['SELECT VALUE c.id FROM c OFFSET @offset LIMIT @limit', [3, 4]],
  ])('%s', (text, expected) => {
    const parameters = { '@top': 1, '@offset': 2, '@limit': 2 };
    expect(run(text, points, { parameters })).toStrictEqual(expected);
  });

  it.each([[-1], [1.5], ['2'], [null], [2 ** 31]])('refuses %j as a count', (value) => {
    const error = errorOf(() => run('SELECT TOP @n * FROM c', points, { parameters: { '@n': value } }));
    expect(error).toMatchObject({ code: 'PARAMETER', position: 11, end: 13 });
    expect(error.message).toContain(
      `TOP needs an integer from 0 to 2147483647, but its parameter is ${JSON.stringify(value)}`,
    );
  });

  it('stops reading documents as soon as it has enough', () => {
    let read = 0;
    function* documents() {
      for (const point of points) {
        read++;
        yield point;
      }
    }
    run('SELECT TOP 2 * FROM c', documents() as never);
    expect(read).toBe(2);
  });
});

describe('DISTINCT', () => {
  it.each<[string, unknown[]]>([
    ['SELECT DISTINCT VALUE c.a FROM c', [1, 2]],
    ['SELECT DISTINCT c.a FROM c', [{ a: 1 }, { a: 2 }, {}]],
    ['SELECT DISTINCT c.a, c.b FROM c', [{ a: 1, b: 2 }, { a: 2, b: 1 }, { a: 1, b: 1 }, { b: 3 }]],
    ['SELECT DISTINCT VALUE [c.b] FROM c ORDER BY c.b DESC', [[3], [2], [1]]],
    ['SELECT DISTINCT TOP 1 VALUE c.b FROM c', [2]],
    ['SELECT DISTINCT VALUE c.b FROM c OFFSET 1 LIMIT 1', [1]],
    ['SELECT DISTINCT VALUE c.id = 1 ? {"x": 1, "y": 2} : {"y": 2, "x": 1} FROM c', [{ x: 1, y: 2 }]],
    ['SELECT DISTINCT VALUE c.id = 1 ? "1" : 1 FROM c', ['1', 1]],
  ])('%s', (text, expected) => {
    expect(run(text, points)).toStrictEqual(expected);
  });
});
