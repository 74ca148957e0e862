/** 100-nanosecond ticks, the resolution of the service's date and time strings. */
export const TICKS_PER_MS = 10_000n;
const TICKS_PER_SECOND = 10_000_000n;

/** Fixed-length parts, in ticks. A nanosecond is less than a tick and handled apart. */
const PART_TICKS = {
  day: 86_400n * TICKS_PER_SECOND,
  hour: 3_600n * TICKS_PER_SECOND,
  minute: 60n * TICKS_PER_SECOND,
  second: TICKS_PER_SECOND,
  millisecond: TICKS_PER_MS,
  microsecond: 10n,
} as const;

export type FixedPart = keyof typeof PART_TICKS;
export type DateTimePart = FixedPart | 'year' | 'month' | 'nanosecond';

const PART_NAMES: Readonly<Record<string, DateTimePart>> = {
  year: 'year',
  yyyy: 'year',
  yy: 'year',
  month: 'month',
  mm: 'month',
  m: 'month',
  day: 'day',
  dd: 'day',
  d: 'day',
  hour: 'hour',
  hh: 'hour',
  minute: 'minute',
  mi: 'minute',
  n: 'minute',
  second: 'second',
  ss: 'second',
  s: 'second',
  millisecond: 'millisecond',
  ms: 'millisecond',
  microsecond: 'microsecond',
  mcs: 'microsecond',
  nanosecond: 'nanosecond',
  ns: 'nanosecond',
};

export function parsePart(name: unknown): DateTimePart | undefined {
  if (typeof name !== 'string') return undefined;
  const key = name.toLowerCase();
  return Object.hasOwn(PART_NAMES, key) ? PART_NAMES[key] : undefined;
}

export function partTicks(part: FixedPart): bigint {
  return PART_TICKS[part];
}

export interface DateTimeParts {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
  /** Fraction of the second, 0 to 9,999,999. */
  readonly ticks?: number;
}

/** Ticks since the Unix epoch; undefined if a part is out of its range. */
export function fromParts(parts: DateTimeParts): bigint | undefined {
  const { year, month, day, hour = 0, minute = 0, second = 0, ticks = 0 } = parts;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const isExact =
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second;
  if (!isExact || year < 1 || year > 9999 || !Number.isInteger(ticks) || ticks < 0 || ticks > 9_999_999) {
    return undefined;
  }
  return BigInt(date.getTime()) * TICKS_PER_MS + BigInt(ticks);
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,7}))?)?Z?)?$/;

/** Reads `YYYY-MM-DD[Thh:mm[:ss[.fffffff]]][Z]`, always UTC; undefined for anything else. */
export function parseDateTime(text: unknown): bigint | undefined {
  const match = typeof text === 'string' ? ISO.exec(text) : null;
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((digits) => Number(digits ?? 0));
  const ticks = Number((match[7] ?? '').padEnd(7, '0'));
  return fromParts({ year: year ?? 0, month: month ?? 0, day: day ?? 0, hour, minute, second, ticks });
}

/** `YYYY-MM-DDThh:mm:ss.fffffffZ`; undefined outside the years 1 to 9999. */
export function formatDateTime(ticks: bigint): string | undefined {
  const seconds = floorDivide(ticks, TICKS_PER_SECOND);
  const fraction = ticks - seconds * TICKS_PER_SECOND;
  const date = new Date(Number(seconds) * 1000);
  const year = date.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) return undefined;
  return `${date.toISOString().slice(0, 19)}.${fraction.toString().padStart(7, '0')}Z`;
}

/** Months since year 0, for counting and adding years and months. */
export function toMonths(ticks: bigint): number {
  const date = toDate(ticks);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The last day of a shorter month stands in for a day that it lacks. */
export function addMonths(ticks: bigint, months: number): bigint | undefined {
  const date = toDate(ticks);
  const timeOfDay = ticks - floorDivide(ticks, PART_TICKS.day) * PART_TICKS.day;
  const target = toMonths(ticks) + months;
  const year = Math.floor(target / 12);
  const month = target - year * 12 + 1;
  if (!(year >= 1 && year <= 9999)) return undefined;
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  const start = fromParts({ year, month, day: Math.min(date.getUTCDate(), lastDay) });
  return start === undefined ? undefined : start + timeOfDay;
}

export function toDate(ticks: bigint): Date {
  return new Date(Number(floorDivide(ticks, TICKS_PER_MS)));
}

export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}
