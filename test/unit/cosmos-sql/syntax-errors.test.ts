import { describe, expect, it } from 'vitest';
import { errorOf, run } from './run-query.js';

/** Query with «» around what the error has to point at, its code, and a part of its message. */
const refused: readonly (readonly [string, string, string])[] = [
  ['«»', 'SYNTAX', 'expected SELECT but the query ends'],
  ['«SELEC» * FROM c', 'SYNTAX', "incorrect syntax near 'SELEC', expected SELECT"],
  ['SELECT«»', 'SYNTAX', 'expected an expression but the query ends'],
  ['SELECT * FROM c WHERE«»', 'SYNTAX', 'expected an expression'],
  ['SELECT * FROM c x «y»', 'SYNTAX', "near 'y'"],
  ['SELECT * FROM c WHERE c.a = 1 «WHERE» c.b = 2', 'SYNTAX', "near 'WHERE'"],
  ['SELECT * FROM c «HAVING» c.a > 1', 'SYNTAX', "near 'HAVING'"],
  ['SELECT * FROM c «INNER» JOIN d ON c.a = d.a', 'SYNTAX', "near 'INNER'"],
  ['SELECT * FROM c «LEFT» JOIN t IN c.tags', 'SYNTAX', "near 'LEFT'"],
  ['SELECT * FROM c «UNION» SELECT * FROM c', 'SYNTAX', "near 'UNION'"],
  ['SELECT * FROM c GROUP BY c.a «HAVING» COUNT(1) > 1', 'SYNTAX', "near 'HAVING'"],
  ['SELECT * FROM c WHERE c.«order» = 1', 'SYNTAX', 'write ["order"]'],
  ['SELECT * FROM c WHERE c.«Value» = 1', 'SYNTAX', 'write ["Value"]'],
  ['SELECT c.a AS «group» FROM c', 'SYNTAX', "'group' is a reserved word"],
  ['SELECT *«,» c.a FROM c', 'SYNTAX', "'*' must be the only projected item"],
  ['SELECT c.a, «*» FROM c', 'SYNTAX', "'*' must be the only projected item"],
  ['SELECT VALUE «*» FROM c', 'SYNTAX', "'SELECT VALUE *'"],
  ['SELECT COUNT(«*») FROM c', 'SYNTAX', 'write COUNT(1)'],
  ['SELECT c.a, «FROM» c', 'SYNTAX', "near 'FROM'"],
  ["SELECT «'abc FROM c»", 'SYNTAX', 'is not closed'],
  ["SELECT 'a«\\q»' FROM c", 'SYNTAX', "unknown escape sequence '\\q'"],
  ["SELECT 'a«\n»' FROM c", 'SYNTAX', 'control characters'],
  ["SELECT 'it'«'s'»", 'SYNTAX', "near ''s''"],
  ['SELECT «1a»', 'SYNTAX', "'1a' is not a number"],
  ['SELECT «1e999»', 'INVALID', 'too large'],
  ['SELECT c.a «#» 1 FROM c', 'SYNTAX', "unexpected character '#'"],
  ['SELECT «🙂»', 'SYNTAX', "unexpected character '🙂'"],
  ['SELECT «@» FROM c', 'SYNTAX', 'parameter name'],
  ['SELECT (1«»', 'SYNTAX', "expected ')'"],
  ['SELECT [1, «]»', 'SYNTAX', "near ']'"],
  ['SELECT {"a": 1, «}»', 'SYNTAX', "near '}'"],
  ['SELECT {«1»: 2}', 'SYNTAX', 'a property name in quotes'],
  ['SELECT {"a": 1, «"a"»: 2}', 'INVALID', 'given twice'],
  ['SELECT * FROM c WHERE c.a =«=» 1', 'SYNTAX', "near '='"],
  ['SELECT * FROM c WHERE c.a IN («)»', 'SYNTAX', "near ')'"],
  ['SELECT * FROM c WHERE c.a IN («SELECT» VALUE 1)', 'UNSUPPORTED', 'IN over a subquery'],
  ['SELECT * FROM c WHERE c.a BETWEEN 1 «OR» 2', 'SYNTAX', 'expected AND'],
  ["SELECT * FROM c WHERE c.a LIKE 'x' ESCAPE «'ab'»", 'INVALID', 'single character'],
  ['SELECT * FROM c WHERE c.a NOT «=» 1', 'SYNTAX', 'IN, BETWEEN or LIKE after NOT'],
  ['SELECT TOP «-»1 * FROM c', 'SYNTAX', "near '-'"],
  ['SELECT TOP «1.5» * FROM c', 'INVALID', 'TOP count'],
  ['SELECT TOP «2147483648» * FROM c', 'INVALID', '2147483647'],
  ['SELECT * FROM c «LIMIT» 5', 'SYNTAX', 'LIMIT needs OFFSET'],
  ['SELECT * FROM c OFFSET 5«»', 'SYNTAX', 'expected LIMIT'],
  ['SELECT * FROM c OFFSET «c»', 'SYNTAX', 'an integer or a parameter'],
  ['SELECT TOP «1» * FROM c OFFSET 0 LIMIT 1', 'INVALID', 'cannot be used together'],
  ['SELECT * FROM «order»', 'SYNTAX', 'reserved word'],
  ['SELECT * FROM c«,» d', 'SYNTAX', 'expected JOIN'],
  ['SELECT t FROM c JOIN t IN c[«c».x]', 'SYNTAX', 'a property name in quotes or an index'],
  ['SELECT 1 FROM «c["a b"][0]»', 'INVALID', 'needs an alias'],
  ['SELECT * FROM c WHERE «NOT c.a» = 1', 'UNSUPPORTED', 'write NOT (...)'],
  ["SELECT * FROM c WHERE «NOT c.a» LIKE 'x'", 'UNSUPPORTED', 'ambiguous'],
  ['SELECT * FROM c WHERE c.a & «4 = 4»', 'UNSUPPORTED', "'=' binds tighter than '&'"],
  ["SELECT * FROM c WHERE c.a || «c.b = 'x'»", 'UNSUPPORTED', 'write parentheses'],
  ['SELECT «c.a ?? c.b» ? 1 : 2 FROM c', 'UNSUPPORTED', "'??' beside '? :'"],
  ['SELECT c.a ? 1 : «c.b ?? 2» FROM c', 'UNSUPPORTED', "'??' beside '? :'"],
];

