import type { Value } from '../values.js';
import { isObject, isPrimitive } from '../values.js';
import type { FunctionTable } from './definition.js';
import { fn } from './definition.js';

const check = (test: (value: Value) => boolean) => fn([1, 1], ([value]) => test(value));

/** Type checks answer false, never undefined, for a value that is not there. */
export const TYPE_FUNCTIONS: FunctionTable = {
  IS_ARRAY: check(Array.isArray),
  IS_BOOL: check((value) => typeof value === 'boolean'),
  IS_DEFINED: check((value) => value !== undefined),
  IS_FINITE_NUMBER: check((value) => typeof value === 'number' && Number.isFinite(value)),
  IS_INTEGER: check(
    (value) => typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 63,
  ),
  IS_NULL: check((value) => value === null),
  IS_NUMBER: check((value) => typeof value === 'number'),
  IS_OBJECT: check(isObject),
  IS_PRIMITIVE: check(isPrimitive),
  IS_STRING: check((value) => typeof value === 'string'),
  IIF: fn([3, 3], ([condition, whenTrue, whenFalse]) => (condition === true ? whenTrue : whenFalse)),
};
