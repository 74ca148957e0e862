import type { Value } from '../values.js';
import type { DateTimePart } from './date-time.js';
import {
  addMonths,
  floorDivide,
  formatDateTime,
  fromParts,
  parseDateTime,
  parsePart,
  partTicks,
  TICKS_PER_MS,
  toDate,
  toMonths,
} from './date-time.js';
import type { FunctionTable } from './definition.js';
import { fn } from './definition.js';

const MAX_TICKS = 10 ** 19;

function isInteger(value: Value): value is number {
  return typeof value === 'number' && Number.isInteger(value);
}

function ticksOf(ms: number): bigint {
  return BigInt(Math.trunc(ms)) * TICKS_PER_MS;
}

function add([partName, amount, dateTime]: readonly Value[]): Value {
  const part = parsePart(partName);
  const ticks = parseDateTime(dateTime);
  if (part === undefined || ticks === undefined || !isInteger(amount) || Math.abs(amount) > MAX_TICKS) {
    return undefined;
  }
  const moved = addPart(ticks, part, amount);
  return moved === undefined ? undefined : formatDateTime(moved);
}

function addPart(ticks: bigint, part: DateTimePart, amount: number): bigint | undefined {
  if (part === 'year') return addMonths(ticks, amount * 12);
  if (part === 'month') return addMonths(ticks, amount);
  if (part === 'nanosecond') return ticks + BigInt(amount) / 100n;
  return ticks + BigInt(amount) * partTicks(part);
}

/** Counts the boundaries of the part crossed, not the time between. */
function diff([partName, start, end]: readonly Value[]): Value {
  const part = parsePart(partName);
  const from = parseDateTime(start);
  const to = parseDateTime(end);
  if (part === undefined || from === undefined || to === undefined) return undefined;
  if (part === 'year') return Math.floor(toMonths(to) / 12) - Math.floor(toMonths(from) / 12);
  if (part === 'month') return toMonths(to) - toMonths(from);
  if (part === 'nanosecond') return Number((to - from) * 100n);
  return Number(floorDivide(to, partTicks(part)) - floorDivide(from, partTicks(part)));
}

/** Undefined for years and months (documented): their length varies. */
function bin([dateTime, partName, size = 1, origin = '1970-01-01T00:00:00Z']: readonly Value[]): Value {
  const ticks = parseDateTime(dateTime);
  const start = parseDateTime(origin);
  const part = parsePart(partName);
  if (ticks === undefined || start === undefined || part === undefined) return undefined;
  if (part === 'year' || part === 'month' || !isInteger(size) || size < 1 || size > MAX_TICKS)
    return undefined;
  const width = part === 'nanosecond' ? BigInt(size) / 100n : BigInt(size) * partTicks(part);
  return formatDateTime(width < 1n ? ticks : start + floorDivide(ticks - start, width) * width);
}

function part([partName, dateTime]: readonly Value[]): Value {
  const name = parsePart(partName);
  const ticks = parseDateTime(dateTime);
  return name === undefined || ticks === undefined ? undefined : readPart(name, ticks);
}

function readPart(name: DateTimePart, ticks: bigint): number {
  const date = toDate(ticks);
  const fraction = Number(ticks - floorDivide(ticks, partTicks('second')) * partTicks('second'));
  switch (name) {
    case 'year':
      return date.getUTCFullYear();
    case 'month':
      return date.getUTCMonth() + 1;
    case 'day':
      return date.getUTCDate();
    case 'hour':
      return date.getUTCHours();
    case 'minute':
      return date.getUTCMinutes();
    case 'second':
      return date.getUTCSeconds();
    case 'millisecond':
      return Math.floor(fraction / 10_000);
    case 'microsecond':
      return Math.floor(fraction / 10);
    case 'nanosecond':
      return fraction * 100;
  }
}

function fromNumbers(args: readonly Value[]): Value {
  if (!args.every(isInteger)) return undefined;
  const [year = 0, month = 0, day = 0, hour, minute, second, ticks] = args as number[];
  const value = fromParts({ year, month, day, hour, minute, second, ticks });
  return value === undefined ? undefined : formatDateTime(value);
}

function fromCount(value: Value, ticksPerUnit: bigint): Value {
  if (!isInteger(value) || Math.abs(value) > MAX_TICKS) return undefined;
  return formatDateTime(BigInt(value) * ticksPerUnit);
}

function toCount(dateTime: Value, ticksPerUnit: bigint): Value {
  const ticks = parseDateTime(dateTime);
  return ticks === undefined ? undefined : Number(floorDivide(ticks, ticksPerUnit));
}

export const DATE_FUNCTIONS: FunctionTable = {
  DATETIMEADD: fn([3, 3], add),
  DATETIMEBIN: fn([2, 4], bin),
  DATETIMEDIFF: fn([3, 3], diff),
  DATETIMEFROMPARTS: fn([3, 7], fromNumbers),
  DATETIMEPART: fn([2, 2], part),
  DATETIMETOTICKS: fn([1, 1], ([dateTime]) => toCount(dateTime, 1n)),
  DATETIMETOTIMESTAMP: fn([1, 1], ([dateTime]) => toCount(dateTime, TICKS_PER_MS)),
  DAY: fn([1, 1], ([dateTime]) => part(['day', dateTime])),
  GETCURRENTDATETIME: fn([0, 0], (_args, { now }) => formatDateTime(ticksOf(now()))),
  GETCURRENTDATETIMESTATIC: fn([0, 0], (_args, { startedAt }) => formatDateTime(ticksOf(startedAt))),
  GETCURRENTTICKS: fn([0, 0], (_args, { now }) => Number(ticksOf(now()))),
  GETCURRENTTICKSSTATIC: fn([0, 0], (_args, { startedAt }) => Number(ticksOf(startedAt))),
  GETCURRENTTIMESTAMP: fn([0, 0], (_args, { now }) => Math.trunc(now())),
  GETCURRENTTIMESTAMPSTATIC: fn([0, 0], (_args, { startedAt }) => Math.trunc(startedAt)),
  MONTH: fn([1, 1], ([dateTime]) => part(['month', dateTime])),
  TICKSTODATETIME: fn([1, 1], ([ticks]) => fromCount(ticks, 1n)),
  TIMESTAMPTODATETIME: fn([1, 1], ([timestamp]) => fromCount(timestamp, TICKS_PER_MS)),
  YEAR: fn([1, 1], ([dateTime]) => part(['year', dateTime])),
};
