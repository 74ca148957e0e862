import { describe, expect, test } from 'vitest';
import { createKqlEngine } from '../../../emulators/app-insights/src/kql/index.js';
import { engine, failure, query, REQUEST_COLUMNS, SOURCES } from './fixture.js';

/** Few rows, each of which costs a hundred milliseconds where its text is searched. */
const LONG_TEXTS = `let s = strcat(${Array.from({ length: 8 }, () => `"${'abcdefgh,'.repeat(1200)}"`).join(', ')});
range x from 1 to 4000 step 1 | extend t = strcat(s, tostring(x))`;
const BRIEF = { limits: { timeoutMs: 250 } };

describe('time', () => {
  test.each([
    ['an endless range', 'range x from 1 to 100000000000 step 1 | count'],
    [
      'a cross product',
      'range a from 1 to 100000 step 1 | extend k = 1 | join kind=inner (range b from 1 to 100000 step 1 | extend k = 1) on k | count',
    ],
    [
      'expansions of expansions',
      'print a = range(1, 9999) | mv-expand a | extend b = range(1, 9999) | mv-expand b | extend c = range(1, 9999) | mv-expand c | count',
    ],
    ['matches in long texts', `${LONG_TEXTS} | summarize sum(strlen(replace_regex(t, "[a-z]", "x")))`],
    ['numbers of matches', `${LONG_TEXTS} | summarize sum(countof(t, "[a-z]", "regex"))`],
    ['pieces of long texts', `${LONG_TEXTS} | summarize sum(array_length(split(t, ",")))`],
    [
      'long series',
      'range x from 1 to 1000 step 1 | extend t = datetime(2026-01-01) + x * 1s | make-series count() on t from datetime(2026-01-01) to datetime(2026-01-02) step 1s by x | count',
    ],
    [
      'functions that double',
      `let f0 = (x: long) { x + 1 };${doubled((i) => `let f${i} = (x: long) { f${i - 1}(x) + f${i - 1}(x) };`)} print f40(1)`,
    ],
    [
      'unions that double',
      `let t0 = requests;${doubled((i) => `let t${i} = union t${i - 1}, t${i - 1};`)} t40 | count`,
    ],
  ])('%s', (_, text) => {
    const error = failure(text, BRIEF);
    expect(error.code).toBe('LIMIT');
    expect(error.message).toMatch(/timeoutMs = 250|expands to more than/);
  });

  test('is measured by the injected clock', () => {
    let now = 0;
    const slow = createKqlEngine({ requests: REQUEST_COLUMNS }, { clock: () => (now += 1000) });
    expect(() =>
      slow.execute('range x from 1 to 100000 step 1 | count', {}, { limits: { timeoutMs: 5000 } }),
    ).toThrow(/timeoutMs = 5000/);
  });
});

function doubled(line: (i: number) => string): string {
  return Array.from({ length: 40 }, (_, i) => line(i + 1)).join('\n');
}

describe('memory and rows', () => {
  const small = { limits: { maxMemoryBytes: 1_000_000 } };

  test.each([
    ['sort', 'range x from 1 to 1000000 step 1 | sort by x | take 1'],
    ['groups', 'range x from 1 to 1000000 step 1 | summarize count() by x | count'],
    ['distinct', 'range x from 1 to 1000000 step 1 | distinct x | count'],
    ['join', 'print k = 1 | join kind=inner (range k from 1 to 1000000 step 1) on k'],
    ['make_list', 'range x from 1 to 1000000 step 1 | summarize make_list(x)'],
    ['make_set', 'range x from 1 to 1000000 step 1 | summarize make_set(x)'],
    ['percentile', 'range x from 1 to 1000000 step 1 | summarize percentile(x, 50)'],
    ['result', 'range x from 1 to 1000000 step 1'],
    ['in (table)', 'requests | where itemCount in ((range x from 1 to 1000000 step 1))'],
  ])('%s', (_, text) => {
    const error = failure(text, small);
    expect(error.code).toBe('LIMIT');
    expect(error.message).toContain('maxMemoryBytes = 1000000');
  });

  test.each([
    ['arrays', 'range x from 1 to 100 step 1 | extend a = range(1, 10000)'],
    ['texts', `range x from 1 to 1000 step 1 | extend a = strcat(x, "${'y'.repeat(2000)}")`],
    [
      'texts as sort keys',
      `range x from 1 to 1000 step 1 | sort by strcat(x, "${'y'.repeat(2000)}") | take 1`,
    ],
    [
      'texts as group keys',
      `range x from 1 to 1000 step 1 | summarize count() by strcat(x, "${'y'.repeat(2000)}") | count`,
    ],
  ])('values that are computed count: %s', (_, text) => {
    expect(failure(text, small).message).toContain('maxMemoryBytes');
  });

  test('limits that make no sense are refused', () => {
    expect(() => query('print 1', { limits: { timeoutMs: 0 } })).toThrow(
      /timeoutMs is 0; it must be above 0/,
    );
    expect(() => query('print 1', { limits: { maxResultRows: Number.NaN } })).toThrow(/maxResultRows is NaN/);
    expect(query('print 1', { limits: { timeoutMs: undefined } as object }).rows).toEqual([[1]]);
  });

  test('top holds only what it needs', () => {
    expect(query('range x from 1 to 200000 step 1 | top 3 by x', small).rows).toEqual([
      [200000],
      [199999],
      [198000 + 1998],
    ]);
  });

  test('rows of the result', () => {
    expect(failure('range x from 1 to 11 step 1', { limits: { maxResultRows: 10 } }).message).toContain(
      'maxResultRows = 10',
    );
    expect(query('range x from 1 to 10 step 1', { limits: { maxResultRows: 10 } }).rows).toHaveLength(10);
  });

  test('toscalar gives back what it held', () => {
    const text = `print ${Array.from({ length: 5 }, () => 'toscalar(range x from 1 to 6000 step 1 | sort by x | take 1)').join(', ')}`;
    expect(query(text, small).rows).toEqual([[6000, 6000, 6000, 6000, 6000]]);
  });
});

