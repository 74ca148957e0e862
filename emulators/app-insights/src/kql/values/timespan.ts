import {
  TICKS_PER_DAY,
  TICKS_PER_HOUR,
  TICKS_PER_MINUTE,
  TICKS_PER_MS,
  TICKS_PER_SECOND,
} from './datetime.js';

/** A timespan is a double that counts ticks of 100 ns; whole ticks are exact within ±28 years. */
export function timespanFromMs(ms: number): number {
  return Math.round(ms * TICKS_PER_MS);
}

export function timespanToMs(timespan: number): number {
  return timespan / TICKS_PER_MS;
}

const CLOCK = /^\s*(-)?(?:(\d+)\.)?(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,9}))?)?\s*$/;
const UNITS: Readonly<Record<string, number>> = {
  d: TICKS_PER_DAY,
  day: TICKS_PER_DAY,
  days: TICKS_PER_DAY,
  h: TICKS_PER_HOUR,
  hr: TICKS_PER_HOUR,
  hrs: TICKS_PER_HOUR,
  hour: TICKS_PER_HOUR,
  hours: TICKS_PER_HOUR,
  m: TICKS_PER_MINUTE,
  min: TICKS_PER_MINUTE,
  minute: TICKS_PER_MINUTE,
  minutes: TICKS_PER_MINUTE,
  s: TICKS_PER_SECOND,
  sec: TICKS_PER_SECOND,
  second: TICKS_PER_SECOND,
  seconds: TICKS_PER_SECOND,
  ms: TICKS_PER_MS,
  milli: TICKS_PER_MS,
  millis: TICKS_PER_MS,
  millisec: TICKS_PER_MS,
  millisecond: TICKS_PER_MS,
  milliseconds: TICKS_PER_MS,
  micro: 10,
  micros: 10,
  microsec: 10,
  microsecond: 10,
  microseconds: 10,
  tick: 1,
  ticks: 1,
};

const UNIT_LITERAL = /^\s*(-?\d+(?:\.\d+)?)\s*([a-z]+)\s*$/i;
const WHOLE_DAYS = /^\s*(-?\d+)\s*$/;

/** Reads `[-][d.]hh:mm[:ss[.fffffff]]`, `90s`, `1.5h`, `2`(days). Anything else gives null. */
export function parseTimespan(text: string): number | null {
  const clock = CLOCK.exec(text);
  if (clock !== null) return clockTicks(clock);
  const literal = UNIT_LITERAL.exec(text);
  const unit = literal === null ? undefined : UNITS[(literal[2] as string).toLowerCase()];
  if (literal !== null && unit !== undefined) return Math.round(Number(literal[1]) * unit);
  const days = WHOLE_DAYS.exec(text);
  return days === null ? null : Number(days[1]) * TICKS_PER_DAY;
}

function clockTicks([, sign, days, hours, minutes, seconds, fraction]: RegExpExecArray): number | null {
  const h = Number(hours);
  const m = Number(minutes);
  const s = Number(seconds ?? 0);
  if (h > 23 || m > 59 || s > 59) return null;
  const ticks =
    Number(days ?? 0) * TICKS_PER_DAY +
    h * TICKS_PER_HOUR +
    m * TICKS_PER_MINUTE +
    s * TICKS_PER_SECOND +
    (fraction === undefined ? 0 : Number(fraction.padEnd(7, '0').slice(0, 7)));
  return sign === undefined ? ticks : -ticks;
}

export interface TimespanFields {
  readonly negative: boolean;
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  /** 0 to 9,999,999. */
  readonly ticks: number;
}

export function timespanFields(timespan: number): TimespanFields {
  const size = Math.abs(timespan);
  return {
    negative: timespan < 0,
    days: Math.floor(size / TICKS_PER_DAY),
    hours: Math.floor(size / TICKS_PER_HOUR) % 24,
    minutes: Math.floor(size / TICKS_PER_MINUTE) % 60,
    seconds: Math.floor(size / TICKS_PER_SECOND) % 60,
    ticks: size % TICKS_PER_SECOND,
  };
}

/** `[-][d.]hh:mm:ss[.fffffff]`, as both `tostring()` and the query API write it. */
export function timespanText(timespan: number): string {
  const { negative, days, hours, minutes, seconds, ticks } = timespanFields(timespan);
  const two = (n: number) => String(n).padStart(2, '0');
  const day = days === 0 ? '' : `${days}.`;
  const fraction = ticks === 0 ? '' : `.${String(ticks).padStart(7, '0')}`;
  return `${negative ? '-' : ''}${day}${two(hours)}:${two(minutes)}:${two(seconds)}${fraction}`;
}
