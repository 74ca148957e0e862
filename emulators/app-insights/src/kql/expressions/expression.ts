import { runtimeError, unsupported } from '../errors.js';
import type { SyntaxNode } from '../syntax.js';
import type { KqlType, Row } from '../types.js';

/** A compiled scalar expression: a closure over the row that its table carries. */
export interface Expr {
  readonly type: KqlType;
  /** The same value for every row. */
  readonly constant: boolean;
  read(this: void, row: Row): unknown;
}

const NO_ROW: Row = [];

export function constant(type: KqlType, value: unknown): Expr {
  return { type, constant: true, read: () => value };
}

export function constantValue(expr: Expr): unknown {
  return expr.read(NO_ROW);
}

/** Wraps a pure closure over `inputs`; when all of them are constant it is evaluated once, now. */
export function derived(type: KqlType, inputs: readonly Expr[], read: (row: Row) => unknown): Expr {
  if (inputs.every((e) => e.constant)) return constant(type, read(NO_ROW));
  return { type, constant: false, read };
}

export function columnAt(index: number, type: KqlType): Expr {
  return { type, constant: false, read: (row) => row[index] };
}

/** Evaluates once per row, however often the expression is used: rows are processed one after another. */
export function oncePerRow(expr: Expr): Expr {
  if (expr.constant) return expr;
  const { read } = expr;
  let last: Row | undefined;
  let value: unknown;
  return {
    type: expr.type,
    constant: false,
    read: (row) => {
      if (row !== last) {
        value = read(row);
        last = row;
      }
      return value;
    },
  };
}

const SUPPORTED_TYPES = new Set([
  'bool',
  'int',
  'long',
  'real',
  'datetime',
  'timespan',
  'string',
  'dynamic',
  'guid',
]);

/** The node's type by analysis; refuses decimal and whatever else the engine has no values for. */
export function typeOf(node: SyntaxNode): KqlType {
  const type = node.scalarType;
  if (type !== undefined && SUPPORTED_TYPES.has(type)) return type as KqlType;
  throw unsupported(node, `values of type ${type ?? 'unknown'}`);
}

export function isInteger(type: KqlType): boolean {
  return type === 'int' || type === 'long';
}

export function isNumeric(type: KqlType): boolean {
  return type === 'int' || type === 'long' || type === 'real';
}

/** Integers are doubles here, so one that a double cannot hold exactly is an error rather than a wrong digit. */
export function checkedInteger(value: number, node: SyntaxNode): number {
  if (Number.isSafeInteger(value)) return value;
  throw runtimeError(node, `The integer ${value} is outside of ±(2^53 - 1), where this engine is exact`);
}

/** Kusto's int has 32 bits; a value that does not fit becomes null in conversions. */
export function fitsInt(value: number): boolean {
  return value >= -2_147_483_648 && value <= 2_147_483_647;
}

/** The missing value of a type: strings have no null. */
export function missing(type: KqlType): null | '' {
  return type === 'string' ? '' : null;
}

/** Requires a constant, and names the argument when it is not. */
export function requireConstant(expr: Expr, node: SyntaxNode, what: string): unknown {
  if (expr.constant) return constantValue(expr);
  throw unsupported(node, `${what} that depends on the row; it must be a constant`);
}
