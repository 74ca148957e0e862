import { describe, expect, it } from 'vitest';
import { evaluate, run } from './run-query.js';

const UNDEFINED = undefined;
const document = {
  n: 3,
  zero: 0,
  s: 'abc',
  t: true,
  f: false,
  nil: null,
  list: [1, [2, 'x'], { a: 1 }],
  map: { a: 1, b: [true] },
};

function check(cases: readonly (readonly [string, unknown])[]): void {
  it.each(cases)('%s', (expression, expected) => {
    expect(evaluate(expression, document)).toStrictEqual(expected);
  });
}

describe('literals', () => {
  check([
    ['null', null],
    ['true', true],
    ['undefined', UNDEFINED],
    ['1.5e2', 150],
    ['.5', 0.5],
    ['5.', 5],
    ['0x1F', 31],
    [`'single "quoted"'`, 'single "quoted"'],
    [`"double 'quoted'"`, "double 'quoted'"],
    [String.raw`'\u0041\n\t\b\f\r\\\/\'\"'`, 'A\n\t\b\f\r\\/\'"'],
    [`'-- no comment'`, '-- no comment'],
    [`''`, ''],
    ['[]', []],
    ['[1, [c.n], undefined, {}]', [1, [3], {}]],
    ['{"a": c.n, "b": undefined, c: null}', { a: 3, c: null }],
  ]);
});

describe('arithmetic', () => {
  check([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 4 - 3', 3],
    ['2 * 7 % 4', 2],
    ['7 / 2', 3.5],
    ['-7 % 3', -1],
    ['- - 2', 2],
    ['+c.n', 3],
    ['-c.s', UNDEFINED],
    ['+c.s', UNDEFINED],
    ['1 / 0', UNDEFINED],
    ['0 / 0', UNDEFINED],
    ['1 % 0', UNDEFINED],
    ['1e308 * 10', UNDEFINED],
    ['c.n + c.s', UNDEFINED],
    ['c.n + c.nil', UNDEFINED],
    ['c.n + c.missing', UNDEFINED],
    ['c.t + 1', UNDEFINED],
    ['1 + 2 < 2 * 2', true],
  ]);
});

describe('bitwise operators on 32 bits', () => {
  check([
    ['100 >> 2', 25],
    ['100 << 2', 400],
    ['100 >>> 0', 100],
    ['-1 >>> 28', 15],
    ['100 & 1000', 96],
    ['100 | 1000', 1004],
    ['100 ^ 1000', 908],
    ['~5', -6],
    ['4294967297 & 3', 1],
    ['1 | 2 ^ 3 & 4', 3],
    ['1 + 1 << 3', 16],
    ['(c.n & 2) = 2', true],
    ['c.s & 1', UNDEFINED],
    ['~c.s', UNDEFINED],
  ]);
});

describe('concatenation', () => {
  check([
    [`c.s || '-' || c.s`, 'abc-abc'],
    ['c.s || c.n', UNDEFINED],
    ['c.s || c.missing', UNDEFINED],
  ]);
});

describe('equality', () => {
  check([
    ['c.n = 3', true],
    ['c.n != 3', false],
    ['c.n <> 4', true],
    [`c.n = '3'`, false],
    [`c.n != '3'`, true],
    ['c.nil = null', true],
    ['c.nil = false', false],
    ['c.t = 1', false],
    ['c.zero = -0', true],
    [`c.s = 'ABC'`, false],
    ['c.missing = null', UNDEFINED],
    ['c.missing = undefined', UNDEFINED],
    ['c.missing != 1', UNDEFINED],
    ['c.map = {b: [true], a: 1}', true],
    ['c.map = {"a": 1}', false],
    ['{"a": 1} = c.map', false],
    ['c.list = [1, [2, "x"], {"a": 1}]', true],
    ['c.list = [[2, "x"], 1, {"a": 1}]', false],
    ['c.list != c.map', true],
    ['[] = {}', false],
    ['{} = null', false],
    ['1 = 1 = true', true],
  ]);
});

