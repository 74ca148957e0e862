import { runtimeError, unsupported } from '../errors.js';
import { checkedInteger, derived, type Expr, fitsInt } from '../expressions/expression.js';
import type { SyntaxNode } from '../syntax.js';
import type { KqlType } from '../types.js';
import { parseBool } from '../values/bool.js';
import { parseDatetime } from '../values/datetime.js';
import { textOf } from '../values/text.js';
import { parseTimespan } from '../values/timespan.js';
import type { Call, FunctionTable, ScalarFunction } from './function.js';

type Convert = (value: never, node: SyntaxNode) => unknown;

/** How a value of one type becomes another; a missing pair is refused. */
type Conversions = Partial<Record<KqlType, Convert>>;

const DECIMAL = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;
const HEXADECIMAL = /^\s*0x[\da-f]+\s*$/i;

function integerOf(value: number, node: SyntaxNode): number | null {
  return Number.isFinite(value) ? checkedInteger(Math.trunc(value), node) + 0 : null;
}

function textToLong(text: string, node: SyntaxNode): number | null {
  return DECIMAL.test(text) || HEXADECIMAL.test(text) ? integerOf(Number(text), node) : null;
}

function textToReal(text: string): number | null {
  if (DECIMAL.test(text)) return Number(text);
  const special: Record<string, number> = {
    nan: Number.NaN,
    inf: Infinity,
    '+inf': Infinity,
    '-inf': -Infinity,
  };
  return special[text.trim().toLowerCase()] ?? null;
}

/** Date formats that Kusto reads and this engine does not: an error, as null would be a wrong answer. */
const OTHER_DATE =
  /^\s*((mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s|\d{1,2}[\s/.-]([a-z]{3,}|\d{1,2})[\s/.-]\d{2,4}|[a-z]{3,9}\s+\d{1,2},?\s+\d{4}|\d{8}(T|\s|$)|\d{4}\/)/i;

function textToDatetime(text: string, node: SyntaxNode): number | null {
  const datetime = parseDatetime(text);
  if (datetime === null && OTHER_DATE.test(text)) {
    throw runtimeError(node, `todatetime(${JSON.stringify(text)}): only ISO 8601 dates are read here`);
  }
  return datetime;
}

function int(value: number | null): number | null {
  return value !== null && fitsInt(value) ? value : null;
}

const same = (value: unknown) => value;

const TO_LONG: Conversions = {
  string: textToLong,
  int: same,
  long: same,
  real: integerOf,
  bool: (value: boolean) => Number(value),
  timespan: same,
};

const TO: Record<'bool' | 'int' | 'long' | 'real' | 'datetime' | 'timespan' | 'guid', Conversions> = {
  long: TO_LONG,
  int: {
    string: (text: string, node) => int(textToLong(text, node)),
    int: same,
    long: int,
    real: (value: number) => (Number.isFinite(value) ? int(Math.trunc(value) + 0) : null),
    bool: (value: boolean) => Number(value),
  },
  real: { string: textToReal, int: same, long: same, real: same, bool: (value: boolean) => Number(value) },
  bool: {
    string: parseBool,
    bool: same,
    int: (value: number) => value !== 0,
    long: (value: number) => value !== 0,
    real: (value: number) => value !== 0,
  },
  datetime: { string: textToDatetime, datetime: same },
  timespan: { string: parseTimespan, timespan: same },
  guid: {
    string: (text: string) => (GUID.test(text) ? text.toLowerCase() : null),
    guid: same,
  },
};

const GUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function convert(call: Call, source: Expr, target: keyof typeof TO): Expr {
  const conversions = TO[target];
  const { read } = source;
  const apply = source.type === 'dynamic' ? fromDynamic(conversions) : conversions[source.type];
  if (apply === undefined) throw unsupported(call.node, `conversion of ${source.type} to ${target}`);
  return derived(target, [source], (row) => {
    const value = read(row);
    return value === null ? null : apply(value as never, call.node);
  });
}

/** A dynamic value converts like the scalar it holds; arrays and bags give null. */
function fromDynamic(conversions: Conversions): Convert {
  return (value: unknown, node) => {
    if (typeof value === 'string') return conversions.string?.(value as never, node) ?? null;
    if (typeof value === 'number') return conversions.real?.(value as never, node) ?? null;
    if (typeof value === 'boolean') return conversions.bool?.(value as never, node) ?? null;
    return null;
  };
}

/** For `extract(..., typeof(type))`. */
export function convertText(call: Call, source: Expr, type: string): Expr {
  if (type === 'string') return source;
  if (type in TO) return convert(call, source, type as keyof typeof TO);
  throw unsupported(call.node, `typeof(${type})`);
}

function conversion(name: string, target: keyof typeof TO, note?: string): ScalarFunction {
  return {
    signature: `${name}(value): ${target}`,
    ...(note === undefined ? {} : { note }),
    compile: (call) => convert(call, only(call), target),
  };
}

function only(call: Call): Expr {
  const [value] = call.args;
  if (value === undefined || call.args.length > 1) {
    throw unsupported(call.node, `${call.name}() with ${call.args.length} arguments`);
  }
  return value;
}

function parseJson(call: Call): Expr {
  const source = only(call);
  if (source.type === 'dynamic') return source;
  if (source.type !== 'string') throw unsupported(call.node, `${call.name}() of a ${source.type}`);
  return derived('dynamic', [source], (row) => {
    const text = source.read(row) as string;
    if (text === '') return null;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return text;
    }
  });
}

function tostring(call: Call): Expr {
  const source = only(call);
  if (source.type === 'string') return source;
  const text = textOf(source.type);
  return derived('string', [source], (row) => text(source.read(row)));
}

const JSON_FUNCTION: ScalarFunction = {
  signature: 'parse_json(text: string): dynamic',
  note: 'Text that is no JSON becomes a dynamic string. Numbers are doubles, so 1.0 and 1 are the same.',
  compile: parseJson,
};

export const CONVERSION_FUNCTIONS: FunctionTable = {
  tostring: {
    signature: 'tostring(value): string',
    note: 'Null gives an empty string. Whole reals keep a decimal (5.0); booleans are true and false.',
    compile: tostring,
  },
  toint: conversion('toint', 'int', 'Decimals are cut; a value beyond 32 bits gives null.'),
  tolong: conversion('tolong', 'long', 'Decimals are cut; a value beyond ±(2^53 − 1) is an error.'),
  todouble: conversion('todouble', 'real'),
  toreal: conversion('toreal', 'real'),
  tobool: conversion('tobool', 'bool'),
  toboolean: conversion('toboolean', 'bool'),
  todatetime: conversion('todatetime', 'datetime', 'ISO 8601; other formats that Kusto reads are an error.'),
  totimespan: conversion('totimespan', 'timespan'),
  toguid: conversion('toguid', 'guid'),
  parse_json: JSON_FUNCTION,
  todynamic: { ...JSON_FUNCTION, signature: 'todynamic(text: string): dynamic' },
};
