import type { Value } from '../values.js';
import { isNestedTooDeep, isObject } from '../values.js';
import type { BuiltinFunction, FunctionTable } from './definition.js';
import { fn } from './definition.js';
import { REGEX_MATCH } from './regex-match.js';

/** REPLICATE gives up above this many characters (documented). */
const MAX_REPLICATED_LENGTH = 10_000;

const ANY = Number.POSITIVE_INFINITY;

function onString(compute: (text: string) => Value): BuiltinFunction {
  return fn([1, 1], ([text]) => (typeof text === 'string' ? compute(text) : undefined));
}

/** A test of one string against another, whose optional third argument ignores case. */
function comparison(test: (text: string, part: string) => boolean): BuiltinFunction {
  return fn([2, 3], ([text, part, ignoreCase = false]) => {
    if (typeof text !== 'string' || typeof part !== 'string' || typeof ignoreCase !== 'boolean')
      return undefined;
    return ignoreCase ? test(text.toLowerCase(), part.toLowerCase()) : test(text, part);
  });
}

/** LEFT and RIGHT: nothing for a count below 1, the whole text for a large one. */
function side(take: (text: string, count: number) => string): BuiltinFunction {
  return fn([2, 2], ([text, count]) => {
    if (typeof text !== 'string' || !Number.isInteger(count)) return undefined;
    return (count as number) <= 0 ? '' : take(text, count as number);
  });
}

function concat(args: readonly Value[]): Value {
  return args.every((arg) => typeof arg === 'string') ? args.join('') : undefined;
}

function indexOf([text, part, start = 0]: readonly Value[]): Value {
  if (typeof text !== 'string' || typeof part !== 'string' || !Number.isInteger(start)) return undefined;
  return text.indexOf(part, start as number);
}

function replace([text, find, replacement]: readonly Value[]): Value {
  if (typeof text !== 'string' || typeof find !== 'string' || typeof replacement !== 'string')
    return undefined;
  return find === '' ? undefined : text.replaceAll(find, () => replacement);
}

function replicate([text, times]: readonly Value[]): Value {
  if (typeof text !== 'string' || typeof times !== 'number') return undefined;
  const count = Math.trunc(times);
  return count < 0 || text.length * count > MAX_REPLICATED_LENGTH ? undefined : text.repeat(count);
}

function substring([text, start, length]: readonly Value[]): Value {
  if (typeof text !== 'string' || !Number.isInteger(start) || !Number.isInteger(length)) return undefined;
  const from = start as number;
  return from < 0 || (length as number) <= 0 ? '' : text.slice(from, from + (length as number));
}

function join([items, separator]: readonly Value[]): Value {
  if (!Array.isArray(items) || typeof separator !== 'string') return undefined;
  return items.every((item) => typeof item === 'string') ? items.join(separator) : undefined;
}

function split([text, separator]: readonly Value[]): Value {
  if (typeof text !== 'string' || typeof separator !== 'string' || separator === '') return undefined;
  return text.split(separator);
}

/** Parses JSON strictly; what is not of the wanted type is undefined. */
function parser(accepts: (value: Value) => boolean): BuiltinFunction {
  return onString((text) => {
    try {
      const value: Value = JSON.parse(text);
      return accepts(value) && !isNestedTooDeep(value) ? value : undefined;
    } catch {
      return undefined;
    }
  });
}

function toText(value: Value): Value {
  if (value === undefined || typeof value === 'string') return value;
  return JSON.stringify(value);
}

export const STRING_FUNCTIONS: FunctionTable = {
  CONCAT: fn([2, ANY], concat),
  CONTAINS: comparison((text, part) => text.includes(part)),
  ENDSWITH: comparison((text, part) => text.endsWith(part)),
  INDEX_OF: fn([2, 3], indexOf),
  LEFT: side((text, count) => text.slice(0, count)),
  LENGTH: onString((text) => text.length),
  LOWER: onString((text) => text.toLowerCase()),
  LTRIM: onString((text) => text.trimStart()),
  REGEXMATCH: REGEX_MATCH,
  REPLACE: fn([3, 3], replace),
  REPLICATE: fn([2, 2], replicate),
  REVERSE: onString((text) => [...text].reverse().join('')),
  RIGHT: side((text, count) => text.slice(-count)),
  RTRIM: onString((text) => text.trimEnd()),
  STARTSWITH: comparison((text, part) => text.startsWith(part)),
  STRINGEQUALS: comparison((text, part) => text === part),
  STRINGJOIN: fn([2, 2], join),
  STRINGSPLIT: fn([2, 2], split),
  STRINGTOARRAY: parser(Array.isArray),
  STRINGTOBOOLEAN: parser((value) => typeof value === 'boolean'),
  STRINGTONULL: parser((value) => value === null),
  STRINGTONUMBER: parser((value) => typeof value === 'number' && Number.isFinite(value)),
  STRINGTOOBJECT: parser(isObject),
  SUBSTRING: fn([3, 3], substring),
  TOSTRING: fn([1, 1], ([value]) => toText(value)),
  TRIM: onString((text) => text.trim()),
  UPPER: onString((text) => text.toUpperCase()),
};
