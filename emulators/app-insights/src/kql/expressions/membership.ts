import { runtimeError, unsupported } from '../errors.js';
import type { SyntaxNode } from '../syntax.js';
import { primitive } from './comparison.js';
import { constantValue, derived, type Expr, isNumeric } from './expression.js';

/** Elements of the right side of `in`: their values, already constant. */
export interface Elements {
  readonly type: Expr['type'];
  readonly values: readonly unknown[];
}

/** `in`, `!in`, `in~`, `!in~` against constants. Null never equals an element, so it is out, and `!in` lets it through. */
export function compileIn(node: SyntaxNode, left: Expr, lists: readonly Elements[]): Expr {
  const word = node.part('Operator').word;
  const negated = word.startsWith('!');
  const ignoreCase = word.endsWith('~');
  const value = memberOf(left, lists, node);
  const { read } = value;
  const fold = (member: unknown) =>
    ignoreCase && typeof member === 'string' ? member.toLowerCase() : member;
  const members = new Set(lists.flatMap((list) => list.values.map((v) => fold(checked(v, value, node)))));
  members.delete(null);
  return derived('bool', [value], (row) => members.has(fold(read(row))) !== negated);
}

function memberOf(left: Expr, lists: readonly Elements[], node: SyntaxNode): Expr {
  for (const { type } of lists) {
    const fits =
      type === left.type ||
      type === 'dynamic' ||
      left.type === 'dynamic' ||
      (isNumeric(type) && isNumeric(left.type));
    if (!fits) throw unsupported(node, `${left.type} in a list of ${type}; convert one side first`);
  }
  if (left.type === 'datetime' || left.type === 'timespan' || left.type === 'bool' || left.type === 'guid') {
    if (lists.some((list) => list.type === 'dynamic'))
      throw unsupported(node, `${left.type} in a dynamic array`);
  }
  if (left.type !== 'dynamic') return left;
  if (lists.every((list) => list.type === 'string')) return primitive(left, 'string', node);
  throw unsupported(node, 'a dynamic value in a list that is not of strings; convert it first');
}

/** An element of a dynamic array must be of the left side's kind. */
function checked(value: unknown, left: Expr, node: SyntaxNode): unknown {
  const expected = isNumeric(left.type) ? 'number' : left.type === 'string' ? 'string' : undefined;
  if (value === null || expected === undefined || typeof value === expected) return value;
  throw runtimeError(node, `${left.type} in an array with an element of kind ${typeof value}`);
}

/** Elements of one argument: a scalar, or each element of a constant dynamic array. */
export function elementsOf(expr: Expr, node: SyntaxNode): Elements {
  if (!expr.constant)
    throw unsupported(node, 'a list with values that depend on the row; they must be constants');
  const value = constantValue(expr);
  if (expr.type !== 'dynamic') return { type: expr.type, values: [value] };
  if (Array.isArray(value)) return { type: 'dynamic', values: value };
  if (value === null) return { type: 'dynamic', values: [] };
  throw runtimeError(node, 'A dynamic value that is no array is used as a list');
}