describe('order', () => {
  check([
    ['1 < 2', true],
    ['2 <= 2', true],
    ['3 > 2', true],
    ['2 >= 3', false],
    [`'a' < 'b'`, true],
    [`'B' < 'a'`, true],
    [`'a' < 'aa'`, true],
    [`'10' < '9'`, true],
    ['false < true', true],
    ['null <= null', true],
    ['null < null', false],
    ['null < 1', UNDEFINED],
    [`1 < '2'`, UNDEFINED],
    ['true > 0', UNDEFINED],
    ['[1] < [2]', UNDEFINED],
    ['{} >= {}', UNDEFINED],
    ['c.missing < 1', UNDEFINED],
    ['1 > c.missing', UNDEFINED],
  ]);
});

describe('three-valued logic', () => {
  const values: readonly (readonly [string, boolean | undefined])[] = [
    ['true', true],
    ['false', false],
    ['undefined', UNDEFINED],
    ['c.n', UNDEFINED],
    ['c.nil', UNDEFINED],
  ];
  const and = (a?: boolean, b?: boolean) =>
    a === false || b === false ? false : a === undefined || b === undefined ? UNDEFINED : true;
  const or = (a?: boolean, b?: boolean) =>
    a === true || b === true ? true : a === undefined || b === undefined ? UNDEFINED : false;
  check(
    values.flatMap(([left, a]) =>
      values.flatMap(([right, b]) => [
        [`${left} AND ${right}`, and(a, b)] as const,
        [`${left} OR ${right}`, or(a, b)] as const,
      ]),
    ),
  );
  check([
    ['NOT true', false],
    ['NOT false', true],
    ['NOT undefined', UNDEFINED],
    ['NOT c.n', UNDEFINED],
    ['NOT NOT true', true],
    ['NOT (c.n = 3)', false],
    ['NOT c.f AND c.t', true],
    ['true OR false AND false', true],
    ['(true OR false) AND false', false],
    ['c.n = 3 AND c.s = "abc" OR c.missing', true],
    ['not c.t or c.t', true],
  ]);
});

describe('conditionals', () => {
  check([
    ['c.n > 2 ? "big" : "small"', 'big'],
    ['c.n > 5 ? "big" : "small"', 'small'],
    ['c.missing ? 1 : 2', 2],
    ['c.n ? 1 : 2', 2],
    ['c.t ? c.missing : 1', UNDEFINED],
    ['false ? 1 : false ? 2 : 3', 3],
    ['true ? c.missing ?? 5 : 6', 5],
    ['(c.missing ?? true) ? 1 : 2', 1],
    ['c.missing ?? "none"', 'none'],
    ['c.missing ?? c.gone ?? 3', 3],
    ['c.nil ?? 1', null],
    ['c.f ?? true', false],
  ]);
});

describe('IN', () => {
  check([
    ['c.n IN (1, 2, 3)', true],
    ['c.n IN (1, "3")', false],
    ['c.n NOT IN (1, 2)', true],
    ['c.n NOT IN (3)', false],
    ['c.missing IN (1)', UNDEFINED],
    ['c.missing NOT IN (1)', UNDEFINED],
    ['c.nil IN (null, 1)', true],
    ['c.n IN (c.missing)', false],
    ['c.n IN (c.missing, 1 + 2)', true],
    ['c.map IN ({"a": 1}, {"b": [true], "a": 1})', true],
    ['c.n + 1 IN (4)', true],
    ['c.t IN (true) AND c.f IN (false)', true],
  ]);
});

describe('BETWEEN', () => {
  check([
    ['c.n BETWEEN 1 AND 3', true],
    ['c.n BETWEEN 3 AND 3', true],
    ['c.n BETWEEN 4 AND 5', false],
    ['c.n NOT BETWEEN 4 AND 5', true],
    [`c.s BETWEEN 'abb' AND 'abd'`, true],
    [`c.n BETWEEN 'a' AND 'z'`, UNDEFINED],
    ['c.missing BETWEEN 1 AND 2', UNDEFINED],
    [`c.n BETWEEN 4 AND 'z'`, false],
    ['c.n BETWEEN 1 AND 5 AND c.t', true],
    ['c.n BETWEEN 1 + 1 AND 2 * 2', true],
  ]);
});

