import { runtimeError, unsupported } from '../errors.js';
import { compileScalar, nameText } from '../expressions/compile.js';
import {
  columnAt,
  constantValue,
  type Expr,
  isInteger,
  isNumeric,
  requireConstant,
} from '../expressions/expression.js';
import type { Scope, Session } from '../scope.js';
import type { SyntaxNode } from '../syntax.js';
import type { Column, KqlType, Row, TableSource } from '../types.js';
import { type Push, positional, pushAll, type Relation } from './relation.js';

/** What a query, or the right side of a join, may begin with; for the reference page. */
export const SOURCE_SYNTAX: readonly { readonly syntax: string; readonly note?: string }[] = [
  { syntax: 'table', note: 'A table of the schema, or a name that `let` declares.' },
  { syntax: 'union table, ...', note: 'See the operator.' },
  { syntax: 'print [name =] expression, ...' },
  { syntax: 'range name from start to end step size', note: 'Constants.' },
  { syntax: 'datatable (name: type, ...) [value, ...]', note: 'Constants.' },
  { syntax: 'materialize(table)', note: 'Evaluated again for each use, with the same result.' },
];

export function tableSource(node: SyntaxNode, name: string, session: Session): Relation {
  const columns = node.columns ?? [];
  const source = session.sources[name];
  if (source === undefined) {
    if (session.running) throw runtimeError(node, `There is no source for the table ${name}`);
    return positional(columns, () => {});
  }
  const reads = columns.map((column) => columnAt(sourceIndex(source, column, node), column.type));
  return { columns, reads, run: (push) => scan(source, session, push) };
}

function sourceIndex(source: TableSource, column: Column, node: SyntaxNode): number {
  const index = source.columns.findIndex((c) => c.name === column.name && c.type === column.type);
  if (index >= 0) return index;
  throw runtimeError(node, `The source of ${node.text} has no column ${column.name} of type ${column.type}`);
}

function scan(source: TableSource, session: Session, push: Push): void {
  const { budget } = session;
  const inRange = rangeTest(source, session);
  for (const batch of source.batches()) {
    for (let i = 0; i < batch.length; i += 1) {
      const row = batch[i] as Row;
      budget.tick();
      budget.scannedRows += 1;
      if (inRange !== undefined && !inRange(row)) continue;
      if (!push(row)) return;
    }
  }
}

function rangeTest(source: TableSource, { timespan }: Session): ((row: Row) => boolean) | undefined {
  const { from = -Infinity, to = Infinity } = timespan;
  const index = source.columns.findIndex((c) => c.name === 'timestamp' && c.type === 'datetime');
  if (index < 0 || (from === -Infinity && to === Infinity)) return undefined;
  return (row) => {
    const time = row[index] as number | null;
    return time !== null && time >= from && time < to;
  };
}

export function compilePrint(node: SyntaxNode, scope: Scope): Relation {
  const columns = node.columns ?? [];
  const items = node.list('Expressions');
  if (items.length !== columns.length) throw unsupported(node, 'this form of print');
  const reads = items.map((item) =>
    compileScalar(item.kind === 'SimpleNamedExpression' ? item.part('Expression') : item, scope),
  );
  const one: Row = [];
  return {
    columns: columns.map((c, i) => ({ name: c.name, type: (reads[i] as Expr).type })),
    reads,
    run: (push) => {
      push(one);
    },
  };
}

const RANGE_STEPS: Partial<Record<KqlType, (step: KqlType) => boolean>> = {
  long: isInteger,
  int: isInteger,
  real: isNumeric,
  datetime: (step) => step === 'timespan',
  timespan: (step) => step === 'timespan',
};

export function compileRangeOperator(node: SyntaxNode, scope: Scope): Relation {
  const name = nameText(node.part('Name'));
  const [from, to, step] = ['From', 'To', 'Step'].map((part) => compileScalar(node.part(part), scope)) as [
    Expr,
    Expr,
    Expr,
  ];
  const type = node.columns?.[0]?.type ?? from.type;
  const fits = (e: Expr) => e.type === type || (isNumeric(e.type) && isNumeric(type));
  if (!fits(from) || !fits(to) || RANGE_STEPS[type]?.(step.type) !== true) {
    throw unsupported(node, `range from ${from.type} to ${to.type} step ${step.type}`);
  }
  const [start, end, by] = [from, to, step].map((e) => requireConstant(e, node, 'a range')) as [
    number | null,
    number | null,
    number | null,
  ];
  const { budget } = scope.session;
  return positional([{ name, type }], (push) => {
    if (start === null || end === null || by === null) return;
    if (by === 0) throw runtimeError(node, 'range with a step of 0');
    const count = Math.floor((end - start) / by) + 1;
    for (let i = 0; i < count; i += 1) {
      budget.tick();
      if (!push([start + i * by])) return;
    }
  });
}

export function compileDataTable(node: SyntaxNode, scope: Scope): Relation {
  const columns = node.columns ?? [];
  const values = node.list('Values');
  if (columns.length === 0 || values.length % columns.length !== 0) {
    throw unsupported(node, `datatable with ${values.length} values for ${columns.length} columns`);
  }
  const rows: unknown[][] = [];
  values.forEach((value, i) => {
    if (i % columns.length === 0) rows.push([]);
    rows.at(-1)?.push(cell(value, columns[i % columns.length] as Column, scope));
  });
  return positional(columns, (push) => pushAll(rows, push));
}

function cell(node: SyntaxNode, { name, type }: Column, scope: Scope): unknown {
  const expr = compileScalar(node, scope);
  const fits = expr.type === type || (isInteger(expr.type) && isNumeric(type));
  if (!fits || !expr.constant) throw unsupported(node, `a ${expr.type} in the ${type} column ${name}`);
  return constantValue(expr);
}
