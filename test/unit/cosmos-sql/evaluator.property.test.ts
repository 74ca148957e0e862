import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileQuery, parseQuery } from '../../../emulators/cosmos/src/sql/index.js';
import { documents, interpret, print, scalars, type Tree, trees } from './naive-evaluator.js';
import { run } from './run-query.js';

const RUNS = { numRuns: 2_000 };
const collections = fc.array(documents, { maxLength: 8 });

describe('the evaluator against a naive one', () => {
  it('computes the same value of any expression', () => {
    fc.assert(
      fc.property(trees, documents, (tree, document) => {
        const value = interpret(tree, document);
        const expected = value === undefined ? [] : [value];
        expect(run(`SELECT VALUE ${print(tree)} FROM c`, [document])).toEqual(expected);
      }),
      RUNS,
    );
  });

  it('keeps the same rows of any filter', () => {
    fc.assert(
      fc.property(trees, collections, (tree, rows) => {
        const expected = rows.filter((row) => interpret(tree, row) === true);
        expect(run(`SELECT * FROM c WHERE ${print(tree)}`, rows)).toEqual(expected);
      }),
      RUNS,
    );
  });

  it('loses no row to its equality filters', () => {
    const pinned = fc.tuple(
      fc.constantFrom('a', 'b', 'odd name'),
      fc.array(scalars, { minLength: 1, maxLength: 3 }),
    );
    fc.assert(
      fc.property(
        fc.array(pinned, { minLength: 1, maxLength: 3 }),
        trees,
        collections,
        (pins, tree, rows) => {
          const conjuncts = pins.map(
            ([name, values]): Tree => ({
              op: 'in',
              operand: { op: 'path', path: [name] },
              items: values.map((value): Tree => ({ op: 'value', value })),
              negated: false,
            }),
          );
          const where = [...conjuncts, tree].map(print).join(' AND ');
          const compiled = compileQuery(parseQuery(`SELECT * FROM c WHERE ${where}`), []);
          expect(compiled.equalityFilters.length).toBeGreaterThanOrEqual(pins.length);
          const narrowed = rows.filter((row) =>
            compiled.equalityFilters.every(({ path, values }) =>
              values.some(
                (value) => value === path.reduce<unknown>((at, name) => (at as never)?.[name], row),
              ),
            ),
          );
          expect([...compiled.run(narrowed)]).toEqual([...compiled.run(rows)]);
        },
      ),
      RUNS,
    );
  });

  it('projects, joins and counts the same', () => {
    fc.assert(
      fc.property(trees, collections, (tree, rows) => {
        const joined = rows.flatMap((row) =>
          Array.isArray(row.list) ? row.list.filter((item) => item !== undefined) : [],
        );
        expect(run('SELECT VALUE t FROM c JOIN t IN c.list', rows)).toEqual(joined);
        const matching = rows.filter((row) => interpret(tree, row) === true).length;
        expect(run(`SELECT VALUE COUNT(1) FROM c WHERE ${print(tree)}`, rows)).toEqual([matching]);
        const flags = rows.map((row) => ({
          found: (row.list as unknown[] | undefined)?.includes(1) ?? false,
        }));
        expect(
          run('SELECT EXISTS(SELECT VALUE t FROM t IN c.list WHERE t = 1) AS found FROM c', rows),
        ).toEqual(flags);
      }),
      { numRuns: 500 },
    );
  });
});
