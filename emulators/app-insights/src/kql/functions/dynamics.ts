import { limitExceeded, runtimeError, unsupported } from '../errors.js';
import { constantValue, derived, type Expr } from '../expressions/expression.js';
import { TICKS_PER_HOUR } from '../values/datetime.js';
import { compareValues } from '../values/order.js';
import { toDynamic } from '../values/text.js';
import { type Call, checkedArguments, type FunctionTable, type ScalarFunction, strict } from './function.js';
import { MAX_ARRAY_LENGTH } from './text-size.js';

type Bag = Record<string, unknown>;

function isBag(value: unknown): value is Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A function of a dynamic value that is null unless it is an array. */
function ofArray(
  definition: {
    signature: string;
    note?: string;
    params: ('dynamic' | 'integer')[];
    result: 'long' | 'real' | 'dynamic';
  },
  apply: (array: readonly unknown[], ...rest: number[]) => unknown,
): ScalarFunction {
  return strict({
    ...definition,
    apply: (value: unknown, ...rest: number[]) => (Array.isArray(value) ? apply(value, ...rest) : null),
  });
}

function sumOf(array: readonly unknown[]): number | null {
  let sum = 0;
  for (const value of array) {
    if (typeof value !== 'number') return null;
    sum += value;
  }
  return sum;
}

function sliceOf(array: readonly unknown[], start: number, end: number): unknown[] {
  const from = start < 0 ? array.length + start : start;
  const to = end < 0 ? array.length + end : end;
  return array.slice(Math.max(0, from), Math.max(0, to + 1));
}

/** Sorts an array of one kind of scalar; nulls go last in both directions. */
function sortFunction(name: string, sign: 1 | -1): ScalarFunction {
  return {
    signature: `${name}(array: dynamic): dynamic`,
    note: 'One array whose elements are all numbers or all strings, with nulls last.',
    compile: (call) => {
      const [source] = checkedArguments(call, ['dynamic']) as [Expr];
      return derived('dynamic', [source], (row) => {
        const array = source.read(row);
        if (!Array.isArray(array)) return null;
        const values = array.filter((v) => v !== null);
        const kinds = new Set(values.map((v) => typeof v));
        if (kinds.size > 1 || kinds.has('object') || kinds.has('boolean')) {
          throw runtimeError(
            call.node,
            `${name}() of an array with elements of different or unordered kinds`,
          );
        }
        values.sort((a, b) => sign * compareValues(a, b));
        return [...values, ...array.filter((v) => v === null)];
      });
    },
  };
}

function packArray(call: Call): Expr {
  const items = call.args.map((arg) => ({ read: arg.read, pack: toDynamic(arg.type) }));
  return derived('dynamic', call.args, (row) => items.map(({ read, pack }) => pack(read(row))));
}

function bagPack(call: Call): Expr {
  if (call.args.length % 2 !== 0)
    throw unsupported(call.node, `${call.name}() with an odd number of arguments`);
  const pairs = Array.from({ length: call.args.length / 2 }, (_, i) => {
    const key = call.args[2 * i] as Expr;
    const value = call.args[2 * i + 1] as Expr;
    if (key.type !== 'string') throw unsupported(call.node, `a ${key.type} as key of ${call.name}()`);
    return { key, value, pack: toDynamic(value.type) };
  });
  return derived('dynamic', call.args, (row) =>
    Object.fromEntries(pairs.map(({ key, value, pack }) => [key.read(row) as string, pack(value.read(row))])),
  );
}

function arrayConcat(call: Call): Expr {
  const arrays = call.args.map((arg) => {
    if (arg.type !== 'dynamic') throw unsupported(call.node, `array_concat() of ${arg.type}`);
    return arg;
  });
  return derived('dynamic', arrays, (row) => {
    const values = arrays.map((a) => a.read(row));
    if (!values.every(Array.isArray)) return null;
    const joined = (values as unknown[][]).flat();
    return sized(joined, call);
  });
}

function sized(array: unknown[], call: Call): unknown[] {
  if (array.length <= MAX_ARRAY_LENGTH) return array;
  throw limitExceeded(call.node, `${call.name}() would build more than ${MAX_ARRAY_LENGTH} elements`);
}

function has(call: Call, find: (array: readonly unknown[], value: unknown) => unknown): Expr['read'] {
  const [array, value] = call.args as [Expr, Expr];
  if (call.args.length !== 2 || array.type !== 'dynamic')
    throw unsupported(call.node, `${call.name}() with these arguments`);
  if (value.type === 'datetime' || value.type === 'timespan' || value.type === 'dynamic') {
    throw unsupported(call.node, `${call.name}() of a ${value.type}; convert it with tostring()`);
  }
  return (row) => {
    const values = array.read(row);
    return Array.isArray(values) ? find(values, value.read(row)) : null;
  };
}

const STEP_OF: Partial<Record<Expr['type'], number>> = { datetime: TICKS_PER_HOUR, timespan: TICKS_PER_HOUR };

