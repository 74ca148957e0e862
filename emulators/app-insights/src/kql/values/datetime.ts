/**
 * A datetime is a double that counts ticks of 100 ns since 2020-01-01T00:00:00Z. Whole ticks are exact from 1991 to 2048, whole
 * microseconds from 1963 to 2077, whole milliseconds from 1563 to 2476, whole seconds in all of Kusto's range (years 1 to 9999).
 * Ticks since year 1, as Kusto stores them, would not fit a double's 53 bits, and ticks since 1970 would miss it by one bit.
 */
export const TICKS_PER_MS = 10_000;
export const TICKS_PER_SECOND = 10_000_000;
export const TICKS_PER_MINUTE = 600_000_000;
export const TICKS_PER_HOUR = 36_000_000_000;
export const TICKS_PER_DAY = 864_000_000_000;

const EPOCH_UNIX_MS = Date.UTC(2020, 0, 1);
/** Days from 0001-01-01 to 2020-01-01 in the proleptic Gregorian calendar. */
export const EPOCH_DAYS_SINCE_YEAR_1 = 737_424;

export const MIN_DATETIME = -EPOCH_DAYS_SINCE_YEAR_1 * TICKS_PER_DAY;
/** 9999-12-31T23:59:59.9999999Z; the double next to it, as the ticks are beyond 2^53 there. */
export const MAX_DATETIME = (unixMsOfYear(10_000) - EPOCH_UNIX_MS) * TICKS_PER_MS;

function unixMsOfYear(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1);
}

export function datetimeFromUnixMs(unixMs: number): number {
  return Math.round((unixMs - EPOCH_UNIX_MS) * TICKS_PER_MS);
}

/** Unix time in ms with a fraction; rounded to what a double holds near it (about 0.24 µs today). */
export function datetimeToUnixMs(datetime: number): number {
  return datetime / TICKS_PER_MS + EPOCH_UNIX_MS;
}

const ISO =
  /^\s*(\d{4})-(\d{1,2})(?:-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?)?\s*$/i;

/**
 * Reads ISO 8601: date, or date and time to at most 9 decimals (more precise than a tick is cut), `Z`, an offset, or nothing (UTC).
 * Anything else, and calendar dates that do not exist, give null.
 */
export function parseDatetime(text: string): number | null {
  const match = ISO.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const days = dayNumber(Number(year), Number(month), Number(day ?? 1));
  const h = Number(hour ?? 0);
  const m = Number(minute ?? 0);
  const s = Number(second ?? 0);
  if (days === null || h > 23 || m > 59 || s > 59) return null;
  const time = (h * 60 + m) * TICKS_PER_MINUTE + s * TICKS_PER_SECOND + fractionTicks(fraction);
  const ticks = days * TICKS_PER_DAY + time - zoneTicks(zone);
  return ticks < MIN_DATETIME || ticks >= MAX_DATETIME ? null : ticks;
}

function dayNumber(year: number, month: number, day: number): number | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (year < 1 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return (date.getTime() - EPOCH_UNIX_MS) / 86_400_000;
}

function fractionTicks(digits: string | undefined): number {
  return digits === undefined ? 0 : Number(digits.padEnd(7, '0').slice(0, 7));
}

function zoneTicks(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  const digits = zone.slice(1).replace(':', '');
  return sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))) * TICKS_PER_MINUTE;
}

/** Whole ms since Unix epoch (rounded down) and the ticks within that ms. */
function split(datetime: number): { date: Date; ticks: number } {
  const ms = Math.floor(datetime / TICKS_PER_MS);
  return { date: new Date(ms + EPOCH_UNIX_MS), ticks: datetime - ms * TICKS_PER_MS };
}

/** Calendar fields in UTC; `ticks` is the part below a second, 0 to 9,999,999. */
export function datetimeFields(datetime: number): {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  ticks: number;
  weekday: number;
} {
  const { date, ticks } = split(datetime);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    ticks: date.getUTCMilliseconds() * TICKS_PER_MS + ticks,
    weekday: date.getUTCDay(),
  };
}

/** Midnight of a calendar day; month and day may be out of their range and carry over. */
export function datetimeOfDay(year: number, month: number, day: number): number {
  return datetimeFromUnixMs(new Date(0).setUTCFullYear(year, month - 1, day));
}

/** As `tostring()` writes it: always 7 decimals. */
export function datetimeText(datetime: number): string {
  const { date, ticks } = split(datetime);
  return `${date.toISOString().slice(0, -1)}${String(ticks).padStart(4, '0')}Z`;
}

/** As the query API writes it: no trailing zeros. */
export function datetimeToIso(datetime: number): string {
  const text = datetimeText(datetime);
  return `${text.slice(0, -1).replace(/\.?0+$/, '')}Z`;
}
