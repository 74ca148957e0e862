import type { Value } from '../values.js';
import { canonicalKey, containsPart, equals, isObject } from '../values.js';
import type { BuiltinFunction, FunctionTable } from './definition.js';
import { fn } from './definition.js';

function isInteger(value: Value): value is number {
  return typeof value === 'number' && Number.isInteger(value);
}

function concat(args: readonly Value[]): Value {
  if (!args.every(Array.isArray)) return undefined;
  return (args as Value[][]).flat(1);
}

function contains(items: readonly Value[], value: Value, partial = false): boolean {
  return items.some((item) => (partial ? containsPart(item, value) : equals(item, value)));
}

function arrayContains([array, value, partial]: readonly Value[]): Value {
  if (!Array.isArray(array) || value === undefined) return undefined;
  return contains(array, value, partial === true);
}

function slice([array, start, length]: readonly Value[], count: number): Value {
  if (!Array.isArray(array) || !isInteger(start)) return undefined;
  const from = start < 0 ? Math.max(array.length + start, 0) : start;
  if (count < 3) return array.slice(from);
  if (!isInteger(length)) return undefined;
  return length <= 0 ? [] : array.slice(from, from + length);
}

/** CHOOSE counts from 1. */
function choose([index, ...choices]: readonly Value[]): Value {
  return isInteger(index) && index >= 1 ? choices[index - 1] : undefined;
}

function objectToArray([object, nameOfName = 'k', nameOfValue = 'v']: readonly Value[]): Value {
  if (!isObject(object) || typeof nameOfName !== 'string' || typeof nameOfValue !== 'string')
    return undefined;
  return Object.entries(object).map(([name, value]) => ({ [nameOfName]: name, [nameOfValue]: value }));
}

function distinct(items: readonly Value[]): Value[] {
  return [...new Map(items.map((item) => [canonicalKey(item), item])).values()];
}

function setFunction(combine: (left: Value[], right: Value[]) => Value): BuiltinFunction {
  return fn([2, 2], ([left, right]) =>
    Array.isArray(left) && Array.isArray(right) ? combine(distinct(left), distinct(right)) : undefined,
  );
}

function containsEach(require: 'some' | 'every'): BuiltinFunction {
  return fn([2, Number.POSITIVE_INFINITY], ([array, ...values]) =>
    Array.isArray(array)
      ? values[require]((value) => value !== undefined && contains(array, value))
      : undefined,
  );
}

export const ARRAY_FUNCTIONS: FunctionTable = {
  ARRAY_CONCAT: fn([2, Number.POSITIVE_INFINITY], concat),
  ARRAY_CONTAINS: fn([2, 3], arrayContains),
  ARRAY_CONTAINS_ALL: containsEach('every'),
  ARRAY_CONTAINS_ANY: containsEach('some'),
  ARRAY_LENGTH: fn([1, 1], ([array]) => (Array.isArray(array) ? array.length : undefined)),
  ARRAY_SLICE: fn([2, 3], (args) => slice(args, args.length)),
  CHOOSE: fn([2, Number.POSITIVE_INFINITY], choose),
  OBJECTTOARRAY: fn([1, 3], objectToArray),
  SETDIFFERENCE: setFunction((left, right) => left.filter((item) => !contains(right, item))),
  SETEQUAL: setFunction(
    (left, right) => left.length === right.length && left.every((item) => contains(right, item)),
  ),
  SETINTERSECT: setFunction((left, right) => left.filter((item) => contains(right, item))),
  SETUNION: setFunction((left, right) => distinct([...left, ...right])),
};