function range(call: Call): Expr {
  const [start, stop, step] = call.args as [Expr, Expr, Expr?];
  const stepType = start.type === 'datetime' ? 'timespan' : start.type;
  const numbers = new Set<Expr['type']>(['int', 'long', 'real']);
  const fits =
    (numbers.has(start.type) && numbers.has(stop.type) && (step === undefined || numbers.has(step.type))) ||
    ((start.type === 'datetime' || start.type === 'timespan') &&
      stop.type === start.type &&
      (step === undefined || step.type === stepType));
  if (!fits) throw unsupported(call.node, `range(${call.args.map((a) => a.type).join(', ')})`);
  const pack = toDynamic(start.type);
  return derived('dynamic', call.args, (row) => {
    const from = start.read(row) as number | null;
    const to = stop.read(row) as number | null;
    const by = step === undefined ? (STEP_OF[start.type] ?? 1) : (step.read(row) as number | null);
    if (from === null || to === null || by === null) return null;
    if (by === 0) throw runtimeError(call.node, 'range() with a step of 0');
    const count = Math.max(0, Math.floor((to - from) / by) + 1);
    if (count > MAX_ARRAY_LENGTH) sized(new Array(MAX_ARRAY_LENGTH + 1), call);
    return Array.from({ length: count }, (_, i) => pack(from + i * by));
  });
}

function bagHasKey(call: Call): Expr {
  const [bag, key] = checkedArguments(call, ['dynamic', 'text']) as [Expr, Expr];
  if (key.constant && (constantValue(key) as string).startsWith('$')) {
    throw unsupported(call.node, 'bag_has_key() with a JSON path');
  }
  return derived('bool', [bag, key], (row) => {
    const value = bag.read(row);
    return value === null ? null : isBag(value) && Object.hasOwn(value, key.read(row) as string);
  });
}

function bagMerge(call: Call): Expr {
  const bags = call.args.map((arg) => {
    if (arg.type !== 'dynamic') throw unsupported(call.node, `bag_merge() of ${arg.type}`);
    return arg;
  });
  return derived('dynamic', bags, (row) => {
    const values = bags.map((b) => b.read(row)).filter(isBag);
    return Object.fromEntries(values.reverse().flatMap((bag) => Object.entries(bag)));
  });
}

const PACK_NOTE = 'Datetimes and timespans become text, as in JSON.';

export const DYNAMIC_FUNCTIONS: FunctionTable = {
  array_length: ofArray(
    {
      signature: 'array_length(array: dynamic): long',
      note: 'Null if it is no array.',
      params: ['dynamic'],
      result: 'long',
    },
    (array) => array.length,
  ),
  array_sum: ofArray(
    {
      signature: 'array_sum(array: dynamic): real',
      note: 'Null if an element is no number.',
      params: ['dynamic'],
      result: 'real',
    },
    sumOf,
  ),
  array_slice: ofArray(
    {
      signature: 'array_slice(array: dynamic, start: long, end: long): dynamic',
      note: 'Both ends included; negative ones count from the end.',
      params: ['dynamic', 'integer', 'integer'],
      result: 'dynamic',
    },
    sliceOf as (array: readonly unknown[], ...rest: number[]) => unknown,
  ),
  array_reverse: ofArray(
    { signature: 'array_reverse(array: dynamic): dynamic', params: ['dynamic'], result: 'dynamic' },
    (array) => [...array].reverse(),
  ),
  array_sort_asc: sortFunction('array_sort_asc', 1),
  array_sort_desc: sortFunction('array_sort_desc', -1),
  array_concat: { signature: 'array_concat(array, array, ...): dynamic', compile: arrayConcat },
  array_index_of: {
    signature: 'array_index_of(array: dynamic, value): long',
    note: 'Without the optional start, length and occurrence.',
    compile: (call) =>
      derived(
        'long',
        call.args,
        has(call, (array, value) => array.indexOf(value)),
      ),
  },
  set_has_element: {
    signature: 'set_has_element(array: dynamic, value): bool',
    compile: (call) =>
      derived(
        'bool',
        call.args,
        has(call, (array, value) => array.includes(value)),
      ),
  },
  bag_keys: strict({
    signature: 'bag_keys(bag: dynamic): dynamic',
    note: 'Null if it is no bag.',
    params: ['dynamic'],
    result: 'dynamic',
    apply: (value: unknown) => (isBag(value) ? Object.keys(value) : null),
  }),
  bag_has_key: {
    signature: 'bag_has_key(bag: dynamic, key: string): bool',
    note: 'No JSON paths.',
    compile: bagHasKey,
  },
  bag_merge: {
    signature: 'bag_merge(bag, bag, ...): dynamic',
    note: 'The leftmost bag wins.',
    compile: bagMerge,
  },
  pack_array: { signature: 'pack_array(value, ...): dynamic', note: PACK_NOTE, compile: packArray },
  bag_pack: { signature: 'bag_pack(key: string, value, ...): dynamic', note: PACK_NOTE, compile: bagPack },
  pack: { signature: 'pack(key: string, value, ...): dynamic', note: PACK_NOTE, compile: bagPack },
  range: {
    signature: 'range(start, stop [, step]): dynamic',
    note: `Longer than ${MAX_ARRAY_LENGTH} elements is an error; Kusto cuts the array.`,
    compile: range,
  },
};
