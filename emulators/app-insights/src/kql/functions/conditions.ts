import { unsupported } from '../errors.js';
import { constant, derived, type Expr, isInteger, isNumeric, typeOf } from '../expressions/expression.js';
import type { KqlType } from '../types.js';
import { compareValues } from '../values/order.js';
import type { Call, FunctionTable } from './function.js';

export const CONDITION_FUNCTIONS: FunctionTable = {
  iff: { signature: 'iff(condition: bool, then, else)', note: 'A null condition takes else.', compile: iff },
  iif: { signature: 'iif(condition: bool, then, else)', compile: iff },
  case: { signature: 'case(condition, then, [condition, then, ...] else)', compile: caseOf },
  coalesce: {
    signature: 'coalesce(value, value, ...)',
    note: 'The first value that is not null; of strings the first that is not empty.',
    compile: coalesce,
  },
  isnull: {
    signature: 'isnull(value): bool',
    note: 'Never true for strings.',
    compile: (c) => nullTest(c, true),
  },
  isnotnull: { signature: 'isnotnull(value): bool', compile: (c) => nullTest(c, false) },
  isempty: {
    signature: 'isempty(value): bool',
    note: 'Empty string or null.',
    compile: (c) => emptyTest(c, true),
  },
  isnotempty: { signature: 'isnotempty(value): bool', compile: (c) => emptyTest(c, false) },
  not: { signature: 'not(condition: bool): bool', note: 'not(null) is null.', compile: not },
  min_of: {
    signature: 'min_of(value, value, ...)',
    note: 'Nulls are left out.',
    compile: (c) => extreme(c, -1),
  },
  max_of: {
    signature: 'max_of(value, value, ...)',
    note: 'Nulls are left out.',
    compile: (c) => extreme(c, 1),
  },
};

/** All alternatives must have the result's type, or be integers that widen to it. */
function alternatives(call: Call, values: readonly Expr[]): KqlType {
  const type = typeOf(call.node);
  for (const value of values) {
    const widens = (isInteger(value.type) && isNumeric(type)) || value.type === type;
    if (!widens)
      throw unsupported(call.node, `${call.name}() with alternatives of type ${value.type} and ${type}`);
  }
  return type;
}

function condition(call: Call, index: number): Expr {
  const expr = call.args[index] as Expr;
  if (expr.type === 'bool') return expr;
  throw unsupported(call.argNodes[index] ?? call.node, `a ${expr.type} as condition of ${call.name}()`);
}

function iff(call: Call): Expr {
  const test = condition(call, 0);
  const [, then, otherwise] = call.args as [Expr, Expr, Expr];
  const type = alternatives(call, [then, otherwise]);
  return derived(type, [test, then, otherwise], (row) =>
    test.read(row) === true ? then.read(row) : otherwise.read(row),
  );
}

function caseOf(call: Call): Expr {
  const count = Math.floor(call.args.length / 2);
  const tests = Array.from({ length: count }, (_, i) => condition(call, 2 * i));
  const thens = Array.from({ length: count }, (_, i) => call.args[2 * i + 1] as Expr);
  const otherwise = call.args[2 * count];
  if (otherwise === undefined) throw unsupported(call.node, 'case() without an else value');
  const type = alternatives(call, [...thens, otherwise]);
  return derived(type, call.args, (row) => {
    const hit = tests.findIndex((test) => test.read(row) === true);
    return (thens[hit] ?? otherwise).read(row);
  });
}

function coalesce(call: Call): Expr {
  const type = alternatives(call, call.args);
  const none = type === 'string' ? '' : null;
  return derived(type, call.args, (row) => {
    for (const arg of call.args) {
      const value = arg.read(row);
      if (value !== none) return value;
    }
    return none;
  });
}

function single(call: Call): Expr {
  const [value] = call.args;
  if (value === undefined || call.args.length !== 1)
    throw unsupported(call.node, `${call.name}() with these arguments`);
  return value;
}

function nullTest(call: Call, wanted: boolean): Expr {
  const value = single(call);
  if (value.type === 'string') return constant('bool', !wanted);
  return derived('bool', [value], (row) => (value.read(row) === null) === wanted);
}

function emptyTest(call: Call, wanted: boolean): Expr {
  const value = single(call);
  return derived('bool', [value], (row) => {
    const v = value.read(row);
    return (v === null || v === '') === wanted;
  });
}

function not(call: Call): Expr {
  const value = condition(call, 0);
  return derived('bool', [value], (row) => {
    const v = value.read(row);
    return v === null ? null : v !== true;
  });
}

function extreme(call: Call, sign: 1 | -1): Expr {
  const type = alternatives(call, call.args);
  if (type === 'dynamic' || type === 'bool' || type === 'guid')
    throw unsupported(call.node, `${call.name}() of ${type}`);
  return derived(type, call.args, (row) => {
    let best: unknown = null;
    for (const arg of call.args) {
      const value = arg.read(row);
      if (value !== null && (best === null || sign * compareValues(value, best) > 0)) best = value;
    }
    return best;
  });
}
