import { type Budget, rowBytes } from '../budget.js';
import { unsupported } from '../errors.js';
import { compileScalar } from '../expressions/compile.js';
import type { Expr } from '../expressions/expression.js';
import { expectParts, type Scope } from '../scope.js';
import type { SyntaxNode } from '../syntax.js';
import type { Row } from '../types.js';
import { comparator } from '../values/order.js';
import { retainedBytes } from '../values/size.js';
import { rowCount } from './filters.js';
import { type OperatorCall, readParameters, type TabularOperator } from './operator.js';
import type { Relation } from './relation.js';

interface SortKey {
  readonly read: Expr['read'];
  readonly compare: (a: unknown, b: unknown) => number;
}

/** Descending by default; nulls are smallest unless `nulls first` or `nulls last` says otherwise. */
function sortKey(item: SyntaxNode, scope: Scope): SortKey {
  const ordered = item.kind === 'OrderedExpression';
  if (ordered) expectParts(item, ['Expression', 'Ordering']);
  const expr = compileScalar(ordered ? item.part('Expression') : item, scope);
  if (expr.type === 'dynamic') throw unsupported(item, 'sorting by a dynamic value; convert it first');
  const ordering = ordered ? item.optional('Ordering') : undefined;
  const descending = ordering?.optional('AscOrDescKeyword')?.word !== 'asc';
  const nulls = ordering?.optional('NullsClause')?.part('FirstOrLastKeyword').word;
  return {
    read: expr.read,
    compare: comparator({ descending, nullsFirst: nulls === undefined ? !descending : nulls === 'first' }),
  };
}

interface Entry {
  readonly row: Row;
  readonly keys: readonly unknown[];
  /** Order of arrival, which decides between equal keys. */
  readonly position: number;
}

function entryOrder(keys: readonly SortKey[], budget: Budget): (a: Entry, b: Entry) => number {
  const compares = keys.map((k) => k.compare);
  return (a, b) => {
    budget.tick();
    for (let i = 0; i < compares.length; i += 1) {
      const order = (compares[i] as SortKey['compare'])(a.keys[i], b.keys[i]);
      if (order !== 0) return order;
    }
    return a.position - b.position;
  };
}

/** Pushes the first `limit` rows in order. Keeps at most twice as many at a time. */
function sorted(
  input: Relation,
  keys: readonly SortKey[],
  { limit, budget }: { limit: number; budget: Budget },
): Relation {
  const order = entryOrder(keys, budget);
  const reads = keys.map((k) => k.read);
  const bytes = rowBytes(keys.length) + 96;
  return {
    ...input,
    run: (push) => {
      if (limit === 0) return;
      let entries: Entry[] = [];
      let position = 0;
      input.run((row) => {
        if (entries.length >= 2 * limit) {
          entries.sort(order);
          entries = entries.slice(0, limit);
        }
        const values = reads.map((read) => read(row));
        if (position < 2 * limit)
          budget.hold(values.reduce<number>((sum, v) => sum + retainedBytes(v), bytes));
        entries.push({ row, keys: values, position });
        position += 1;
        return true;
      });
      entries.sort(order);
      for (const { row } of entries.slice(0, limit)) if (!push(row)) return;
    },
  };
}

function sort({ node, input, scope }: OperatorCall): Relation {
  readParameters(node, []);
  const rowScope = scope.withRow(input);
  const keys = node.list('Expressions').map((item) => sortKey(item, rowScope));
  return sorted(input, keys, { limit: Infinity, budget: scope.session.budget });
}

function top({ node, input, scope }: OperatorCall): Relation {
  readParameters(node, []);
  const limit = rowCount(node.part('Expression'), scope);
  const key = sortKey(node.part('ByExpression'), scope.withRow(input));
  return sorted(input, [key], { limit, budget: scope.session.budget });
}

const ORDER_NOTE =
  'Descending by default. Nulls come last when descending and first when ascending, NaN next to them. Strings by UTF-16 code unit.';

export const SORTS: Readonly<Record<string, TabularOperator>> = {
  SortOperator: {
    name: 'sort',
    syntax: 'sort by expression [asc | desc] [nulls first | nulls last], ...',
    note: `Also as \`order\`. ${ORDER_NOTE} Rows with equal keys keep their order.`,
    parts: ['Parameters', 'Expressions'],
    compile: sort,
  },
  TopOperator: {
    name: 'top',
    syntax: 'top count by expression [asc | desc] [nulls first | nulls last]',
    note: ORDER_NOTE,
    parts: ['Parameters', 'Expression', 'ByExpression'],
    compile: top,
  },
};
