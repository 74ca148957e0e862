import { ROLES, SERVICE_NAMES, type ServiceName } from '@bottleneck-lab/contracts';
import { type RowOf, type Span, secondsIn, type Timeline } from './timeline.js';
import { sumOf } from './windows.js';

/** CPU of one service second by second, all its instances together. */
export interface CpuSeries {
  service: ServiceName;
  /** Whether the service had a limit in some second. */
  limited: boolean;
  /**
   * Of the limit; of one core where there is none, for a Node process computes on one thread. `null` in a second
   * without a row.
   */
  percent: (number | null)[];
  /** Enforcement periods that were throttled; `null` in a second that had none. */
  throttledPeriodsPercent: (number | null)[];
}

/** One entry for each service that gave rows. */
export function cpuSeries(timeline: Timeline, span: Span): CpuSeries[] {
  const rows = timeline.rows('process', span);
  return SERVICE_NAMES.flatMap((service) => {
    const own = rows.filter((row) => row.role === ROLES[service]);
    if (own.length === 0) return [];
    const seconds = Array.from({ length: secondsIn(span) }, (): RowOf<'process'>[] => []);
    for (const row of own) seconds[row.second - timeline.zero - span.fromSecond]?.push(row);
    return [
      {
        service,
        limited: own.some((row) => row.cpuLimitCores !== null),
        percent: seconds.map(percentOf),
        throttledPeriodsPercent: seconds.map(throttledPercentOf),
      },
    ];
  });
}

const ONE_CORE = 1;

function percentOf(rows: readonly RowOf<'process'>[]): number | null {
  if (rows.length === 0) return null;
  const allowedMs = sumOf(rows.map((row) => (row.cpuLimitCores ?? ONE_CORE) * 1000));
  return (100 * sumOf(rows.map((row) => row.cpuMs))) / allowedMs;
}

function throttledPercentOf(rows: readonly RowOf<'process'>[]): number | null {
  const periods = sumOf(rows.map((row) => row.periods));
  return periods === 0 ? null : (100 * sumOf(rows.map((row) => row.throttledPeriods))) / periods;
}
