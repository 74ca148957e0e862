import { EmulatorError } from '../errors.js';
import { parseDatetime, type TimeRange } from '../kql/index.js';

const TICKS = {
  day: 864_000_000_000,
  hour: 36_000_000_000,
  minute: 600_000_000,
  second: 10_000_000,
} as const;
const DURATION = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/**
 * The API's `timespan`: an ISO 8601 duration up to now, or an interval `start/end`, `start/duration`, `duration/end`.
 * `now` and the result are engine datetimes (ticks).
 */
export function parseTimespanParameter(text: string, now: number): TimeRange {
  const parts = text.split('/');
  const [first, second] = parts as [string, string?];
  if (parts.length > 2) throw invalid(text);
  if (second === undefined) return { from: now - (durationTicks(first) ?? fail(text)), to: now };
  const start = parseDatetime(first);
  const end = parseDatetime(second);
  if (start !== null && end !== null) return { from: start, to: end };
  if (start !== null) return { from: start, to: start + (durationTicks(second) ?? fail(text)) };
  if (end !== null) return { from: end - (durationTicks(first) ?? fail(text)), to: end };
  throw invalid(text);
}

function durationTicks(text: string): number | null {
  const match = DURATION.exec(text.trim());
  if (match === null || text.trim() === 'P' || text.trim().endsWith('T')) return null;
  const [, weeks, days, hours, minutes, seconds] = match.map((part) => Number(part ?? 0)) as number[];
  return Math.round(
    ((weeks ?? 0) * 7 + (days ?? 0)) * TICKS.day +
      (hours ?? 0) * TICKS.hour +
      (minutes ?? 0) * TICKS.minute +
      (seconds ?? 0) * TICKS.second,
  );
}

function fail(text: string): never {
  throw invalid(text);
}

function invalid(text: string): EmulatorError {
  return new EmulatorError(
    'BAD_ARGUMENT',
    `timespan ${JSON.stringify(text.slice(0, 80))} is neither an ISO 8601 duration (PT1H) nor an interval (2026-01-02T00:00Z/PT1H)`,
  );
}
