import { rowBytes } from '../budget.js';
import { unsupported } from '../errors.js';
import { compileScalar } from '../expressions/compile.js';
import { type Expr, missing } from '../expressions/expression.js';
import { itemExpression } from '../operators/projections.js';
import { compareValues } from '../values/order.js';
import {
  type Aggregate,
  type AggregateCall,
  type AggregateTable,
  argument,
  withPredicate,
} from './aggregate.js';

function isAbsent(value: unknown): boolean {
  return value === null || (typeof value === 'number' && Number.isNaN(value));
}

/** A value that has an order. */
function ordered(call: AggregateCall): Expr {
  const expr = argument(call, 0);
  if (expr.type !== 'dynamic' && expr.type !== 'guid') return expr;
  throw unsupported(call.argNodes[0] ?? call.node, `${call.name}() of a ${expr.type}`);
}

function extreme(sign: 1 | -1): (call: AggregateCall) => Aggregate {
  return (call) => {
    const expr = ordered(call);
    const { read } = expr;
    return {
      types: [expr.type],
      create: () => {
        const best: unknown[] = [];
        return {
          add: (group, row) => {
            const value = read(row);
            if (isAbsent(value)) return;
            const current = best[group];
            if (current === undefined || sign * compareValues(value, current) > 0) best[group] = value;
          },
          result: (group) => [best[group] ?? missing(expr.type)],
        };
      },
    };
  };
}

interface Returned {
  readonly expr: Expr;
  readonly origin?: string;
}

/** Expressions that are returned beside the extreme; `*` is every column but the compared one and plain group keys. */
function returned(call: AggregateCall, from: number): Returned[] {
  const compared = from === 0 ? undefined : call.argNodes[0];
  return call.argNodes.slice(from).flatMap((node): Returned[] => {
    if (node.kind !== 'StarExpression') return [{ expr: compileScalar(itemExpression(node), call.scope) }];
    return call.starColumns
      .filter(({ name }) => !(compared?.kind === 'NameReference' && compared.reference?.name === name))
      .map(({ name, expr }) => ({ expr, origin: name }));
  });
}

/** Among equals, and when every compared value is null, the first row wins. */
function argExtreme(sign: 1 | -1): (call: AggregateCall) => Aggregate {
  return (call) => {
    const compared = ordered(call);
    const extras = returned(call, 1);
    const others = extras.map((e) => e.expr);
    return {
      types: [compared.type, ...others.map((e) => e.type)],
      origins: [undefined, ...extras.map((e) => e.origin)],
      create: (budget) => {
        const rows: unknown[][] = [];
        const width = rowBytes(others.length + 1);
        return {
          add: (group, row) => {
            const value = compared.read(row);
            const current = rows[group];
            if (current !== undefined) {
              const best = current[0];
              if (isAbsent(value)) return;
              if (!isAbsent(best) && sign * compareValues(value, best) <= 0) return;
            } else budget.hold(width);
            rows[group] = [value, ...others.map((e) => e.read(row))];
          },
          result: (group) => rows[group] ?? [missing(compared.type), ...others.map((e) => missing(e.type))],
        };
      },
    };
  };
}

/** One row per group; for a single column a value that is neither null nor empty is preferred, as documented. */
function takeAny(call: AggregateCall): Aggregate {
  const taken = returned(call, 0);
  const values = taken.map((e) => e.expr);
  const [only] = call.argNodes;
  const prefersValue = values.length === 1 && only?.kind === 'NameReference';
  return {
    types: values.map((e) => e.type),
    origins: taken.map((e) => e.origin),
    create: (budget) => {
      const rows: unknown[][] = [];
      const width = rowBytes(values.length);
      const hasValue = (row: unknown[]) => row[0] !== null && row[0] !== '';
      return {
        add: (group, row) => {
          const current = rows[group];
          if (current !== undefined && (!prefersValue || hasValue(current))) return;
          if (current === undefined) budget.hold(width);
          rows[group] = values.map((e) => e.read(row));
        },
        result: (group) => rows[group] ?? values.map((e) => missing(e.type)),
      };
    },
  };
}

const ARG_NOTE = 'Nulls lose; among equals the first row wins. `*` returns the other columns.';

export const EXTREME_AGGREGATES: AggregateTable = {
  ...withPredicate({ plain: 'min', conditional: 'minif' }, { args: 'x', compile: extreme(-1) }),
  ...withPredicate({ plain: 'max', conditional: 'maxif' }, { args: 'x', compile: extreme(1) }),
  arg_min: { signature: 'arg_min(x, returned, ... | *)', note: ARG_NOTE, compile: argExtreme(-1) },
  arg_max: { signature: 'arg_max(x, returned, ... | *)', note: ARG_NOTE, compile: argExtreme(1) },
  take_any: {
    signature: 'take_any(x, ... | *)',
    note: 'The first row; of a single column the first value that is neither null nor empty.',
    compile: takeAny,
  },
};
