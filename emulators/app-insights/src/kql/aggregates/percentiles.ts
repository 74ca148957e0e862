import type { Budget } from '../budget.js';
import { runtimeError, unsupported } from '../errors.js';
import { compileScalar } from '../expressions/compile.js';
import { constantValue, type Expr, isNumeric, requireConstant } from '../expressions/expression.js';
import { toDynamic } from '../values/text.js';
import {
  type Accumulator,
  type Aggregate,
  type AggregateCall,
  type AggregateTable,
  argument,
  expectArguments,
  stateOf,
} from './aggregate.js';
import { Samples } from './samples.js';

function collector(
  expr: Expr,
  finish: (samples: Samples | undefined) => readonly unknown[],
  budget: Budget,
): Accumulator {
  const read = expr.read as (row: readonly unknown[]) => number | null;
  const groups: Samples[] = [];
  const create = () => new Samples(budget);
  return {
    add: (group, row) => {
      const value = read(row);
      if (value === null || Number.isNaN(value)) return;
      stateOf(groups, group, create).add(value);
    },
    result: (group) => finish(groups[group]),
  };
}

function measured(call: AggregateCall): Expr {
  const expr = argument(call, 0);
  if (isNumeric(expr.type) || expr.type === 'timespan' || expr.type === 'datetime') return expr;
  throw unsupported(call.argNodes[0] ?? call.node, `${call.name}() of a ${expr.type}`);
}

function percentages(call: AggregateCall): number[] {
  const found = call.argNodes.slice(1).flatMap((node) => {
    const expr = compileScalar(node, call.scope);
    requireConstant(expr, node, 'a percentile');
    return constantValue(expr) as unknown[] | unknown;
  });
  return found.map((value) => {
    if (typeof value === 'number' && value >= 0 && value <= 100) return value;
    throw runtimeError(call.node, `The percentile ${JSON.stringify(value)}; allowed are 0 to 100`);
  });
}

function percentileColumns(call: AggregateCall): Aggregate {
  const expr = measured(call);
  const ps = percentages(call);
  return {
    types: ps.map(() => (expr.type === 'int' ? 'long' : expr.type)),
    create: (budget) =>
      collector(
        expr,
        (samples) => ps.map((p) => (samples === undefined ? null : samples.percentile(p))),
        budget,
      ),
  };
}

function percentilesArray(call: AggregateCall): Aggregate {
  const expr = measured(call);
  const ps = percentages(call);
  const pack = toDynamic(expr.type);
  return {
    types: ['dynamic'],
    create: (budget) =>
      collector(
        expr,
        (samples) => [samples === undefined ? null : ps.map((p) => pack(samples.percentile(p)))],
        budget,
      ),
  };
}

const NOTE =
  'Exact nearest rank over all values; Kusto estimates with a t-digest, so its result may differ by up to 1 % in rank. Of nothing: null.';

export const PERCENTILE_AGGREGATES: AggregateTable = {
  percentile: {
    signature: 'percentile(x, percentage)',
    note: NOTE,
    compile: (call) => {
      expectArguments(call, 2);
      return percentileColumns(call);
    },
  },
  percentiles: {
    signature: 'percentiles(x, percentage, ...)',
    note: NOTE,
    compile: (call) => {
      expectArguments(call, 2, 100);
      return percentileColumns(call);
    },
  },
  percentiles_array: {
    signature: 'percentiles_array(x, percentage, ... | array)',
    note: NOTE,
    compile: (call) => {
      expectArguments(call, 2, 100);
      return percentilesArray(call);
    },
  },
};
