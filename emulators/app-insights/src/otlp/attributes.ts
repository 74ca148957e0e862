import { EmulatorError } from '../errors.js';
import { shown } from '../ingestion/fields.js';
import { datetimeToIso } from '../kql/index.js';

/** Readers for the parts that all OTLP signals share. Their input is what a sender wrote: any JSON, or a decoded message. */

export type AttributeValue = string | number | boolean;
export type Attributes = Record<string, AttributeValue>;

export function listOf(value: unknown, field: string): Record<string, unknown>[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new EmulatorError('BAD_JSON', `${field} must be a list`);
  for (const entry of value) {
    if (typeof entry !== 'object' || entry === null) {
      throw new EmulatorError('BAD_JSON', `an entry of ${field} must be an object`);
    }
  }
  return value as Record<string, unknown>[];
}

/** A number, or text that holds one, as JSON has 64-bit integers; 0 when missing. */
export function numberOf(value: unknown, field: string): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'object') throw new EmulatorError('BAD_JSON', `${field} must be a number`);
  return Number(value);
}

/** Text; empty when missing. */
export function textOf(value: unknown, field: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'object') throw new EmulatorError('BAD_JSON', `${field} must be text`);
  return String(value);
}

/** Attributes as an object of scalars; lists and maps become JSON text, as in the Azure Monitor exporter. */
export function attributesOf(value: unknown, maxNesting: number): Attributes {
  const result: Attributes = {};
  for (const entry of listOf(value, 'attributes')) {
    const plain = plainValue(entry.value, maxNesting);
    if (typeof entry.key !== 'string' || plain === undefined || plain === null) continue;
    result[entry.key] = typeof plain === 'object' ? JSON.stringify(plain) : (plain as AttributeValue);
  }
  return result;
}

/** Value of an AnyValue as plain JSON. */
export function plainValue(value: unknown, depthLeft: number): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depthLeft === 0) throw new EmulatorError('TOO_NESTED', 'a value of an attribute');
  const any = value as Record<string, unknown>;
  if (any.stringValue !== undefined) return any.stringValue;
  if (any.boolValue !== undefined) return any.boolValue;
  if (any.intValue !== undefined) return numberOf(any.intValue, 'intValue');
  if (any.doubleValue !== undefined) return any.doubleValue;
  if (any.bytesValue !== undefined) return base64(any.bytesValue);
  if (any.arrayValue !== undefined) {
    return listOf((any.arrayValue as { values?: unknown }).values, 'values').map((entry) =>
      plainValue(entry, depthLeft - 1),
    );
  }
  if (any.kvlistValue === undefined) return undefined;
  const entries = listOf((any.kvlistValue as { values?: unknown }).values, 'values');
  return Object.fromEntries(entries.map((entry) => [entry.key, plainValue(entry.value, depthLeft - 1)]));
}

const base64 = (value: unknown) =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;

/** Trace and span ids: bytes in protobuf, hexadecimal text in JSON. All zero or missing is none. */
export function idOf(value: unknown): string {
  const hex = value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
  return typeof hex === 'string' && !/^0*$/.test(hex) ? hex.toLowerCase() : '';
}

const TICKS_2020 = 1_577_836_800n * 10_000_000n;
/** The first instant of the year 10000. */
const TIME_LIMIT_NANOS = 253_402_300_800n * 1_000_000_000n;

/** Unix nanoseconds (text or number) as ISO 8601 with 100 ns; null when missing or zero. */
export function timeOf(value: unknown): string | null {
  const nanos = nanosOf(value);
  if (nanos < 0n || nanos >= TIME_LIMIT_NANOS) throw notNanos(value);
  return nanos === 0n ? null : datetimeToIso(Number(nanos / 100n - TICKS_2020));
}

export function nanosOf(value: unknown): bigint {
  if (value === undefined || value === null) return 0n;
  try {
    return BigInt(value as string | number);
  } catch (cause) {
    throw notNanos(value, { cause });
  }
}

const notNanos = (value: unknown, options: ErrorOptions = {}) =>
  new EmulatorError('BAD_JSON', `not a time in nanoseconds: ${shown(value)}`, options);

/** A duration in nanoseconds as `[d.]hh:mm:ss.fffffff`. */
export function durationText(nanos: bigint): string {
  const ticks = nanos < 0n ? 0n : (nanos + 50n) / 100n;
  const seconds = ticks / 10_000_000n;
  const two = (n: bigint) => String(n).padStart(2, '0');
  const days = seconds / 86_400n;
  const clock = `${two((seconds / 3600n) % 24n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}`;
  return `${days > 0n ? `${days}.` : ''}${clock}.${String(ticks % 10_000_000n).padStart(7, '0')}`;
}
