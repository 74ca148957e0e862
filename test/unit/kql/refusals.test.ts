import { describe, expect, test } from 'vitest';
import { createKqlEngine } from '../../../emulators/app-insights/src/kql/index.js';
import { engine, failure, query } from './fixture.js';

/** What is valid Kusto but not run here: the name must be in the message, at its place. */
const REFUSED: readonly (readonly [text: string, named: string, column: number])[] = [
  ['requests | evaluate bag_unpack(customDimensions)', 'evaluate', 12],
  ['requests | serialize | extend r = row_number()', 'serialize', 12],
  ['requests | sample 5', 'sample', 12],
  ['requests | parse name with "GET " path', 'parse', 12],
  ['requests | lookup dependencies on operation_Id', 'lookup', 12],
  ['requests | getschema', 'getschema', 12],
  ['requests | as T', 'as', 12],
  ['requests | mv-apply t = customDimensions.tags on (take 1)', 'mv-apply', 12],
  ['requests | top-nested 3 of name by count()', 'top-nested', 12],
  ['requests | where hash(name) > 1', 'hash', 18],
  ['requests | extend x = parse_url(name)', 'parse_url', 23],
  ['requests | summarize hll(name)', 'hll', 22],
  ['requests | summarize make_bag(customDimensions)', 'make_bag', 22],
  ['print todecimal(1)', 'todecimal', 7],
  ['print decimal(1.5)', 'decimal', 7],
  ['print x = 1 | render ladderchart', 'ladderchart', 15],
  ['find "x"', 'find', 1],
  ['search "x"', 'search', 1],
  ['union isfuzzy=true requests, dependencies', 'true', 15],
  ['union withsource=t requests, (dependencies)', 'withsource', 30],
  ['union kind=inner (requests | project id, name), (dependencies | project id)', 'kind=inner', 1],
  ['requests | make-series count() on timestamp in range(ago(1h), now(), 1m)', 'in range', 45],
  ['requests | make-series make_list(name) on timestamp from ago(1h) to now() step 1m', 'make_list', 24],
  ['requests | where name in (id, "x")', 'row', 27],
  ['requests | where name matches regex id', 'regular expression', 18],
  ['requests | where success == 1', 'string == long', 18],
  ['requests | extend x = customDimensions.n * 2', 'dynamic * long', 23],
  ['let f = (T: (x: long)) { T | count }; f(range x from 1 to 3 step 1)', 'table', 13],
  ['set querytrace; requests | count', 'set querytrace', 1],
  ['requests | count; dependencies | count', 'requests | count', 1],
  ['requests | project x = iff(true, "a", 1)', 'iff', 24],
  ['print bag_has_key(dynamic({}), "$.a")', 'JSON path', 7],
  ['requests | mvexpand tag = customDimensions.tags', 'mvexpand', 12],
  ['requests | summarize both = take_any(*)', 'summarize', 12],
  ['let f = (x: long) {}; print f(1)', 'function without a result', 9],
  ['requests | take toint(duration)', 'duration', 23],
];

describe('refusals', () => {
  test.each(REFUSED)('%s', (text, named, column) => {
    const error = failure(text);
    // The language service may refuse before the engine does; either way nothing is answered.
    expect(['UNSUPPORTED', 'SEMANTIC', 'SYNTAX']).toContain(error.code);
    if (error.code === 'UNSUPPORTED') {
      expect(error.message).toContain(named);
      expect(error.diagnostics[0]).toMatchObject({ line: 1, column, code: 'KQL1' });
    }
  });

  test('most of them are refused by the engine, not by the language service', () => {
    const byEngine = REFUSED.filter(([text]) => failure(text).code === 'UNSUPPORTED');
    expect(byEngine.length).toBeGreaterThanOrEqual(REFUSED.length - 4);
  });

  test('a parameter that is not known is refused, also when the language service lets it through', () => {
    expect(failure('requests | summarize hint.materialized=true count()').code).not.toBe('RUNTIME');
  });

  test('line and column count from 1, over several lines', () => {
    const error = failure('requests\n| where true\n  | sample 3');
    expect(error.diagnostics[0]).toMatchObject({ line: 3, column: 5, start: 26, length: 8 });
    expect(error.message).toBe('Not supported here: the operator sample (3:5)');
  });
});

