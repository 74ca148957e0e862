import type { KqlType } from '../types.js';
import { datetimeText } from './datetime.js';
import { timespanText } from './timespan.js';

/** What `tostring()` gives for a value of a type. Null is ''. */
export function textOf(type: KqlType): (value: unknown) => string {
  return TEXT[type];
}

const TEXT: Record<KqlType, (value: unknown) => string> = {
  bool: (v) => (v === null ? '' : String(v)),
  int: (v) => (v === null ? '' : String(v)),
  long: (v) => (v === null ? '' : String(v)),
  real: (v) => (v === null ? '' : realText(v as number)),
  decimal: (v) => (v === null ? '' : String(v)),
  datetime: (v) => (v === null ? '' : datetimeText(v as number)),
  timespan: (v) => (v === null ? '' : timespanText(v as number)),
  string: (v) => v as string,
  dynamic: dynamicText,
  guid: (v) => (v === null ? '' : (v as string)),
};

/** Whole reals keep a decimal: 5.0. */
export function realText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  const text = String(value);
  return Number.isInteger(value) && !text.includes('e') ? `${text}.0` : text;
}

/** A string as it is, null as '', anything else as JSON. */
export function dynamicText(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A value as it appears inside a dynamic array or bag. */
export function toDynamic(type: KqlType): (value: unknown) => unknown {
  if (type === 'datetime') return (v) => (v === null ? null : datetimeText(v as number));
  if (type === 'timespan') return (v) => (v === null ? null : timespanText(v as number));
  if (type === 'real') return (v) => (typeof v === 'number' && !Number.isFinite(v) ? realText(v) : v);
  return (v) => v;
}
