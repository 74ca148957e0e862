import { runtimeError, unsupported } from '../errors.js';
import type { SyntaxNode } from '../syntax.js';
import type { KqlType } from '../types.js';
import { parseBool } from '../values/bool.js';
import { constantValue, derived, type Expr, isNumeric } from './expression.js';

export type ComparisonOperator = '==' | '!=' | '<>' | '<' | '<=' | '>' | '>=';

export function compileComparison(node: SyntaxNode, operands: { left: Expr; right: Expr }): Expr {
  const operator = node.part('Operator').word as ComparisonOperator;
  return compare(node, operator, operands);
}

export function compare(
  node: SyntaxNode,
  operator: ComparisonOperator,
  operands: { left: Expr; right: Expr },
): Expr {
  const { left, right } = unify(node, operator, operands);
  if (operator === '==') return equality(left, right);
  if (operator === '!=' || operator === '<>') return inequality(left, right);
  return ordering(operator, left, right);
}

/** Brings both operands to values that JavaScript compares the way Kusto does, or refuses the pair of types. */
function unify(
  node: SyntaxNode,
  operator: ComparisonOperator,
  { left, right }: { left: Expr; right: Expr },
): { left: Expr; right: Expr } {
  if (left.type === right.type && left.type !== 'dynamic') return { left, right };
  if (isNumeric(left.type) && isNumeric(right.type)) return { left, right };
  const isEquality = operator === '==' || operator === '!=' || operator === '<>';
  if (isEquality && left.type === 'string' && right.type === 'bool') return { left: textAsBool(left), right };
  if (isEquality && left.type === 'bool' && right.type === 'string')
    return { left, right: textAsBool(right) };
  if (left.type === 'dynamic' && isComparedWithDynamic(right.type)) {
    return { left: primitive(left, right.type, node), right };
  }
  if (right.type === 'dynamic' && isComparedWithDynamic(left.type)) {
    return { left, right: primitive(right, left.type, node) };
  }
  throw unsupported(node, `${left.type} ${operator} ${right.type}; convert one side first`);
}

function isComparedWithDynamic(type: KqlType): boolean {
  return isNumeric(type) || type === 'bool' || type === 'string';
}

/** Application Insights stores `success` as the text "True" or "False", and its queries compare it with true. */
function textAsBool(expr: Expr): Expr {
  return derived('bool', [expr], (row) => parseBool(expr.read(row) as string));
}

/**
 * A dynamic value compared with a scalar must hold that kind of value. Kusto's rules for the other cases are not documented, so they are
 * errors here; only a missing value is allowed: null beside numbers and booleans, '' beside strings.
 */
export function primitive(expr: Expr, type: KqlType, node: SyntaxNode): Expr {
  const expected = type === 'string' ? 'string' : type === 'bool' ? 'boolean' : 'number';
  const none = type === 'string' ? '' : null;
  return derived(type, [expr], (row) => {
    const value = expr.read(row);
    if (value === null) return none;
    if (typeof value === expected) return value;
    throw runtimeError(
      node,
      `A dynamic value of kind ${kindOf(value)} is compared with a ${type}; convert it first, e.g. with tostring() or toreal()`,
    );
  });
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' ? 'bag' : typeof value;
}

/** Documented for null: null == null is null, null == x is false. */
function equality(left: Expr, right: Expr): Expr {
  const { read } = left;
  const { read: readRight } = right;
  const fixed = right.constant ? constantValue(right) : null;
  if (fixed !== null) return derived('bool', [left], (row) => read(row) === fixed);
  return derived('bool', [left, right], (row) => {
    const a = read(row);
    const b = readRight(row);
    return a === null && b === null ? null : a === b;
  });
}

/** Documented for null: null != null is null, null != x is true. */
function inequality(left: Expr, right: Expr): Expr {
  const equal = equality(left, right);
  return derived('bool', [equal], (row) => {
    const value = equal.read(row);
    return value === null ? null : value === false;
  });
}

function ordering(operator: ComparisonOperator, left: Expr, right: Expr): Expr {
  const a = left.read as (row: unknown) => number | null;
  const b = right.read as (row: unknown) => number | null;
  const test = ORDER_TESTS[operator as keyof typeof ORDER_TESTS];
  const fixed = right.constant ? (constantValue(right) as number | null) : null;
  if (fixed !== null) {
    return derived('bool', [left], (row) => {
      const x = a(row);
      return x === null ? null : test(x, fixed);
    });
  }
  return derived('bool', [left, right], (row) => {
    const x = a(row);
    const y = b(row);
    return x === null || y === null ? null : test(x, y);
  });
}

const ORDER_TESTS = {
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
};

/** `between`: both ends belong to the range; a timespan as upper end counts from the lower. */
export function compileBetween(node: SyntaxNode, parts: { value: Expr; low: Expr; high: Expr }): Expr {
  const { value, low } = parts;
  const high = upperEnd(parts);
  const inside = conjunction(
    compare(node, '>=', { left: value, right: low }),
    compare(node, '<=', { left: value, right: high }),
  );
  return node.part('Operator').word === 'between' ? inside : negation(inside);
}

function upperEnd({ low, high }: { low: Expr; high: Expr }): Expr {
  if (low.type !== 'datetime' || high.type !== 'timespan') return high;
  return derived('datetime', [low, high], (row) => {
    const from = low.read(row) as number | null;
    const size = high.read(row) as number | null;
    return from === null || size === null ? null : from + size;
  });
}

/** Three-valued: false wins over null. */
export function conjunction(left: Expr, right: Expr): Expr {
  const { read } = left;
  const { read: readRight } = right;
  return derived('bool', [left, right], (row) => {
    const a = read(row);
    if (a === false) return false;
    const b = readRight(row);
    return a === true ? b : b === false ? false : null;
  });
}

/** Three-valued: true wins over null. */
export function disjunction(left: Expr, right: Expr): Expr {
  const { read } = left;
  const { read: readRight } = right;
  return derived('bool', [left, right], (row) => {
    const a = read(row);
    if (a === true) return true;
    const b = readRight(row);
    return a === false ? b : b === true ? true : null;
  });
}

export function negation(operand: Expr): Expr {
  return derived('bool', [operand], (row) => {
    const value = operand.read(row);
    return value === null ? null : value !== true;
  });
}