describe('errors of the text', () => {
  test('syntax', () => {
    const error = failure('requests | wher x');
    expect(error.code).toBe('SYNTAX');
    expect(error.diagnostics[0]).toMatchObject({ message: 'Query operator expected.', line: 1, column: 12 });
  });

  test('unknown names', () => {
    const error = failure('requests | where nme == "x"');
    expect(error.code).toBe('SEMANTIC');
    expect(error.diagnostics[0]).toMatchObject({ code: 'KS142', start: 17, length: 3, severity: 'error' });
    expect(failure('nothing | count').code).toBe('SEMANTIC');
  });

  test.each(['', '   ', '// only a comment', '.show tables', '\u0000', '}{', '|'])('no query: %j', (text) => {
    expect(['SYNTAX', 'SEMANTIC', 'UNSUPPORTED']).toContain(failure(text).code);
  });
});

describe('errors of the data', () => {
  test.each([
    ['print 9007199254740993', '9007199254740992'],
    ['print 9007199254740991 + 1', '±(2^53 - 1)'],
    ['print 4611686018427387904 * 4', '±(2^53 - 1)'],
    ['range x from 1 to 3 step 1 | extend y = 4503599627370496 | summarize sum(y)', 'The sum is outside'],
    ['print datetime(9999-12-31) + 365d', 'years 1 to 9999'],
    ['print parse_json("{\\"a\\":\\"5\\"}").a > 3', 'kind string is compared with a long'],
    ['print parse_json("5") in ("5")', 'kind number is compared with a string'],
    ['print parse_json("5") == "5"', 'kind number is compared with a string'],
    ['print "x" matches regex "("', 'regular expression'],
    ['print extract("a", 1, "a")', '0 groups'],
    ['print split("abc", "")', 'empty delimiter'],
    ['print range(1, 5, 0)', 'step of 0'],
    ['print format_datetime(now(), "yyyy Q")', 'yyyy Q'],
    ['print todatetime("12-02-2022")', 'ISO 8601'],
    ['requests | take -1', '0 or more'],
    ['requests | summarize percentile(duration, 101)', '0 to 100'],
    ['requests | summarize make_list(id, 0)', 'above 0'],
    ['requests | make-series count() on timestamp from ago(1h) to now() step 0m', 'above 0'],
  ])('%s', (text, named) => {
    const error = failure(text);
    expect(error.message).toContain(named);
    expect(error.code).toBe('RUNTIME');
  });
});

describe('analyze', () => {
  test('gives columns without running anything', () => {
    expect(engine.analyze('requests | summarize avg(duration), count() by name')).toEqual({
      diagnostics: [],
      columns: [
        { name: 'name', type: 'string' },
        { name: 'avg_duration', type: 'real' },
        { name: 'count_', type: 'long' },
      ],
    });
  });

  test("gives the language service's errors, and the engine's refusals", () => {
    expect(engine.analyze('requests | where nme == 1').diagnostics[0]).toMatchObject({ code: 'KS142' });
    expect(engine.analyze('requests | sample 5')).toMatchObject({
      diagnostics: [
        { code: 'KQL1', line: 1, column: 12, message: 'Not supported here: the operator sample' },
      ],
      columns: [],
    });
    expect(engine.analyze('print "x" matches regex "("').diagnostics).toHaveLength(1);
  });

  test('does not mind values that only a run knows', () => {
    expect(engine.analyze('requests | take toscalar(requests | count)').diagnostics).toEqual([]);
  });
});

describe('complete', () => {
  test('proposes columns and operators', () => {
    const text = 'requests | where na';
    const { items, editStart, editLength } = engine.complete(text, text.length);
    expect(items.map((i) => i.label)).toContain('name');
    expect(text.slice(editStart, editStart + editLength)).toBe('na');
    expect(engine.complete('requests | ', 11).items.map((i) => i.label)).toContain('summarize');
  });

  test('takes positions outside of the text', () => {
    expect(engine.complete('requests', 999).items.length).toBeGreaterThan(0);
    expect(engine.complete('requests', -5).items.length).toBeGreaterThan(0);
  });
});

test('schemas with decimal columns are refused when the engine is made', () => {
  expect(() => createKqlEngine({ t: [{ name: 'price', type: 'decimal' }] })).toThrow(/t\.price/);
});

test('column names may have any characters', () => {
  const columns = [{ name: `it's a "name" \\ here`, type: 'long' as const }];
  const odd = createKqlEngine({ t: columns });
  const result = odd.execute('t', { t: { columns, batches: () => [[[7]]] } });
  expect(result).toMatchObject({ columns, rows: [[7]] });
});

test('a table without a source is an error when it is read', () => {
  expect(() => engine.execute('requests', {})).toThrow(/no source for the table requests/);
  expect(query('print 1').rows).toEqual([[1]]);
});
