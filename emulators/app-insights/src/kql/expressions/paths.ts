import { unsupported } from '../errors.js';
import type { SyntaxNode } from '../syntax.js';
import { constantValue, derived, type Expr, isInteger } from './expression.js';

/** `bag.name`, `bag["name"]`: null when there is no such property or the value is no bag. */
export function property(target: Expr, name: string): Expr {
  const { read } = target;
  return derived('dynamic', [target], (row) => propertyOf(read(row), name));
}

export function propertyOf(value: unknown, name: string): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  return Object.hasOwn(value, name) ? ((value as Record<string, unknown>)[name] ?? null) : null;
}

/** `array[i]`, from the end when negative: null outside of the array. */
export function elementAt(value: unknown, index: number): unknown {
  if (!Array.isArray(value)) return null;
  return value[index < 0 ? value.length + index : index] ?? null;
}

export function element(node: SyntaxNode, target: Expr, selector: Expr): Expr {
  if (target.type !== 'dynamic') throw unsupported(node, `[] on a ${target.type}`);
  if (selector.type === 'string') {
    if (selector.constant) return property(target, constantValue(selector) as string);
    return derived('dynamic', [target, selector], (row) =>
      propertyOf(target.read(row), selector.read(row) as string),
    );
  }
  if (!isInteger(selector.type)) throw unsupported(node, `[] with a ${selector.type}`);
  return derived('dynamic', [target, selector], (row) => {
    const index = selector.read(row) as number | null;
    return index === null ? null : elementAt(target.read(row), index);
  });
}
