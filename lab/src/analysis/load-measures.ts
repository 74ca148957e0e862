import { mergeDurations } from '../recording/durations.js';
import type { Measures } from './measure-table.js';
import { perSecond, type Span, secondsIn, type Timeline, withTail } from './timeline.js';
import { bestWindow, lastWindow, meanOf, sumOf } from './windows.js';

/** What the load generator saw. `thinkTimeSeconds` is `null` when it is not known. */
export function loadMeasures(options: {
  timeline: Timeline;
  span: Span;
  thinkTimeSeconds: number | null;
}): Measures {
  const { timeline, span, thinkTimeSeconds } = options;
  const rows = timeline.rows('load', span);
  if (rows.length === 0) return {};
  const successes = perSecond({ timeline, span, rows, value: (row) => row.requests - row.failed });
  const users = perSecond({ timeline, span, rows, value: (row) => row.users });
  const durations = mergeDurations(rows.map((row) => row.duration));
  const best5s = bestWindow(successes, 5);
  const last5s = lastWindow(successes, 5);
  return withoutNulls({
    'throughput.mean': sumOf(successes) / secondsIn(span),
    'throughput.best5s': best5s,
    'throughput.last5s': last5s,
    'throughput.best15s': bestWindow(successes, 15),
    'throughput.fallPercent':
      best5s === null || last5s === null || last5s === 0 ? null : (100 * (best5s - last5s)) / last5s,
    'client.requests': sumOf(rows.map((row) => row.requests)),
    'client.errors': sumOf(timeline.rows('load', withTail(span)).map((row) => row.failed)),
    'client.meanMs': durations.meanMs,
    'client.p50Ms': durations.percentile(50),
    'client.p95Ms': durations.percentile(95),
    'client.p99Ms': durations.percentile(99),
    'load.maxUsers': users.reduce((most, now) => Math.max(most, now), 0),
    'load.droppedIterations': sumOf(rows.map((row) => row.droppedIterations)),
    'load.littleRatio': littleRatio({
      requestsPerSecond: durations.count / secondsIn(span),
      meanMs: durations.meanMs,
      thinkTimeSeconds,
      meanUsers: meanOf(users),
    }),
  });
}

/** Little's law for a closed load: users = rate × (latency + think time). */
function littleRatio(options: {
  requestsPerSecond: number;
  meanMs: number | null;
  thinkTimeSeconds: number | null;
  meanUsers: number;
}): number | null {
  const { requestsPerSecond, meanMs, thinkTimeSeconds, meanUsers } = options;
  if (meanMs === null || thinkTimeSeconds === null || meanUsers === 0) return null;
  return (requestsPerSecond * (meanMs / 1000 + thinkTimeSeconds)) / meanUsers;
}

/** Leaves out what could not be measured: an absent measure is not a zero. */
export function withoutNulls<Name extends string>(
  values: Record<Name, number | null>,
): Partial<Record<Name, number>> {
  const kept: Partial<Record<Name, number>> = {};
  for (const [name, value] of Object.entries(values) as [Name, number | null][]) {
    if (value !== null && Number.isFinite(value)) kept[name] = value;
  }
  return kept;
}
