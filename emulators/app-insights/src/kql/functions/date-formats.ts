import { datetimeFields } from '../values/datetime.js';
import { timespanFields } from '../values/timespan.js';

type Specifier = (run: string) => string | undefined;

const DELIMITERS = /^[ /\-:,._[\]]$/;

/** Splits a format into runs of one letter and single delimiters; undefined when something is neither known. */
function render(format: string, specifier: Specifier): string | undefined {
  let text = '';
  for (const [run] of format.matchAll(/([a-zA-Z])\1*|[^a-zA-Z]/g)) {
    const part = DELIMITERS.test(run) ? run : specifier(run);
    if (part === undefined) return undefined;
    text += part;
  }
  return text;
}

/** `x` or `xx`: without or with a leading zero. */
function padded(value: number, run: string, longest = 2): string | undefined {
  return run.length <= longest ? String(value).padStart(run.length, '0') : undefined;
}

/** `f` to `fffffff`: leading digits of the fraction of a second; `F` drops trailing zeros. */
function fraction(ticks: number, run: string): string | undefined {
  if (run.length > 7) return undefined;
  const digits = String(ticks).padStart(7, '0').slice(0, run.length);
  return run.startsWith('F') ? digits.replace(/0+$/, '') : digits;
}

export function formatDatetime(value: number, format: string): string | undefined {
  const { year, month, day, hour, minute, second, ticks } = datetimeFields(value);
  const specifiers: Record<string, Specifier> = {
    d: (run) => padded(day, run),
    f: (run) => fraction(ticks, run),
    F: (run) => fraction(ticks, run),
    h: (run) => padded(((hour + 11) % 12) + 1, run),
    H: (run) => padded(hour, run),
    m: (run) => padded(minute, run),
    M: (run) => padded(month, run),
    s: (run) => padded(second, run),
    t: (run) => (run === 'tt' ? (hour < 12 ? 'AM' : 'PM') : undefined),
    y: (run) => (run === 'yyyy' ? String(year).padStart(4, '0') : padded(year % 100, run)),
  };
  return render(format, (run) => specifiers[run.charAt(0)]?.(run));
}

export function formatTimespan(value: number, format: string): string | undefined {
  const { negative, days, hours, minutes, seconds, ticks } = timespanFields(value);
  const specifiers: Record<string, Specifier> = {
    d: (run) => padded(days, run, 8),
    f: (run) => fraction(ticks, run),
    F: (run) => fraction(ticks, run),
    h: (run) => padded(hours, run),
    H: (run) => padded(hours, run),
    m: (run) => padded(minutes, run),
    s: (run) => padded(seconds, run),
  };
  const text = render(format, (run) => specifiers[run.charAt(0)]?.(run));
  return text === undefined ? undefined : `${negative ? '-' : ''}${text}`;
}
