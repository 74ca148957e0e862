import { runtimeError } from '../errors.js';
import { type Expr, isInteger } from '../expressions/expression.js';
import type { SyntaxNode } from '../syntax.js';
import {
  type Aggregate,
  type AggregateCall,
  type AggregateTable,
  conditional,
  expectArguments,
  summable,
  withPredicate,
} from './aggregate.js';

type ReadNumber = (row: readonly unknown[]) => number | null;

function count(): Aggregate {
  return {
    types: ['long'],
    create: () => {
      const counts: number[] = [];
      return {
        add: (group) => {
          counts[group] = (counts[group] ?? 0) + 1;
        },
        result: (group) => [counts[group] ?? 0],
      };
    },
  };
}

function sum(call: AggregateCall): Aggregate {
  const expr = summable(call, 0);
  const read = expr.read as ReadNumber;
  const isWhole = isInteger(expr.type);
  return {
    types: [isWhole ? 'long' : expr.type],
    create: () => {
      const sums: number[] = [];
      const add = (group: number, row: readonly unknown[]) => {
        const value = read(row);
        if (value === null) return;
        const total = (sums[group] ?? 0) + value;
        if (isWhole && !Number.isSafeInteger(total)) throw inexact(call.node);
        sums[group] = total;
      };
      return { add, result: (group) => [sums[group] ?? 0] };
    },
  };
}

function inexact(node: SyntaxNode): Error {
  return runtimeError(node, 'The sum is outside of ±(2^53 - 1), where this engine is exact');
}

function avg(call: AggregateCall): Aggregate {
  const expr = summable(call, 0);
  const read = expr.read as ReadNumber;
  const isTimespan = expr.type === 'timespan';
  return {
    types: [isTimespan ? 'timespan' : 'real'],
    create: () => {
      const sums: number[] = [];
      const counts: number[] = [];
      return {
        add: (group, row) => {
          const value = read(row);
          if (value === null) return;
          sums[group] = (sums[group] ?? 0) + value;
          counts[group] = (counts[group] ?? 0) + 1;
        },
        result: (group) => {
          const n = counts[group] ?? 0;
          if (n === 0) return [isTimespan ? null : Number.NaN];
          const mean = (sums[group] as number) / n;
          return [isTimespan ? Math.round(mean) : mean];
        },
      };
    },
  };
}

interface Spread {
  /** Divisor for n values. */
  readonly divisor: (n: number) => number;
  readonly finish: (variance: number) => number;
}

/** Welford's algorithm: stable in one pass. */
function spread(expr: Expr, { divisor, finish }: Spread): Aggregate {
  const read = expr.read as ReadNumber;
  return {
    types: ['real'],
    create: () => {
      const counts: number[] = [];
      const means: number[] = [];
      const squares: number[] = [];
      return {
        add: (group, row) => {
          const value = read(row);
          if (value === null) return;
          const n = (counts[group] ?? 0) + 1;
          const mean = means[group] ?? 0;
          const delta = value - mean;
          const next = mean + delta / n;
          counts[group] = n;
          means[group] = next;
          squares[group] = (squares[group] ?? 0) + delta * (value - next);
        },
        result: (group) => [finish((squares[group] ?? 0) / divisor(counts[group] ?? 0))],
      };
    },
  };
}

const SAMPLE = (n: number) => n - 1;
const POPULATION = (n: number) => n;
const SPREADS: Readonly<Record<string, Spread>> = {
  variance: { divisor: SAMPLE, finish: (v) => v },
  variancep: { divisor: POPULATION, finish: (v) => v },
  stdev: { divisor: SAMPLE, finish: Math.sqrt },
  stdevp: { divisor: POPULATION, finish: Math.sqrt },
};

const SPREAD_NOTE =
  'Of the sample (n − 1); variancep and stdevp of the population (n). NaN when there are too few values.';

/** Each with its variant with a predicate; Kusto has no stdevpif. */
function spreadTable(): AggregateTable {
  const tables = Object.entries(SPREADS).map(([name, kind]) =>
    withPredicate(
      { plain: name, conditional: `${name}if` },
      { args: 'x: number', note: SPREAD_NOTE, compile: (call) => spread(summable(call, 0), kind) },
    ),
  );
  const { stdevpif: _, ...table }: AggregateTable = Object.assign({}, ...tables);
  return table;
}

export const SUM_AGGREGATES: AggregateTable = {
  count: {
    signature: 'count()',
    compile: (call) => {
      expectArguments(call, 0);
      return count();
    },
  },
  countif: {
    signature: 'countif(predicate: bool)',
    compile: (call) => {
      expectArguments(call, 1);
      return conditional(call, 0, count());
    },
  },
  ...withPredicate(
    { plain: 'sum', conditional: 'sumif' },
    { args: 'x', note: 'Of nothing: 0.', compile: sum },
  ),
  ...withPredicate(
    { plain: 'avg', conditional: 'avgif' },
    { args: 'x', note: 'Of nothing: NaN (timespan: null).', compile: avg },
  ),
  ...spreadTable(),
};
