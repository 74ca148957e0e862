import { parseDatetime, parseTimespan, timespanToMs } from '../kql/index.js';
import { ItemRejection } from './envelope.js';

/** Readers of single fields: what a sender may write there, and the value a column gets. */

export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new ItemRejection(`expected text, got ${Array.isArray(value) ? 'an array' : 'an object'}`);
}

/** Text of at most `max` characters; longer text is cut, as the service does. */
export function cutText(value: unknown, max: number): string {
  const whole = text(value);
  return whole.length > max ? whole.slice(0, max) : whole;
}

export function real(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (value === undefined || value === null || value === '') return null;
  const parsed = typeof value === 'string' ? Number(value) : Number.NaN;
  if (Number.isNaN(parsed)) throw new ItemRejection(`expected a number, got ${shown(value)}`);
  return parsed;
}

export function integer(value: unknown): number | null {
  const number = real(value);
  return number === null || !Number.isFinite(number) ? null : Math.round(number);
}

/** Application Insights keeps success as text: `True` or `False`. */
export function successText(value: unknown, fallback: boolean): string {
  if (value === undefined || value === null || value === '') return fallback ? 'True' : 'False';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return /^true$/i.test(value) ? 'True' : 'False';
  throw new ItemRejection(`field 'success' must be true or false, got ${shown(value)}`);
}

const SECOND_LENGTH = 'YYYY-MM-DDTHH:MM:SS'.length;
const MILLISECOND_LENGTH = 'YYYY-MM-DDTHH:MM:SS.mmmZ'.length;
const TICKS_PER_MS = 10_000;

/** Reads times, remembering the last second: items come in the order of time, hundreds to a second. */
export class TimestampReader {
  #second = '';
  #ticks = 0;

  /** Ticks of an envelope's `time`. Throws `ItemRejection`. */
  read(value: unknown): number {
    if (typeof value !== 'string') throw new ItemRejection("field 'time' on type 'Envelope' is required");
    if (value.length === MILLISECOND_LENGTH && value.endsWith('Z') && value[SECOND_LENGTH] === '.') {
      const ms = threeDigits(value, SECOND_LENGTH + 1);
      if (ms !== null) {
        if (this.#second === '' || !value.startsWith(this.#second)) {
          this.#ticks = parsedTime(value.slice(0, SECOND_LENGTH), value);
          this.#second = value.slice(0, SECOND_LENGTH);
        }
        return this.#ticks + ms * TICKS_PER_MS;
      }
    }
    return parsedTime(value, value);
  }
}

function threeDigits(value: string, start: number): number | null {
  const [a, b, c] = [digitAt(value, start), digitAt(value, start + 1), digitAt(value, start + 2)];
  return isDigit(a) && isDigit(b) && isDigit(c) ? a * 100 + b * 10 + c : null;
}

function parsedTime(text: string, whole: string): number {
  const ticks = parseDatetime(text);
  if (ticks === null) {
    throw new ItemRejection(
      `field 'time' on type 'Envelope' is not an ISO 8601 time: ${shown(whole)}; example: 2026-01-02T03:04:05.678Z`,
    );
  }
  return ticks;
}

/** Milliseconds of a duration `[d.]hh:mm:ss[.fffffff]`; a number is taken as milliseconds already. */
export function durationMs(value: unknown): number | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'number') return value;
  if (typeof value === 'string') {
    const short = clockMs(value);
    if (short !== null) return short;
    const ticks = parseTimespan(value);
    if (ticks !== null) return timespanToMs(ticks);
  }
  throw new ItemRejection(`field 'duration' must look like [d.]hh:mm:ss[.fffffff], got ${shown(value)}`);
}

const digitAt = (value: string, index: number) => value.charCodeAt(index) - 48;
const isDigit = (digit: number) => digit >= 0 && digit <= 9;

/** `hh:mm:ss[.f...]` without regular expressions, as this runs for every span. */
function clockMs(value: string): number | null {
  if (value.charCodeAt(2) !== 58 || value.charCodeAt(5) !== 58 || value.length < 8 || value.length > 16)
    return null;
  const [h1, h2, m1, m2] = [digitAt(value, 0), digitAt(value, 1), digitAt(value, 3), digitAt(value, 4)];
  if (!(isDigit(h1) && isDigit(h2) && isDigit(m1) && isDigit(m2))) return null;
  const seconds = Number(value.slice(6));
  const hours = h1 * 10 + h2;
  const minutes = m1 * 10 + m2;
  if (!(seconds >= 0 && seconds < 60) || minutes > 59 || hours > 23) return null;
  return Math.round((hours * 3600 + minutes * 60) * 1e7 + seconds * 1e7) / 1e4;
}

/** Number of stored items that stand for `value` per cent of all: `itemCount`. */
export function itemCount(value: unknown): number {
  if (value === undefined || value === null) return 1;
  const rate = real(value);
  if (rate === null || !(rate > 0 && rate <= 100)) {
    throw new ItemRejection(`field 'sampleRate' must be above 0 and at most 100, got ${shown(value)}`);
  }
  return Math.round(100 / rate);
}

const BUCKETS: readonly (readonly [number, string])[] = [
  [250, '<250ms'],
  [500, '250ms-500ms'],
  [1000, '500ms-1sec'],
  [3000, '1sec-3sec'],
  [7000, '3sec-7sec'],
  [15_000, '7sec-15sec'],
  [30_000, '15sec-30sec'],
  [60_000, '30sec-1min'],
  [120_000, '1min-2min'],
  [300_000, '2min-5min'],
];

/** The bucket that the service puts a duration into. */
export function performanceBucket(ms: number | null): string {
  if (ms === null) return '';
  for (const [limit, name] of BUCKETS) if (ms < limit) return name;
  return '>=5min';
}

const SEVERITIES: Readonly<Record<string, number>> = {
  verbose: 0,
  information: 1,
  warning: 2,
  error: 3,
  critical: 4,
};

export function severityLevel(value: unknown): number | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'number' && value >= 0 && value <= 4) return Math.trunc(value);
  const level =
    typeof value === 'string' ? (SEVERITIES[value.toLowerCase()] ?? digitLevel(value)) : undefined;
  if (level === undefined) {
    throw new ItemRejection(
      `field 'severityLevel' must be Verbose, Information, Warning, Error, Critical or 0 to 4, got ${shown(value)}`,
    );
  }
  return level;
}

const digitLevel = (value: string) => (/^[0-4]$/.test(value) ? Number(value) : undefined);

/** A value as it stands in an error message: at most 80 characters. What a sender nests may be too deep to be written out. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  const whole = typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : String(value);
  return whole.length > 80 ? `${whole.slice(0, 77)}...` : whole;
}
