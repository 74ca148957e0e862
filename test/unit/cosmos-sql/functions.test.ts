import { describe, expect, it } from 'vitest';
import { functionNames } from '../../../emulators/cosmos/src/sql/functions/registry.js';
import { errorOf, evaluate } from './run-query.js';

const UNDEFINED = undefined;
const tested = new Set<string>();

function check(family: string, cases: readonly (readonly [string, unknown])[]): void {
  for (const [expression] of cases) {
    for (const [name] of expression.matchAll(/\w+(?=\()/g)) tested.add(name.toUpperCase());
  }
  describe(family, () => {
    it.each(cases)('%s', (expression, expected) => {
      const value = evaluate(expression, {});
      if (typeof expected === 'number') expect(value).toBeCloseTo(expected, 10);
      else expect(value).toStrictEqual(expected);
    });
  });
}

check('type checks', [
  ['[IS_ARRAY([]), IS_ARRAY({}), IS_ARRAY("[]"), IS_ARRAY(undefined)]', [true, false, false, false]],
  ['[IS_BOOL(true), IS_BOOL(0), IS_BOOL(null), IS_BOOL(undefined)]', [true, false, false, false]],
  [
    '[IS_DEFINED(null), IS_DEFINED(undefined), IS_DEFINED(1 / 0), IS_DEFINED(1 + "a")]',
    [true, false, false, false],
  ],
  ['[IS_NULL(null), IS_NULL(0), IS_NULL(undefined)]', [true, false, false]],
  ['[IS_NUMBER(1), IS_NUMBER("1"), IS_NUMBER(undefined)]', [true, false, false]],
  ['[IS_FINITE_NUMBER(1.5), IS_FINITE_NUMBER("x")]', [true, false]],
  ['[IS_INTEGER(5), IS_INTEGER(5.5), IS_INTEGER(1e30), IS_INTEGER("5")]', [true, false, false, false]],
  ['[IS_OBJECT({}), IS_OBJECT([]), IS_OBJECT(null), IS_OBJECT(undefined)]', [true, false, false, false]],
  ['[IS_PRIMITIVE(1), IS_PRIMITIVE("a"), IS_PRIMITIVE(false), IS_PRIMITIVE(null)]', [true, true, true, true]],
  ['[IS_PRIMITIVE([]), IS_PRIMITIVE({}), IS_PRIMITIVE(undefined)]', [false, false, false]],
  ['[IS_STRING(""), IS_STRING(1), IS_STRING(undefined)]', [true, false, false]],
  ['[IIF(true, 1, 2), IIF(false, 1, 2), IIF(42, 1, 2), IIF(undefined, 1, 2)]', [1, 2, 2, 2]],
  ['IIF(true, undefined, 2)', UNDEFINED],
]);

check('math', [
  ['[ABS(-1), ABS(0), ABS(1.5)]', [1, 0, 1.5]],
  ['ABS("1")', UNDEFINED],
  ['ABS(undefined)', UNDEFINED],
  ['ACOS(-1)', Math.PI],
  ['ACOS(2)', UNDEFINED],
  ['ASIN(1)', Math.PI / 2],
  ['ATAN(1)', Math.PI / 4],
  ['ATN2(35.175643, 129.44)', 0.265344532064832],
  ['[CEILING(123.45), CEILING(-123.45)]', [124, -123]],
  ['COS(14.78)', -0.5994654261946543],
  ['COT(124.1332)', -0.040311998371148884],
  ['DEGREES(PI() / 2)', 90],
  ['EXP(10)', 22026.465794806718],
  ['EXP(1000)', UNDEFINED],
  ['[FLOOR(123.45), FLOOR(-123.45)]', [123, -124]],
  ['LOG(10)', Math.LN10],
  ['LOG(8, 2)', 3],
  ['LOG(0)', UNDEFINED],
  ['LOG(-1)', UNDEFINED],
  ['LOG10(100)', 2],
  ['[NumberBin(37.752, 10), NumberBin(-1, 10), NumberBin(2.7)]', [30, -10, 2]],
  ['NumberBin(1, 0)', UNDEFINED],
  ['PI()', Math.PI],
  ['[POWER(2, 3), POWER(2.5, 3)]', [8, 15.625]],
  ['POWER(-1, 0.5)', UNDEFINED],
  ['RADIANS(-45.01)', -0.7855726963226477],
  ['[ROUND(2.4), ROUND(2.6), ROUND(2.5), ROUND(-2.4), ROUND(-2.6), ROUND(-2.5)]', [2, 3, 3, -2, -3, -3]],
  ['ROUND(0.5)', 1],
  ['ROUND(4840904997601420)', 4840904997601420],
  ['[SIGN(-2), SIGN(0), SIGN(2)]', [-1, 0, 1]],
  ['SIN(45.175643)', 0.929607286611012],
  ['[SQRT(4), SQRT(2.0)]', [2, Math.SQRT2]],
  ['SQRT(-1)', UNDEFINED],
  ['SQUARE(3)', 9],
  ['TAN(PI() / 4)', 1],
  ['[TRUNC(2.6), TRUNC(-2.6)]', [2, -2]],
]);

check('strings', [
  ["CONCAT('abc', 'def', 'g')", 'abcdefg'],
  ["CONCAT('abc', 1)", UNDEFINED],
  [
    "[CONTAINS('abc', 'ab'), CONTAINS('abc', 'A'), CONTAINS('abc', 'A', true), CONTAINS('Hello', '')]",
    [true, false, true, true],
  ],
  ["CONTAINS('abc', 1)", UNDEFINED],
  ["CONTAINS('abc', 'a', 1)", UNDEFINED],
  ["[ENDSWITH('abc', 'bC'), ENDSWITH('abc', 'bC', true), ENDSWITH('abc', 'b')]", [false, true, false]],
  [
    "[STARTSWITH('abc', 'ab'), STARTSWITH('abc', 'AB', false), STARTSWITH('abc', 'AB', true)]",
    [true, false, true],
  ],
  ["[StringEquals('a', 'A'), StringEquals('a', 'A', true), StringEquals('a', 'a')]", [false, true, true]],
  ["StringEquals('a', 1)", UNDEFINED],
  ["[INDEX_OF('abc', 'c'), INDEX_OF('abc', 'x'), INDEX_OF('abcabc', 'a', 1)]", [2, -1, 3]],
  ["[LEFT('Hello', 2), LEFT('Hello', 0), LEFT('Hello', -3), LEFT('Hello', 9)]", ['He', '', '', 'Hello']],
  ["LEFT('Hello', 1.5)", UNDEFINED],
  [
    "[RIGHT('Hello', 2), RIGHT('Hello', 0), RIGHT('Hello', -3), RIGHT('Hello', 2147483648)]",
    ['lo', '', '', 'Hello'],
  ],
  ["RIGHT('Hello', 1.5)", UNDEFINED],
  ["[LENGTH('abc'), LENGTH('')]", [3, 0]],
  ['LENGTH(5)', UNDEFINED],
  ["[LOWER('ABC'), UPPER('abc')]", ['abc', 'ABC']],
  ["[LTRIM('  a '), RTRIM(' a  '), TRIM(' a ')]", ['a ', ' a', 'a']],
  ["[REPLACE('This is a Test', 'Test', 'desk'), REPLACE('aaa', 'a', '$&')]", ['This is a desk', '$&$&$&']],
  ["REPLACE('Hello', '', 'x')", UNDEFINED],
  ["[REPLICATE('a', 3), REPLICATE('Hello', 1.5), REPLICATE('a', 0)]", ['aaa', 'Hello', '']],
  ["REPLICATE('Hello', -1)", UNDEFINED],
  ["REPLICATE('Hello', 10000)", UNDEFINED],
  ["REPLICATE('Hello', EXP(400))", UNDEFINED],
  ["[REVERSE('Abc'), REVERSE('a🙂')]", ['cbA', '🙂a']],
  [
    "[SUBSTRING('abc', 1, 1), SUBSTRING('Hello', -3, 5), SUBSTRING('abc', 1, 99), SUBSTRING('abc', 5, 1)]",
    ['b', '', 'bc', ''],
  ],
  ["SUBSTRING('abc', '1', 1)", UNDEFINED],
  ["StringJoin(['a', 'b'], '-')", 'a-b'],
  ["StringJoin(['a', 1], '-')", UNDEFINED],
  ["StringSplit('a,b,,c', ',')", ['a', 'b', '', 'c']],
  ['StringToArray(\'[1, ["a"], {}]\')', [1, ['a'], {}]],
  [`StringToArray("['a']")`, UNDEFINED],
  ["StringToArray('1')", UNDEFINED],
  ["[StringToBoolean('true'), StringToBoolean(' false ')]", [true, false]],
  ["StringToBoolean('TRUE')", UNDEFINED],
  ["StringToNull(' null ')", null],
  ["StringToNull('undefined')", UNDEFINED],
  ["[StringToNumber('1.0'), StringToNumber('-1.5e+3'), StringToNumber(' 6 ')]", [1, -1500, 6]],
  ["StringToNumber('0xF')", UNDEFINED],
  ["StringToNumber('Infinity')", UNDEFINED],
  ["StringToNumber('1e999')", UNDEFINED],
  [`StringToObject('{"a": {"b": 1}}')`, { a: { b: 1 } }],
  ["StringToObject('[]')", UNDEFINED],
  [
    "[ToString(1.0), ToString('x'), ToString(true), ToString(null), ToString([1, {}])]",
    ['1', 'x', 'true', 'null', '[1,{}]'],
  ],
  ['ToString(undefined)', UNDEFINED],
  [
    "[RegexMatch('abcd', 'ABC', 'i'), RegexMatch('abcd', '^bc'), RegexMatch('a\\nb', 'a.b', 's')]",
    [true, false, true],
  ],
  ["RegexMatch('abcd', '(')", UNDEFINED],
  ["RegexMatch('abcd', 'a', 'q')", UNDEFINED],
]);

check('arrays', [
  ["ARRAY_CONCAT(['a'], ['b', 'c'], [])", ['a', 'b', 'c']],
  ["ARRAY_CONCAT('a', ['b'])", UNDEFINED],
  ["ARRAY_CONCAT(undefined, ['b'])", UNDEFINED],
  [
    "[ARRAY_CONTAINS(['a', 'b'], 'a'), ARRAY_CONTAINS(['a'], 'c'), ARRAY_CONTAINS([[1]], [1])]",
    [true, false, true],
  ],
  ['ARRAY_CONTAINS([{"n": 1, "m": 2}], {"n": 1}, true)', true],
  ['ARRAY_CONTAINS([{"n": 1, "m": 2}], {"n": 1})', false],
  ['ARRAY_CONTAINS([{"n": 1, "m": 2}], {"n": 2}, true)', false],
  ['ARRAY_CONTAINS([{"n": {"x": 1, "y": 2}}], {"n": {"y": 2}}, true)', true],
  ['ARRAY_CONTAINS([SQUARE(2), POWER(2, 2)], 2)', false],
  ["ARRAY_CONTAINS('abc', 'a')", UNDEFINED],
  ['ARRAY_CONTAINS([1], undefined)', UNDEFINED],
  ['[ARRAY_CONTAINS_ANY([1, 2], 5, 2), ARRAY_CONTAINS_ANY([1, 2], 5)]', [true, false]],
  ['[ARRAY_CONTAINS_ALL([1, 2, 3], 3, 1), ARRAY_CONTAINS_ALL([1, 2], 1, 5)]', [true, false]],
  ['[ARRAY_LENGTH([]), ARRAY_LENGTH([1, 2])]', [0, 2]],
  ["ARRAY_LENGTH('ab')", UNDEFINED],
  ["ARRAY_SLICE(['a', 'b', 'c'], 1)", ['b', 'c']],
  ["ARRAY_SLICE(['a', 'b', 'c'], 1, 1)", ['b']],
  ["ARRAY_SLICE(['a', 'b', 'c'], -2, 1)", ['b']],
  ["ARRAY_SLICE(['a', 'b', 'c'], -2, 2)", ['b', 'c']],
  ["ARRAY_SLICE(['a', 'b', 'c'], 1, 0)", []],
  ["ARRAY_SLICE(['a', 'b', 'c'], 1, 1000)", ['b', 'c']],
  ["ARRAY_SLICE(['a', 'b', 'c'], 1, -100)", []],
  ["ARRAY_SLICE(['a'], 'x')", UNDEFINED],
  ["[CHOOSE(1, 'a', 'b'), CHOOSE(2, 'a', 'b')]", ['a', 'b']],
  ["CHOOSE(3, 'a', 'b')", UNDEFINED],
  ["CHOOSE(0, 'a', 'b')", UNDEFINED],
  [
    'ObjectToArray({"a": "12345", "b": 67890})',
    [
      { k: 'a', v: '12345' },
      { k: 'b', v: 67890 },
    ],
  ],
  ['ObjectToArray({"a": 1}, "name", "value")', [{ name: 'a', value: 1 }]],
  ['ObjectToArray([])', UNDEFINED],
  ['SetDifference([1, 2, 2, 3], [2])', [1, 3]],
  ['[SetEqual([1, 2], [2, 1, 1]), SetEqual([1], [1, 2]), SetEqual([[1]], [[1]])]', [true, false, true]],
  ['SetIntersect([1, 2, 3, 3], [3, 4, 1])', [1, 3]],
  ['SetUnion([1, 2], [2, {"a": 1}, {"a": 1}])', [1, 2, { a: 1 }]],
  ['SetUnion([1], 2)', UNDEFINED],
]);

check('dates', [
  ['DateTimeAdd("mm", 1, "2020-07-09T23:20:13.4575530Z")', '2020-08-09T23:20:13.4575530Z'],
  ['DateTimeAdd("yyyy", -1, "2020-02-29T00:00:00Z")', '2019-02-28T00:00:00.0000000Z'],
  ['DateTimeAdd("mm", 1, "2021-01-31T10:00:00Z")', '2021-02-28T10:00:00.0000000Z'],
  ['DateTimeAdd("hh", 2, "2020-12-31T23:00:00.0000000Z")', '2021-01-01T01:00:00.0000000Z'],
  ['DateTimeAdd("ns", 200, "2020-01-01T00:00:00Z")', '2020-01-01T00:00:00.0000002Z'],
  ['DateTimeAdd("dd", 1, "1960-12-31T00:00:00.5Z")', '1961-01-01T00:00:00.5000000Z'],
  ['DateTimeAdd("week", 1, "2020-01-01T00:00:00Z")', UNDEFINED],
  ['DateTimeAdd("dd", 1.5, "2020-01-01T00:00:00Z")', UNDEFINED],
  ['DateTimeAdd("yyyy", 9000, "2020-01-01T00:00:00Z")', UNDEFINED],
  ['DateTimeAdd("dd", 1, "2020-02-30T00:00:00Z")', UNDEFINED],
  ['DateTimeAdd("dd", 1, "yesterday")', UNDEFINED],
  ['DateTimeBin("2021-01-08T18:35:00.0000000", "dd")', '2021-01-08T00:00:00.0000000Z'],
  ['DateTimeBin("2021-01-08T18:35:00.0000000", "hh")', '2021-01-08T18:00:00.0000000Z'],
  ['DateTimeBin("2021-01-08T18:35:00.0000000", "hh", 5)', '2021-01-08T15:00:00.0000000Z'],
  ['DateTimeBin("2021-01-08T18:35:00.0000000", "dd", 7)', '2021-01-07T00:00:00.0000000Z'],
  [
    'DateTimeBin("2021-01-08T18:35:00.0000000", "dd", 7, "1601-01-01T00:00:00.0000000")',
    '2021-01-04T00:00:00.0000000Z',
  ],
  ['DateTimeBin("2021-01-08T18:35:00.0000001Z", "ns", 50)', '2021-01-08T18:35:00.0000001Z'],
  ['DateTimeBin("2021-01-08T18:35:00Z", "mm")', UNDEFINED],
  ['DateTimeBin("2021-01-08T18:35:00Z", "dd", 0)', UNDEFINED],
  ['DateTimeDiff("yyyy", "2019-02-04T16:00:00.0000000", "2018-03-05T05:00:00.0000000")', -1],
  ['DateTimeDiff("mm", "2019-02-04T16:00:00.0000000", "2018-03-05T05:00:00.0000000")', -11],
  ['DateTimeDiff("dd", "2019-02-04T16:00:00.0000000", "2018-03-05T05:00:00.0000000")', -336],
  ['DateTimeDiff("hh", "2019-02-04T16:00:00.0000000", "2018-03-05T05:00:00.0000000")', -8075],
  ['DateTimeDiff("day", "2020-01-01T23:59:59Z", "2020-01-02T00:00:00Z")', 1],
  ['DateTimeDiff("ns", "2020-01-01T00:00:00Z", "2020-01-01T00:00:00.0000002Z")', 200],
  ['DateTimeDiff("yyyy", "2020-01-01T00:00:00Z", "2020 - 01 - 03")', UNDEFINED],
  ['DateTimeFromParts(2020, 9, 4)', '2020-09-04T00:00:00.0000000Z'],
  ['DateTimeFromParts(2017, 4, 20, 13, 15, 20, 3456789)', '2017-04-20T13:15:20.3456789Z'],
  ['DateTimeFromParts(2020, 13, 1)', UNDEFINED],
  ['DateTimeFromParts(2020, 2, 30)', UNDEFINED],
  ['DateTimeFromParts(-2000, 1, 1)', UNDEFINED],
  ['DateTimeFromParts(2020, 1, 1, 0, 0, 0, 10000000)', UNDEFINED],
  [
    '[DateTimePart("yyyy", "2020-01-02T03:04:05.6789123Z"), DateTimePart("mm", "2020-01-02T03:04:05.6789123Z"), DateTimePart("dd", "2020-01-02T03:04:05.6789123Z"), DateTimePart("hh", "2020-01-02T03:04:05.6789123Z")]',
    [2020, 1, 2, 3],
  ],
  [
    '[DateTimePart("mi", "2020-01-02T03:04:05.6789123Z"), DateTimePart("ss", "2020-01-02T03:04:05.6789123Z"), DateTimePart("ms", "2020-01-02T03:04:05.6789123Z"), DateTimePart("mcs", "2020-01-02T03:04:05.6789123Z"), DateTimePart("ns", "2020-01-02T03:04:05.6789123Z")]',
    [4, 5, 678, 678912, 678912300],
  ],
  ['DateTimePart("ms", "1969-12-31T23:59:59.9990000Z")', 999],
  ['[Year("2020-05-06"), Month("2020-05-06"), Day("2020-05-06T07:08:09Z")]', [2020, 5, 6]],
  ['DateTimeToTicks("2020-01-02T03:04:05Z")', 15779342450000000],
  ['DateTimeToTimestamp("2020-07-09T23:20:13.4575530Z")', 1594336813457],
  ['DateTimeToTimestamp("2020-07-09")', 1594252800000],
  ['DateTimeToTimestamp("1969-12-31T23:59:59.9995000Z")', -1],
  ['DateTimeToTimestamp("2020-07-09T25:00:00Z")', UNDEFINED],
  ['TicksToDateTime(15943368134575530)', '2020-07-09T23:20:13.4575530Z'],
  ['TimestampToDateTime(1594227912345)', '2020-07-08T17:05:12.3450000Z'],
  ['TimestampToDateTime(1e300)', UNDEFINED],
  ['TimestampToDateTime("1")', UNDEFINED],
]);

describe('functions that depend on their surroundings', () => {
  const names = [
    'RAND',
    'GetCurrentDateTime',
    'GetCurrentTicks',
    'GetCurrentTimestamp',
    'GetCurrentDateTimeStatic',
    'GetCurrentTicksStatic',
    'GetCurrentTimestampStatic',
  ];
  for (const name of names) tested.add(name.toUpperCase());

  it('take the clock and the random source they are given', () => {
    let now = 1_700_000_000_000;
    const options = { now: () => now++, random: () => 0.25 };
    const value = evaluate(
      `[${names.map((name) => `${name}()`).join(', ')}, GetCurrentTimestamp()]`,
      {},
      options,
    );
    expect(value).toStrictEqual([
      0.25,
      '2023-11-14T22:13:20.0010000Z',
      17_000_000_000_020_000,
      1_700_000_000_003,
      '2023-11-14T22:13:20.0000000Z',
      17_000_000_000_000_000,
      1_700_000_000_000,
      1_700_000_000_004,
    ]);
  });
});

describe('the table of functions', () => {
  it('holds nothing that these tests leave out', () => {
    expect(functionNames().filter((name) => !tested.has(name))).toStrictEqual([]);
  });

  it('matches a pattern that would take a backtracking engine longer than the universe exists', () => {
    const text = `${'a'.repeat(5_000)}!`;
    expect(evaluate(`RegexMatch('${text}', '^(a+)+$')`)).toBe(false);
    expect(evaluate(`RegexMatch('${text}', '(x+x+)+y|!$')`)).toBe(true);
  });

  it.each([
    ['(?=a)b', 'is not supported'],
    ['(a)\\\\1', 'is not supported'],
    ['a'.repeat(1_001), 'A pattern of 1001 characters'],
    ['((a{20}){20}){20}', 'counts multiply to more than 1000'],
  ])('refuses the pattern %j by name', (pattern, message) => {
    const error = errorOf(() => evaluate(`RegexMatch('a', '${pattern}')`));
    expect(error).toMatchObject({ code: 'UNSUPPORTED' });
    expect(error.message).toContain(message);
  });

  it('refuses by position what only an argument value shows', () => {
    const error = errorOf(() => evaluate("RegexMatch('a', 'a', 'x')"));
    expect(error).toMatchObject({ code: 'UNSUPPORTED', position: 13 });
    expect(error.message).toContain("REGEXMATCH: The modifier 'x' is not supported");
  });
});
