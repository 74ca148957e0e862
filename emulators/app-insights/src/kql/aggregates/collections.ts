import type { Budget } from '../budget.js';
import { runtimeError, unsupported } from '../errors.js';
import { compileScalar } from '../expressions/compile.js';
import { type Expr, isInteger, requireConstant } from '../expressions/expression.js';
import { MAX_ARRAY_LENGTH } from '../functions/text-size.js';
import { retainedBytes } from '../values/size.js';
import { toDynamic } from '../values/text.js';
import {
  type Aggregate,
  type AggregateCall,
  type AggregateTable,
  argument,
  conditional,
  expectArguments,
  stateOf,
} from './aggregate.js';

/** Estimated bytes of one element of a list or set. */
const ELEMENT_BYTES = 40;

/** The optional largest size, as given or as documented for Kusto. */
function maxSize(call: AggregateCall, index: number): number {
  const node = call.argNodes[index];
  if (node === undefined) return MAX_ARRAY_LENGTH;
  const expr = compileScalar(node, call.scope);
  const size = requireConstant(expr, node, 'a largest size');
  if (isInteger(expr.type) && typeof size === 'number' && size > 0) return Math.min(size, MAX_ARRAY_LENGTH);
  throw runtimeError(node, `The largest size is ${String(size)}; it must be a whole number above 0`);
}

interface ListOptions {
  readonly limit: number;
  readonly keepNulls: boolean;
}

function list(expr: Expr, { limit, keepNulls }: ListOptions): Aggregate {
  const { read } = expr;
  const pack = toDynamic(expr.type);
  return {
    types: ['dynamic'],
    create: (budget) => {
      const lists: unknown[][] = [];
      return {
        add: (group, row) => {
          const value = read(row);
          if (value === null && !keepNulls) return;
          const values = stateOf<unknown[]>(lists, group, () => []);
          if (values.length >= limit) return;
          budget.hold(ELEMENT_BYTES + retainedBytes(value));
          values.push(pack(value));
        },
        result: (group) => [lists[group] ?? []],
      };
    },
  };
}

/** Distinct values of each group; nulls are left out. */
function distinctValues(call: AggregateCall, expr: Expr, budget: Budget) {
  const { read } = expr;
  const groups: Set<unknown>[] = [];
  const limit = Number.POSITIVE_INFINITY;
  return {
    add(group: number, row: readonly unknown[], most = limit): void {
      const value = read(row);
      if (value === null) return;
      if (typeof value === 'object')
        throw runtimeError(call.node, `${call.name}() of a dynamic array or bag`);
      const values = stateOf(groups, group, () => new Set<unknown>());
      if (values.size >= most || values.has(value)) return;
      budget.hold(ELEMENT_BYTES + retainedBytes(value));
      values.add(value);
    },
    of: (group: number): ReadonlySet<unknown> => groups[group] ?? new Set(),
  };
}

function set(call: AggregateCall, expr: Expr, limit: number): Aggregate {
  const pack = toDynamic(expr.type);
  return {
    types: ['dynamic'],
    create: (budget) => {
      const values = distinctValues(call, expr, budget);
      return {
        add: (group, row) => values.add(group, row, limit),
        result: (group) => [[...values.of(group)].map(pack)],
      };
    },
  };
}

function distinctCount(call: AggregateCall): Aggregate {
  const expr = argument(call, 0);
  return {
    types: ['long'],
    create: (budget) => {
      const values = distinctValues(call, expr, budget);
      return { add: (group, row) => values.add(group, row), result: (group) => [values.of(group).size] };
    },
  };
}

/** The accuracy argument is checked and otherwise needless, as the count is exact. */
function checkAccuracy(call: AggregateCall, index: number): void {
  const node = call.argNodes[index];
  if (node === undefined) return;
  const accuracy = requireConstant(compileScalar(node, call.scope), node, 'an accuracy');
  if (typeof accuracy !== 'number' || !(accuracy >= 0 && accuracy <= 4)) {
    throw unsupported(node, `the accuracy ${String(accuracy)}; allowed are 0 to 4`);
  }
}

const DISTINCT_NOTE = 'Exact; Kusto estimates it.';
const SIZE_NOTE = `At most max_size elements; by default, and at most, ${MAX_ARRAY_LENGTH}. Nulls are left out.`;

export const COLLECTION_AGGREGATES: AggregateTable = {
  dcount: {
    signature: 'dcount(x [, accuracy])',
    note: DISTINCT_NOTE,
    compile: (call) => {
      expectArguments(call, 1, 2);
      checkAccuracy(call, 1);
      return distinctCount(call);
    },
  },
  dcountif: {
    signature: 'dcountif(x, predicate: bool [, accuracy])',
    note: DISTINCT_NOTE,
    compile: (call) => {
      expectArguments(call, 2, 3);
      checkAccuracy(call, 2);
      return conditional(call, 1, distinctCount(call));
    },
  },
  count_distinct: {
    signature: 'count_distinct(x)',
    compile: (call) => {
      expectArguments(call, 1);
      return distinctCount(call);
    },
  },
  count_distinctif: {
    signature: 'count_distinctif(x, predicate: bool)',
    compile: (call) => {
      expectArguments(call, 2);
      return conditional(call, 1, distinctCount(call));
    },
  },
  make_list: {
    signature: 'make_list(x [, max_size: long])',
    note: `${SIZE_NOTE} In the order of arrival.`,
    compile: (call) => {
      expectArguments(call, 1, 2);
      return list(argument(call, 0), { limit: maxSize(call, 1), keepNulls: false });
    },
  },
  make_list_if: {
    signature: 'make_list_if(x, predicate: bool [, max_size: long])',
    note: SIZE_NOTE,
    compile: (call) => {
      expectArguments(call, 2, 3);
      return conditional(call, 1, list(argument(call, 0), { limit: maxSize(call, 2), keepNulls: false }));
    },
  },
  make_list_with_nulls: {
    signature: 'make_list_with_nulls(x)',
    compile: (call) => {
      expectArguments(call, 1);
      return list(argument(call, 0), { limit: MAX_ARRAY_LENGTH, keepNulls: true });
    },
  },
  make_set: {
    signature: 'make_set(x [, max_size: long])',
    note: `${SIZE_NOTE} In the order of first arrival.`,
    compile: (call) => {
      expectArguments(call, 1, 2);
      return set(call, argument(call, 0), maxSize(call, 1));
    },
  },
  make_set_if: {
    signature: 'make_set_if(x, predicate: bool [, max_size: long])',
    note: SIZE_NOTE,
    compile: (call) => {
      expectArguments(call, 2, 3);
      return conditional(call, 1, set(call, argument(call, 0), maxSize(call, 2)));
    },
  },
};
