import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileQuery, parseQuery, SqlError } from '../../../emulators/cosmos/src/sql/index.js';
import { printQuery } from '../../../emulators/cosmos/src/sql/printer.js';
import { print, trees } from './naive-evaluator.js';

/** Parses, and fails the property for anything but a SqlError whose position lies in the text. */
function parseOrRefuse(text: string): ReturnType<typeof parseQuery> | null {
  try {
    return parseQuery(text);
  } catch (error) {
    expect(error).toBeInstanceOf(SqlError);
    const { position, end, message } = error as SqlError;
    expect(position).toBeGreaterThanOrEqual(0);
    expect(end).toBeGreaterThanOrEqual(position);
    expect(end).toBeLessThanOrEqual(text.length);
    expect(message).toMatch(/ \(at \d+:\d+\)$/);
    return null;
  }
}

const words =
  `SELECT DISTINCT TOP VALUE FROM WHERE JOIN IN AND OR NOT BETWEEN LIKE ESCAPE EXISTS ARRAY GROUP BY ORDER ASC DESC
  OFFSET LIMIT AS null true undefined udf c t c.a c["a b"] @p 1 0x1F 1.5e3 'text' "text" ( ) [ ] { } , . : ? ?? * = != < >= + - / % ||
  & | ^ ~ << >>> COUNT( SUM( ABS( CONTAINS( ST_WITHIN( LEFT( nosuch( -- /* @ # \\ ' " $ 🙂 é`.split(/\s+/);

const seeds = [
  'SELECT * FROM c WHERE c.ownerId = @ownerId AND c.year = @year AND c.month = @month',
  'SELECT DISTINCT TOP 3 VALUE {"a": c.a, b: [c.b, "x"]} FROM Root c JOIN t IN c.tags JOIN (SELECT VALUE u FROM u IN t.us) AS u',
  "SELECT c.a, COUNT(1) AS n FROM c WHERE c.x NOT IN (1, 'two') AND NOT (c.y BETWEEN 1 AND 2) OR c.z LIKE '%a!%' ESCAPE '!' GROUP BY c.a OFFSET 1 LIMIT @n",
  'SELECT c.a ?? 1, (c.b ? "y" : "n") AS d FROM c.list[0]["odd name"] AS c WHERE EXISTS(SELECT VALUE 1 FROM x IN c.xs WHERE x > 1) ',
  'SELECT c.a FROM c ORDER BY c.a ASC, c["b c"] DESC -- last',
  'SELECT VALUE [(1).a, (1.5)[0], "x"[0], {"a": 1}.a, ((SELECT VALUE 1)).b, (c.a = 1).d] FROM c',
];

describe('the parser', () => {
  it('throws nothing but SqlError on random text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => void parseOrRefuse(text)),
      { numRuns: 3_000 },
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => void parseOrRefuse(`SELECT ${text}`)),
      { numRuns: 3_000 },
    );
  });

  it('throws nothing but SqlError on random words of the language', () => {
    const soup = fc.array(fc.constantFrom(...words), { maxLength: 25 }).map((parts) => parts.join(' '));
    fc.assert(
      fc.property(soup, (text) => void parseOrRefuse(`SELECT ${text}`)),
      { numRuns: 5_000 },
    );
  });

  it('throws nothing but SqlError on damaged queries', () => {
    const damage = fc.record({
      seed: fc.constantFrom(...seeds),
      at: fc.nat({ max: 150 }),
      length: fc.nat({ max: 12 }),
      insert: fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 4 })),
    });
    fc.assert(
      fc.property(damage, ({ seed, at, length, insert }) => {
        parseOrRefuse(seed.slice(0, at) + insert + seed.slice(at + length));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(seeds)('prints %s so that it reads the same', (text) => {
    const printed = printQuery(parseQuery(text));
    expect(printQuery(parseQuery(printed))).toBe(printed);
  });

  it('prints any expression so that it means the same', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const query = parseQuery(`SELECT VALUE ${print(tree)} FROM c`);
        const printed = printQuery(query);
        expect(printQuery(parseQuery(printed))).toBe(printed);
        const document = { a: 1, b: 'a', list: [1, 'a'], map: { a: true } };
        const answers = [query, parseQuery(printed)].map((parsed) => [
          ...compileQuery(parsed, []).run([document]),
        ]);
        expect(answers[0]).toEqual(answers[1]);
      }),
      { numRuns: 2_000 },
    );
  });
});