/** Names and clauses that a valid syntax does not save. */
const invalid: readonly (readonly [string, string, string])[] = [
  ['SELECT * FROM c WHERE «C».a = 1', 'INVALID', "did you mean 'c'"],
  ['SELECT * FROM c WHERE «d».a = 1', 'INVALID', "the names here are 'c'"],
  ['SELECT «c».a', 'INVALID', 'has no FROM'],
  ['SELECT * FROM c WHERE c.a = «TRUE»', 'INVALID', 'lower case: true'],
  ['SELECT * FROM c WHERE c.a = «Null»', 'INVALID', 'lower case: null'],
  ['SELECT * FROM root r WHERE «root».a = 1', 'INVALID', "'root' could not be resolved"],
  ['SELECT «*»', 'INVALID', 'without FROM'],
  ['SELECT «*» FROM c JOIN t IN c.tags', 'INVALID', 'single input set'],
  ['SELECT «*» FROM c GROUP BY c.a', 'INVALID', "'SELECT *' is not allowed with GROUP BY"],
  ['SELECT c.a, «c.b.a» FROM c', 'INVALID', "'a' is projected twice"],
  ['SELECT 1 FROM c JOIN «c IN c.tags»', 'INVALID', "'c' is bound twice"],
  ['SELECT 1 FROM c JOIN t IN «d».tags', 'INVALID', "'d' could not be resolved"],
  ['SELECT 1 FROM c JOIN t IN «t».tags', 'INVALID', "'t' could not be resolved"],
  ['SELECT 1 FROM «x IN c»', 'UNSUPPORTED', 'not the container'],
  ['SELECT 1 FROM «(SELECT VALUE 1)» AS x', 'UNSUPPORTED', 'first FROM input'],
  ['SELECT «BADFUNC»(c.a) FROM c', 'INVALID', "'BADFUNC' is not a recognized"],
  ['SELECT VALUE «ABS()»', 'INVALID', 'ABS takes 1 argument, not 0'],
  ["SELECT VALUE «STARTSWITH('a', 'b', true, 1)»", 'INVALID', 'takes 2 to 3 arguments, not 4'],
  ["SELECT VALUE «CONCAT('a')»", 'INVALID', 'takes at least 2 arguments, not 1'],
  ['SELECT VALUE «COUNT(1, 2)» FROM c', 'INVALID', 'COUNT takes 1 argument'],
  ['SELECT VALUE MAX(«MIN(c.a)») FROM c', 'INVALID', 'MIN cannot be an argument'],
  ['SELECT VALUE SUM(«(SELECT VALUE 1)») FROM c', 'UNSUPPORTED', 'subquery in the argument'],
  ['SELECT * FROM c WHERE «COUNT(1)» > 1', 'INVALID', 'COUNT is not allowed in WHERE'],
  ['SELECT c.a FROM c GROUP BY «SUM(c.a)»', 'INVALID', 'not allowed in GROUP BY'],
  ['SELECT «c.id», COUNT(1) FROM c', 'INVALID', "'c.id' is invalid in the select list"],
  ['SELECT c.a, UPPER(«c.b») FROM c GROUP BY c.a', 'INVALID', "'c.b' is invalid in the select list"],
  ['SELECT * FROM c ORDER BY «LOWER(c.a)»', 'UNSUPPORTED', 'property paths'],
  ['SELECT * FROM c ORDER BY «c»', 'UNSUPPORTED', 'property paths'],
  ['SELECT * FROM c ORDER BY «1»', 'UNSUPPORTED', 'property paths'],
  ['SELECT t FROM c JOIN t IN c.tags ORDER BY «t.name»', 'UNSUPPORTED', 'joined'],
  ['SELECT * FROM t IN c.tags ORDER BY «t.name»', 'UNSUPPORTED', 'iterated'],
  ['SELECT c.a FROM c GROUP BY c.a ORDER BY «c.a»', 'UNSUPPORTED', 'ORDER BY with GROUP BY'],
  ['SELECT * FROM c ORDER BY «RANK» RRF(1)', 'UNSUPPORTED', 'ORDER BY RANK'],
  ['SELECT ARRAY(SELECT TOP «1» VALUE t FROM t IN c.tags) FROM c', 'UNSUPPORTED', "'TOP'"],
  ['SELECT ARRAY(SELECT VALUE t FROM t IN c.tags OFFSET «0» LIMIT 1) FROM c', 'UNSUPPORTED', 'OFFSET LIMIT'],
  ['SELECT ARRAY(SELECT VALUE d FROM d IN c.tags ORDER BY «d.x») FROM c', 'UNSUPPORTED', "'ORDER BY'"],
  ['SELECT «udf.tax»(c.a) FROM c', 'UNSUPPORTED', 'User-defined functions are not supported: udf.tax'],
  ['SELECT * FROM c WHERE «ST_DISTANCE»(c.a, c.b) < 5', 'UNSUPPORTED', 'Spatial functions'],
  ['SELECT «st_new»(c.a) FROM c', 'UNSUPPORTED', 'Spatial functions are not supported: st_new'],
  ["SELECT * FROM c WHERE «FullTextContains»(c.a, 'x')", 'UNSUPPORTED', 'Full text and vector search'],
  ['SELECT «VectorDistance»(c.a, [1]) FROM c', 'UNSUPPORTED', 'Full text and vector search'],
  ['SELECT VALUE «MAKELIST»(c.a) FROM c', 'UNSUPPORTED', 'aggregate is not supported: MAKELIST'],
  ['SELECT VALUE «IntAdd»(1, 2)', 'UNSUPPORTED', '64-bit integers'],
  ['SELECT VALUE «DocumentId»(c) FROM c', 'UNSUPPORTED', 'DocumentId'],
  ['SELECT VALUE «ALL»(SELECT VALUE t FROM t IN c.tags) FROM c', 'UNSUPPORTED', 'ALL(SELECT ...)'],
];

function marked(text: string): { text: string; start: number; end: number } {
  const start = text.indexOf('«');
  const end = text.indexOf('»') - 1;
  return { text: text.replace('«', '').replace('»', ''), start, end };
}

describe.each([
  ['syntax', refused],
  ['meaning', invalid],
])('refusals by %s', (_name, cases) => {
  it.each(cases)('%s', (query, code, message) => {
    const { text, start, end } = marked(query);
    const error = errorOf(() => run(text));
    expect(error.message).toContain(message);
    expect(error.code).toBe(code);
    expect(error.position).toBe(start);
    expect(error.end).toBe(end);
    expect(error.name).toBe('SqlError');
  });
});

describe('error positions', () => {
  it('are given as line and column', () => {
    const error = errorOf(() => run('SELECT *\nFROM c\n  WHERE d.x = 1'));
    expect(error.message).toContain('(at 3:9)');
    expect(error.position).toBe(24);
  });

  it('skip comments and blanks', () => {
    expect(errorOf(() => run('-- all of it\nSELECT * -- here\n\tFROM c WHERE ?')).message).toContain(
      '(at 3:15)',
    );
  });
});
