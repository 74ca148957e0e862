import type { BinaryOperator, UnaryOperator } from './ast.js';
import type { Evaluator } from './environment.js';
import type { Value } from './values.js';
import { compareSameType, equals, finite } from './values.js';

type Combine = (left: Value, right: Value) => Value;

function numeric(compute: (left: number, right: number) => number): Combine {
  return (left, right) =>
    typeof left === 'number' && typeof right === 'number' ? finite(compute(left, right)) : undefined;
}

function comparison(accepts: (compared: number) => boolean): Combine {
  return (left, right) => {
    const compared = compareSameType(left, right);
    return compared === undefined ? undefined : accepts(compared);
  };
}

function isEqual(left: Value, right: Value): boolean | undefined {
  return left === undefined || right === undefined ? undefined : equals(left, right);
}

export const atMost = comparison((compared) => compared <= 0);

export function negate(value: Value): Value {
  return typeof value === 'boolean' ? !value : undefined;
}

/** `??` is evaluated lazily and therefore not here. Bitwise operators work on 32 bits, as documented. */
const BINARY: Readonly<Record<Exclude<BinaryOperator, '??'>, Combine>> = {
  '=': isEqual,
  '!=': (left, right) => negate(isEqual(left, right)),
  '<': comparison((compared) => compared < 0),
  '<=': atMost,
  '>': comparison((compared) => compared > 0),
  '>=': comparison((compared) => compared >= 0),
  '+': numeric((left, right) => left + right),
  '-': numeric((left, right) => left - right),
  '*': numeric((left, right) => left * right),
  '/': numeric((left, right) => left / right),
  '%': numeric((left, right) => left % right),
  '&': numeric((left, right) => left & right),
  '|': numeric((left, right) => left | right),
  '^': numeric((left, right) => left ^ right),
  '<<': numeric((left, right) => left << right),
  '>>': numeric((left, right) => left >> right),
  '>>>': numeric((left, right) => left >>> right),
  '||': (left, right) => (typeof left === 'string' && typeof right === 'string' ? left + right : undefined),
};

const UNARY: Readonly<Record<UnaryOperator, (value: Value) => Value>> = {
  not: negate,
  '-': (value) => (typeof value === 'number' ? -value : undefined),
  '+': (value) => (typeof value === 'number' ? value : undefined),
  '~': (value) => (typeof value === 'number' ? ~value : undefined),
};

export function compileUnary(operator: UnaryOperator, operand: Evaluator): Evaluator {
  const apply = UNARY[operator];
  return (environment) => apply(operand(environment));
}

export function compileBinary(operator: BinaryOperator, left: Evaluator, right: Evaluator): Evaluator {
  if (operator === '??') {
    return (environment) => {
      const value = left(environment);
      return value === undefined ? right(environment) : value;
    };
  }
  if (operator === '=') return compileEquals(left, right);
  const combine = BINARY[operator];
  return (environment) => combine(left(environment), right(environment));
}

/** The operator of nearly every filter, without a call where the values are primitive. */
function compileEquals(left: Evaluator, right: Evaluator): Evaluator {
  return (environment) => {
    const a = left(environment);
    const b = right(environment);
    if (a === undefined || b === undefined) return undefined;
    return a === b || (typeof a === 'object' && typeof b === 'object' && equals(a, b));
  };
}

/**
 * Three-valued AND and OR: `decisive` (false for AND, true for OR) wins wherever it stands; otherwise anything that is not
 * a boolean makes the result undefined.
 */
export function compileLogical(operator: 'and' | 'or', operands: readonly Evaluator[]): Evaluator {
  const decisive = operator === 'or';
  return (environment) => {
    let isDefined = true;
    for (const operand of operands) {
      const value = operand(environment);
      if (value === decisive) return decisive;
      if (value !== !decisive) isDefined = false;
    }
    return isDefined ? !decisive : undefined;
  };
}
