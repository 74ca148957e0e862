import { MAX_VALUE_NESTING } from './limits.js';

/** A JSON value, or undefined where a document has none. */
export type Value = unknown;
export type JsonObject = Record<string, unknown>;

export function isObject(value: Value): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isPrimitive(value: Value): boolean {
  return value === null || (typeof value !== 'object' && value !== undefined);
}

/** Deep equality of two defined values; the order of properties does not matter. */
export function equals(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => equals(item, right[index]))
    );
  }
  if (Array.isArray(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every(
      (name) => Object.hasOwn(right, name) && equals((left as JsonObject)[name], (right as JsonObject)[name]),
    )
  );
}

/** True if `whole` has every property of `part`, with equal values, at every level. */
export function containsPart(whole: Value, part: Value): boolean {
  if (!isObject(whole) || !isObject(part)) return equals(whole, part);
  return Object.keys(part).every(
    (name) => Object.hasOwn(whole, name) && containsPart(whole[name], part[name]),
  );
}

/**
 * `<` and its kin are defined between two booleans, numbers, strings or nulls; anything else is undefined. Strings compare
 * by UTF-16 code unit, as the SDK's own merge of sorted partitions does.
 *
 * @returns negative, zero or positive; undefined if the two do not compare.
 */
export function compareSameType(left: Value, right: Value): number | undefined {
  if (left === null && right === null) return 0;
  if (typeof left !== typeof right) return undefined;
  switch (typeof left) {
    case 'number':
    case 'string':
    case 'boolean':
      return left === right ? 0 : left < (right as typeof left) ? -1 : 1;
    default:
      return undefined;
  }
}

const TYPE_ORDER: Readonly<Record<string, number>> = { undefined: 0, boolean: 2, number: 3, string: 4 };

function typeRank(value: Value): number {
  if (value === null) return 1;
  if (typeof value === 'object') return Array.isArray(value) ? 5 : 6;
  return TYPE_ORDER[typeof value] ?? 0;
}

/** The total order of ORDER BY: undefined, null, false, true, numbers, strings, arrays, objects. */
export function compareForSort(left: Value, right: Value): number {
  const ranks = typeRank(left) - typeRank(right);
  if (ranks !== 0) return ranks;
  const compared = compareSameType(left, right);
  if (compared !== undefined) return compared;
  if (left === undefined || right === undefined) return 0;
  const leftKey = canonicalKey(left);
  const rightKey = canonicalKey(right);
  return leftKey === rightKey ? 0 : leftKey < rightKey ? -1 : 1;
}

/** Equal values, and only they, have the same key. */
export function canonicalKey(value: Value): string {
  if (value === undefined) return 'u';
  if (value === 0) return '0';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalKey).join(',')}]`;
  const properties = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalKey((value as JsonObject)[name])}`);
  return `{${properties.join(',')}}`;
}

/** Sets a property whatever its name: `__proto__` is a plain property in JSON. */
export function setProperty(target: JsonObject, name: string, value: Value): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[name] = value;
  }
}

/** Numbers outside JSON's range are no values: 1 / 0 is undefined. */
export function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

/** Walks level by level, so that a hostile value cannot exhaust the stack. */
export function isNestedTooDeep(value: Value): boolean {
  let level: Value[] = [value];
  for (let depth = 0; depth <= MAX_VALUE_NESTING; depth++) {
    const next: Value[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      for (const child of Object.values(item)) if (typeof child === 'object') next.push(child);
    }
    if (next.length === 0) return false;
    level = next;
  }
  return true;
}
