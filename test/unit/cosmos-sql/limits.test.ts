import { describe, expect, it } from 'vitest';
import { compileQuery, parseQuery, QueryCache, SqlError } from '../../../emulators/cosmos/src/sql/index.js';
import { errorOf, run, toParameters } from './run-query.js';

const nest = (open: string, inner: string, close: string, depth: number) =>
  open.repeat(depth) + inner + close.repeat(depth);

describe('nesting', () => {
  it.each([
    ['parentheses', '(', '1', ')'],
    ['arrays', '[', '1', ']'],
    ['objects', '{"a": ', '1', '}'],
    ['negations', 'NOT ', 'true', ''],
    ['minus signs', '- ', '1', ''],
    ['function calls', 'ABS(', '1', ')'],
    ['conditions', 'true ? ', '1', ' : 2'],
    ['subqueries', '(SELECT VALUE ', '1', ')'],
    ['member accesses', '', '{}', '.a'],
    ['indexes', '', '[]', '[0]'],
    ['sums', '', '1', ' + 1'],
    ['coalescing', '', '1', ' ?? 1'],
  ])('of %s is bounded with a clear error', (_name, open, inner, close) => {
    const text = (depth: number) => `SELECT VALUE ${nest(open, inner, close, depth)}`;
    expect(() => run(text(60))).not.toThrow();
    for (const depth of [250, 30_000]) {
      const error = errorOf(() => run(text(depth)));
      expect(error.code).toBe('INVALID');
      expect(error.message).toContain('nests more than 200 levels deep');
    }
  });

  it('does not bound long flat filters', () => {
    const terms = Array.from({ length: 5_000 }, (_, index) => `c.n = ${index}`);
    expect(run(`SELECT * FROM c WHERE ${terms.join(' OR ')}`, [{ n: 4_999 }, { n: -1 }])).toHaveLength(1);
    const list = Array.from({ length: 8_000 }, (_, index) => index).join(',');
    expect(run(`SELECT * FROM c WHERE c.n IN (${list})`, [{ n: 7_999 }, { n: -1 }])).toHaveLength(1);
  });

  it('of parameters is bounded', () => {
    const deep = JSON.parse(nest('[', '', ']', 20_000));
    const error = errorOf(() => run('SELECT VALUE @p = @p', [], { parameters: { '@p': deep } }));
    expect(error).toMatchObject({ code: 'PARAMETER' });
    expect(error.message).toContain('The parameter @p nests more than 128 levels deep');
    expect(
      run('SELECT VALUE @p = @p', [], { parameters: { '@p': JSON.parse(nest('[', '', ']', 128)) } }),
    ).toStrictEqual([true]);
  });

  it('of parsed strings is bounded', () => {
    expect(
      run('SELECT VALUE StringToArray(@p)', [], { parameters: { '@p': nest('[', '', ']', 20_000) } }),
    ).toStrictEqual([]);
  });
});

describe('size', () => {
  it('of a query is at most 512 Ki characters', () => {
    const text = `SELECT VALUE '${'x'.repeat(512 * 1024)}'`;
    expect(errorOf(() => parseQuery(text))).toMatchObject({ code: 'INVALID', position: 512 * 1024 });
    expect(errorOf(() => parseQuery(text)).message).toContain('at most 524288 are allowed');
  });

  it('of a FROM clause is at most 10 JOINs', () => {
    const joins = (count: number) =>
      `SELECT 1 FROM c ${Array.from({ length: count }, (_, index) => `JOIN t${index} IN c.t`).join(' ')}`;
    expect(() => parseQuery(joins(10))).not.toThrow();
    expect(errorOf(() => parseQuery(joins(11))).message).toContain('more than 10 JOINs');
  });
});

describe('parameters', () => {
  const query = parseQuery('SELECT * FROM c WHERE c.a = @a AND c.b = @b');
  it.each<[string, unknown, string]>([
    ['missing', toParameters({ '@a': 1 }), 'The parameter @b is not given (at 1:42)'],
    ['given twice', [...toParameters({ '@a': 1, '@b': 2 }), { name: '@a', value: 3 }], '@a is given twice'],
    ['without @', [{ name: 'a', value: 1 }], 'begins with \'@\', not "a"'],
    ['with a number as name', [{ name: 5, value: 1 }], "begins with '@', not 5"],
  ])('%s are refused', (_name, given, message) => {
    const error = errorOf(() => compileQuery(query, given as never));
    expect(error.code).toBe('PARAMETER');
    expect(error.message).toContain(message);
  });

  it('that a query does not use are ignored', () => {
    expect(() => compileQuery(query, toParameters({ '@a': 1, '@b': 2, '@c': 3 }))).not.toThrow();
  });
});

describe('QueryCache', () => {
  it('parses a text once', () => {
    const cache = new QueryCache();
    expect(cache.parse('SELECT * FROM c')).toBe(cache.parse('SELECT * FROM c'));
  });

  it('drops the query that was used least recently', () => {
    const cache = new QueryCache({ capacity: 2 });
    const first = cache.parse('SELECT VALUE 1');
    const second = cache.parse('SELECT VALUE 2');
    expect(cache.parse('SELECT VALUE 1')).toBe(first);
    cache.parse('SELECT VALUE 3');
    expect(cache.parse('SELECT VALUE 1')).toBe(first);
    expect(cache.parse('SELECT VALUE 2')).not.toBe(second);
  });

  it('fails for a bad query every time', () => {
    const cache = new QueryCache();
    for (let attempt = 0; attempt < 2; attempt++) expect(() => cache.parse('SELECT')).toThrow(SqlError);
  });

  it.each([[0], [-1], [1.5]])('refuses a capacity of %d', (capacity) => {
    expect(() => new QueryCache({ capacity })).toThrow(/capacity must be an integer of at least 1/);
  });
});

describe('a compiled query', () => {
  it('can run many times, and interleaved', () => {
    const compiled = compileQuery(parseQuery('SELECT VALUE c.a + t FROM c JOIN t IN c.ts'), []);
    const left = compiled.run([{ a: 1, ts: [1, 2] }])[Symbol.iterator]();
    const right = compiled.run([{ a: 10, ts: [1, 2] }])[Symbol.iterator]();
    expect([left.next().value, right.next().value, left.next().value, right.next().value]).toStrictEqual([
      2, 11, 3, 12,
    ]);
  });

  it('does not share parameters with another binding of the same query', () => {
    const query = parseQuery('SELECT VALUE @p FROM c');
    const one = compileQuery(query, toParameters({ '@p': 1 }));
    const two = compileQuery(query, toParameters({ '@p': 2 }));
    expect([...one.run([{}]), ...two.run([{}])]).toStrictEqual([1, 2]);
  });

  it('reads documents lazily when streaming', () => {
    let read = 0;
    function* documents() {
      for (;;) yield { id: read++ };
    }
    const compiled = compileQuery(parseQuery('SELECT VALUE c.id FROM c WHERE c.id % 2 = 1'), []);
    expect(compiled.streaming).toBe(true);
    const rows = compiled.run(documents())[Symbol.iterator]();
    expect(rows.next().value).toBe(1);
    expect(read).toBe(2);
  });
});
