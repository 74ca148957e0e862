import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Column } from '../../../emulators/app-insights/src/kql/index.js';
import { createKqlEngine } from '../../../emulators/app-insights/src/kql/index.js';
import { source } from './fixture.js';

/** Scalar operators and functions, row by row, against plain JavaScript: short texts of few letters, so that they often match. */
interface Values {
  readonly text: string;
  readonly other: string;
  readonly whole: number | null;
  readonly ratio: number | null;
}

const COLUMNS: readonly Column[] = [
  { name: 'text', type: 'string' },
  { name: 'other', type: 'string' },
  { name: 'whole', type: 'long' },
  { name: 'ratio', type: 'real' },
];
const engine = createKqlEngine({ t: COLUMNS });

const letters = fc.stringMatching(/^[abAB]{0,4}$/);
const values: fc.Arbitrary<Values[]> = fc.array(
  fc.record({
    text: letters,
    other: letters,
    whole: fc.option(fc.integer({ min: -50, max: 50 })),
    ratio: fc.option(fc.integer({ min: -400, max: 400 }).map((n) => n / 8)),
  }),
  { minLength: 1, maxLength: 40, size: 'large' },
);

function run(expression: string, data: readonly Values[]): unknown[] {
  const rows = data.map(({ text, other, whole, ratio }) => [text, other, whole, ratio]);
  const { rows: answer } = engine.execute(`t | project ${expression}`, { t: source(COLUMNS, rows) });
  return answer.map(([value]) => value);
}

const fold = (text: string) => text.toLowerCase();
const whole = (v: Values, use: (n: number) => unknown) => (v.whole === null ? null : use(v.whole));
const ratio = (v: Values, use: (n: number) => unknown) => (v.ratio === null ? null : use(v.ratio));
const floorTo = (value: number, size: number) => Math.floor(value / size) * size;
const compared = (v: Values, use: (a: number, b: number) => boolean) =>
  v.whole === null || v.ratio === null ? null : use(v.whole, v.ratio);

const EXPRESSIONS: readonly (readonly [string, (v: Values) => unknown])[] = [
  ['text == other', ({ text, other }) => text === other],
  ['text =~ other', ({ text, other }) => fold(text) === fold(other)],
  ['text !~ other', ({ text, other }) => fold(text) !== fold(other)],
  ['text contains other', ({ text, other }) => fold(text).includes(fold(other))],
  ['text !contains other', ({ text, other }) => !fold(text).includes(fold(other))],
  ['text contains_cs other', ({ text, other }) => text.includes(other)],
  ['text startswith other', ({ text, other }) => fold(text).startsWith(fold(other))],
  ['text startswith_cs other', ({ text, other }) => text.startsWith(other)],
  ['text endswith other', ({ text, other }) => fold(text).endsWith(fold(other))],
  ['text !endswith_cs other', ({ text, other }) => !text.endsWith(other)],
  ['text in ("a", "AB", "")', ({ text }) => ['a', 'AB', ''].includes(text)],
  ['text !in~ ("a", "AB")', ({ text }) => !['a', 'ab'].includes(fold(text))],
  ['text matches regex "^a+B?$"', ({ text }) => /^a+B?$/.test(text)],
  ['strcat(text, "-", other, whole)', (v) => `${v.text}-${v.other}${v.whole ?? ''}`],
  ['strlen(text) + indexof(text, "b")', ({ text }) => text.length + text.indexOf('b')],
  ['split(strcat(text, ",", other), ",")', ({ text, other }) => [text, other]],
  ['extract("(a+)b", 1, text)', ({ text }) => /(a+)b/.exec(text)?.[1] ?? ''],
  ['replace_string(text, "a", other)', ({ text, other }) => text.replaceAll('a', () => other)],
  ['iff(isempty(text), other, text)', ({ text, other }) => (text === '' ? other : text)],
  ['case(text == "a", 1, other == "b", 2, 3)', (v) => (v.text === 'a' ? 1 : v.other === 'b' ? 2 : 3)],
  ['coalesce(whole, strlen(text))', (v) => v.whole ?? v.text.length],
  ['isnull(whole) or isnotnull(ratio)', (v) => v.whole === null || v.ratio !== null],
  ['whole < ratio', (v) => compared(v, (a, b) => a < b)],
  ['whole >= ratio', (v) => compared(v, (a, b) => a >= b)],
  ['whole between (-3 .. 3)', (v) => whole(v, (n) => n >= -3 && n <= 3)],
  ['whole / 7', (v) => whole(v, (n) => Math.trunc(n / 7) + 0)],
  ['whole % 7', (v) => whole(v, (n) => ((n % 7) + 7) % 7)],
  ['whole * 3 - whole', (v) => whole(v, (n) => n * 2 + 0)],
  ['ratio / 4', (v) => ratio(v, (n) => n / 4)],
  ['bin(whole, 7)', (v) => whole(v, (n) => floorTo(n, 7) + 0)],
  ['bin(ratio, 2.5)', (v) => ratio(v, (n) => floorTo(n, 2.5) + 0)],
  ['toint(ratio)', (v) => ratio(v, (n) => Math.trunc(n) + 0)],
  ['tolong(tostring(whole))', (v) => v.whole],
  ['todouble(text)', () => null],
];

describe('expressions against plain JavaScript', () => {
  test.each(EXPRESSIONS)('%s', (expression, expected) => {
    fc.assert(
      fc.property(values, (data) => {
        // Minus zero is a zero.
        const plain = (list: unknown[]) => list.map((value) => (value === 0 ? 0 : value));
        expect(plain(run(expression, data))).toEqual(plain(data.map(expected)));
      }),
      { numRuns: 12 },
    );
  });

  test('where keeps what is true, and neither false nor null', () => {
    fc.assert(
      fc.property(values, fc.constantFrom('', 'not '), (data, negation) => {
        const condition = negation === '' ? 'whole > ratio' : 'not(whole > ratio)';
        const expected = data.filter((v) => compared(v, (a, b) => a > b === (negation === '')) === true);
        const rows = data.map(({ text, other, whole, ratio }) => [text, other, whole, ratio]);
        const answer = engine.execute(`t | where ${condition} | count`, { t: source(COLUMNS, rows) });
        expect(answer.rows).toEqual([[expected.length]]);
      }),
      { numRuns: 25 },
    );
  });

  test('mv-expand, and aggregates of what it gives', () => {
    fc.assert(
      fc.property(values, (data) => {
        const parts = data.flatMap(({ text, whole }) => text.split('a').map((part) => ({ part, whole })));
        const sums = new Map<string, number[]>();
        for (const { part, whole } of parts) {
          const [count = 0, sum = 0] = sums.get(part) ?? [];
          sums.set(part, [count + 1, sum + (whole ?? 0)]);
        }
        const rows = data.map(({ text, other, whole, ratio }) => [text, other, whole, ratio]);
        const { rows: answer } = engine.execute(
          `t | extend part = split(text, "a") | mv-expand part to typeof(string) | summarize n = count(), s = sum(whole) by part`,
          { t: source(COLUMNS, rows) },
        );
        const sorted = (list: unknown[][]) => list.map((row) => JSON.stringify(row)).sort();
        expect(sorted(answer)).toEqual(sorted([...sums].map(([part, numbers]) => [part, ...numbers])));
      }),
      { numRuns: 25 },
    );
  });
});