describe('LIKE', () => {
  check([
    [`c.s LIKE 'abc'`, true],
    [`c.s LIKE 'ab'`, false],
    [`c.s LIKE 'a%'`, true],
    [`c.s LIKE '%c'`, true],
    [`c.s LIKE '%b%'`, true],
    [`c.s LIKE '%d%'`, false],
    [`c.s LIKE '_b_'`, true],
    [`c.s LIKE '_b'`, false],
    [`c.s LIKE '%'`, true],
    [`'' LIKE '%'`, true],
    [`'' LIKE '_'`, false],
    [`c.s LIKE 'A%'`, false],
    [`c.s NOT LIKE 'x%'`, true],
    [`c.s LIKE '[a-c]b[^d]'`, true],
    [`c.s LIKE '[^a]%'`, false],
    [`c.s LIKE '[xyz]%'`, false],
    [`'a-b' LIKE 'a[-]b'`, true],
    [`'a]b' LIKE 'a[]]b'`, true],
    [`'a[b' LIKE 'a[b'`, true],
    [`'50%' LIKE '50!%' ESCAPE '!'`, true],
    [`'50x' LIKE '50!%' ESCAPE '!'`, false],
    [`'a_b' LIKE 'a!_b' ESCAPE '!'`, true],
    [`'axb' LIKE 'a!_b' ESCAPE '!'`, false],
    [`'a!b' LIKE 'a!!b' ESCAPE '!'`, true],
    [`'a.b' LIKE 'a.b'`, true],
    [`'axb' LIKE 'a.b'`, false],
    [`'line\\nbreak' LIKE '%b%k'`, true],
    [`'mississippi' LIKE '%iss%ip%i'`, true],
    [`'mississippi' LIKE '%iss%ix%i'`, false],
    ['c.n LIKE "3"', UNDEFINED],
    ['c.missing LIKE "%"', UNDEFINED],
    ['c.s LIKE c.n', UNDEFINED],
  ]);

  it('takes linear room for patterns that break backtracking matchers', () => {
    const text = 'a'.repeat(20_000);
    const pattern = `${'%a'.repeat(200)}%b`;
    expect(evaluate('c.text LIKE @pattern', { text }, { parameters: { '@pattern': pattern } })).toBe(false);
  });

  it('follows a pattern that changes from row to row', () => {
    const rows = [
      { id: 1, text: 'abc', pattern: 'a%' },
      { id: 2, text: 'abc', pattern: 'b%' },
      { id: 3, text: 'bcd', pattern: 'b%' },
    ];
    expect(run('SELECT VALUE c.id FROM c WHERE c.text LIKE c.pattern', rows)).toStrictEqual([1, 3]);
  });
});

describe('member access', () => {
  check([
    ['c.map.a', 1],
    ['c["map"]["b"][0]', true],
    ['c.list[1][1]', 'x'],
    ['c.list[c.n - 1].a', 1],
    ['c.list[5]', UNDEFINED],
    ['c.list[-1]', UNDEFINED],
    ['c.list[0.5]', UNDEFINED],
    ['c.list["0"]', UNDEFINED],
    ['c.list.a', UNDEFINED],
    ['c.map[0]', UNDEFINED],
    ['c.s.length', UNDEFINED],
    ['c.nil.a', UNDEFINED],
    ['c.missing.a.b', UNDEFINED],
    ['{"x": 5}.x', 5],
    ['[7, 8][1]', 8],
    ['c["ma" || "p"].a', 1],
  ]);
});

describe('parameters', () => {
  const parameters = { '@n': 3, '@list': [1, 2], '@map': { a: 1, b: [true] }, '@unused': 1, '@name': 'map' };

  it.each<[string, unknown]>([
    ['c.n = @n', true],
    ['c.map = @map', true],
    ['ARRAY_CONTAINS(@list, 2)', true],
    ['@map.b[0]', true],
    ['c[@name].a', 1],
  ])('%s', (expression, expected) => {
    expect(evaluate(expression, document, { parameters })).toStrictEqual(expected);
  });

  it('are case-sensitive, and named when missing', () => {
    expect(() => evaluate('c.n = @N', document, { parameters })).toThrow(
      'The parameter @N is not given (at 1:20)',
    );
  });
});
