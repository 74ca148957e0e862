import { type Budget, rowBytes } from '../budget.js';
import { columnAt, type Expr } from '../expressions/expression.js';
import type { Column, Row } from '../types.js';
import { retainedBytes } from '../values/size.js';

/** Takes one row; answers whether it wants more. */
export type Push = (row: Row) => boolean;

/**
 * A compiled tabular expression. Rows travel as the carrier rows of the last operator that had to build some (often the table itself), and
 * `reads` says how to get each column out of one: `extend` and `project` cost nothing until somebody reads the column.
 */
export interface Relation {
  readonly columns: readonly Column[];
  /** One per column, over a carrier row. */
  readonly reads: readonly Expr[];
  /** Pushes every carrier row until the receiver wants no more. May be called again. */
  run(this: void, push: Push): void;
}

/** A relation whose carrier rows have exactly its columns. */
export function positional(columns: readonly Column[], run: Relation['run']): Relation {
  return { columns, reads: columns.map((c, i) => columnAt(i, c.type)), run };
}

/** Turns a carrier row into an array of the relation's column values. */
export function materializer(relation: Relation): (row: Row) => unknown[] {
  const reads = relation.reads.map((e) => e.read);
  const width = reads.length;
  return (row) => {
    const values = new Array<unknown>(width);
    for (let i = 0; i < width; i += 1) values[i] = (reads[i] as Expr['read'])(row);
    return values;
  };
}

/** The result's rows, as arrays of column values, charged to the budget. */
export function collectResult(relation: Relation, budget: Budget): unknown[][] {
  const rows: unknown[][] = [];
  const materialize = materializer(relation);
  const bytes = rowBytes(relation.columns.length);
  const sized = relation.columns.flatMap((c, i) => (c.type === 'string' || c.type === 'dynamic' ? [i] : []));
  relation.run((row) => {
    const values = materialize(row);
    budget.hold(sized.reduce((sum, i) => sum + retainedBytes(values[i]), bytes));
    rows.push(values);
    budget.checkResultRows(rows.length);
    return true;
  });
  return rows;
}

export function pushAll(rows: Iterable<Row>, push: Push): void {
  for (const row of rows) if (!push(row)) return;
}

/** Whether a result column can be the copy of an input column: the same name, or with a number that makes it unique. */
export function isNamedAfter(name: string | undefined, origin: string | undefined): boolean {
  if (origin === undefined) return true;
  return name?.startsWith(origin) === true && /^\d*$/.test(name.slice(origin.length));
}
