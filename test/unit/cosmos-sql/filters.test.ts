import { describe, expect, it } from 'vitest';
import { compileQuery, parseQuery } from '../../../emulators/cosmos/src/sql/index.js';
import { planOf, toParameters } from './run-query.js';

const parameters = { '@a': 'x', '@b': 2, '@object': { z: 1 }, '@nothing': undefined };

function filtersOf(where: string, from = 'c'): unknown {
  const query = parseQuery(`SELECT * FROM ${from} WHERE ${where}`);
  return compileQuery(query, toParameters(parameters)).equalityFilters;
}

describe('equality filters', () => {
  it.each<[string, unknown[]]>([
    ['c.a = "x"', [{ path: ['a'], values: ['x'] }]],
    ['"x" = c.a', [{ path: ['a'], values: ['x'] }]],
    [
      'c.a = @a AND c.b.d = @b',
      [
        { path: ['a'], values: ['x'] },
        { path: ['b', 'd'], values: [2] },
      ],
    ],
    [
      '(c.a = @a AND (c["b c"] = null AND true)) AND c.d = -1',
      [
        { path: ['a'], values: ['x'] },
        { path: ['b c'], values: [null] },
        { path: ['d'], values: [-1] },
      ],
    ],
    ['c.a IN (1, "x", @b, 1)', [{ path: ['a'], values: [1, 'x', 2] }]],
    ['c.a IN (1, undefined)', [{ path: ['a'], values: [1] }]],
    ['c.a = @nothing', [{ path: ['a'], values: [] }]],
    ['c.a = @object', []],
    ['c.a IN (1, @object)', []],
    ['c.a = 1 OR c.b = 2', []],
    ['NOT (c.a = 1)', []],
    ['c.a != 1', []],
    ['c.a > 1', []],
    ['c.a NOT IN (1)', []],
    ['c.a = c.b', []],
    ['c.a[0] = 1', []],
    ['c = 1', []],
    ['c.a = 1 + 1', []],
    ['c.a = [1]', []],
    ['c.a = 1 AND c.b > 2', [{ path: ['a'], values: [1] }]],
  ])('%s', (where, expected) => {
    expect(filtersOf(where)).toStrictEqual(expected);
  });

  it('belong to the container only', () => {
    expect(filtersOf('r.a = 1', 'Root r')).toStrictEqual([{ path: ['a'], values: [1] }]);
    const join = parseQuery('SELECT t FROM c JOIN t IN c.tags WHERE t.a = 1 AND c.b = 2');
    expect(compileQuery(join, []).equalityFilters).toStrictEqual([{ path: ['b'], values: [2] }]);
    const nested = parseQuery('SELECT * FROM t IN c.tags WHERE t.a = 1');
    expect(compileQuery(nested, []).equalityFilters).toStrictEqual([]);
    const inner = parseQuery('SELECT * FROM c WHERE EXISTS(SELECT VALUE c FROM c IN c.tags WHERE c.a = 1)');
    expect(compileQuery(inner, []).equalityFilters).toStrictEqual([]);
  });
});

describe('partition keys', () => {
  const keysOf = (where: string, paths: string[]) =>
    planOf(`SELECT * FROM c WHERE ${where}`, parameters, paths).partitionKeyValues;

  it.each<[string, string[], unknown]>([
    ['c.pk = 1', ['/pk'], [[1]]],
    ['c.pk = @a AND c.x > 5', ['/pk'], [['x']]],
    ['c.pk IN (1, 2)', ['/pk'], [[1], [2]]],
    ['c.a.b = 1', ['/a/b'], [[1]]],
    ['c["a b"].c = 1', ['/"a b"/c'], [[1]]],
    [
      'c.a = 1 AND c.b IN (2, 3)',
      ['/a', '/b'],
      [
        [1, 2],
        [1, 3],
      ],
    ],
    ['c.a = 1', ['/a', '/b'], null],
    ['c.pk > 1', ['/pk'], null],
    ['c.pk = 1 OR c.pk = 2', ['/pk'], null],
    ['c.a = 1', ['/pk'], null],
    ['c.pk = null', ['/pk'], [[null]]],
    ['c.pk = @nothing', ['/pk'], null],
    ['c.pk = @object', ['/pk'], null],
    ['true', [], null],
  ])('%s on %j', (where, paths, expected) => {
    expect(keysOf(where, paths)).toStrictEqual(expected);
  });

  it('give up on more keys than are worth naming', () => {
    const many = Array.from({ length: 1001 }, (_, index) => index).join(', ');
    expect(keysOf(`c.pk IN (${many})`, ['/pk'])).toBeNull();
  });
});