describe('text', () => {
  test('length', () => {
    expect(failure(`print "${'x'.repeat(200)}"`, { limits: { maxQueryLength: 100 } }).message).toContain(
      'maxQueryLength = 100',
    );
  });

  test('brackets, but not those inside of strings and comments', () => {
    expect(failure(`print ${'('.repeat(150)}1${')'.repeat(150)}`)).toMatchObject({ code: 'LIMIT' });
    expect(failure('('.repeat(50_000)).code).toBe('LIMIT');
    expect(query(`print strlen("${'('.repeat(300)}") // ${'['.repeat(300)}`).rows).toEqual([[300]]);
    expect(query(`print strlen(@'${'('.repeat(300)}')`).rows).toEqual([[300]]);
  });

  test('ten thousand columns', () => {
    const columns = Array.from({ length: 10_000 }, (_, i) => `a${i}=1`).join(',');
    expect(failure(`print ${columns}`, BRIEF).message).toMatch(/timeoutMs = 250|expands to more than/);
  });

  test.each([
    ['operators in one chain', `requests | where name == "x"${' or name == "x"'.repeat(3000)}`],
    ['pipes', `requests${' | take 1'.repeat(3000)}`],
    ['sums', `print 1${'+1'.repeat(5000)}`],
  ])('a long chain of %s', (_, text) => {
    expect(failure(text).code).toBe('LIMIT');
  });

  test('let statements in a long chain', () => {
    const text = `let a0 = 1;${Array.from({ length: 400 }, (_, i) => `let a${i + 1} = a${i} + 1;`).join('')} print a400`;
    expect(query(text).rows).toEqual([[401]]);
  });
});

describe('values', () => {
  test('strings that grow', () => {
    const error = failure(`print a = "xxxxxxxxxx"${' | extend a = strcat(a, a)'.repeat(30)}`);
    expect(error).toMatchObject({ code: 'RUNTIME' });
    expect(error.message).toContain('1048576');
    expect(failure(`print a = replace_string("${'a'.repeat(2000)}", "a", "${'b'.repeat(2000)}")`).code).toBe(
      'RUNTIME',
    );
  });

  test('arrays that grow', () => {
    expect(failure('print range(1, 100000000)').code).toBe('LIMIT');
    expect(
      failure(
        'requests | make-series count() on timestamp from datetime(2000-01-01) to datetime(2026-02-01) step 1s',
      ).code,
    ).toBe('LIMIT');
  });

  test.each([
    ['nested stars', `print "${'a'.repeat(30_000)}" matches regex "(a*)*b"`, false],
    ['alternatives', `print "${'a'.repeat(30_000)}" matches regex "(a|aa)+$"`, true],
    ['counted', `print "${'a'.repeat(5000)}" matches regex "(a{1,20}){1,20}b"`, false],
  ])('regular expressions that hang a backtracking engine: %s', (_, text, expected) => {
    expect(query(text).rows).toEqual([[expected]]);
  });

  test('regular expressions that would compile to too much', () => {
    expect(failure('print "x" matches regex "((a{100}){100}){100}"').message).toContain('1000');
    expect(failure(`print "x" matches regex "${'a'.repeat(1001)}"`).message).toContain('1000');
  });

  test('JSON nested too deeply for the stack', () => {
    const deep = { value: null as unknown };
    for (let i = 0; i < 100_000; i += 1) deep.value = [deep.value];
    const row = [...(SOURCES.requests.batches()[Symbol.iterator]().next().value?.[0] ?? [])];
    row[7] = deep.value;
    const sources = { requests: { columns: REQUEST_COLUMNS, batches: () => [[row]] } };
    expect(() => engine.execute('requests | project tostring(customDimensions)', sources)).toThrow(
      /nested too deeply/,
    );
  });
});
