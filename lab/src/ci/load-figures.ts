import type { LoadOutcome } from '@bottleneck-lab/loadtests';
import {
  CI_TOLERANCES,
  type CiMeasure,
  type CiMeasures,
  checkMeasure,
  counterMeasure,
  share,
} from './measure.js';

/** What a load counted: the same on any machine, and adds up over several loads. */
export interface LoadCounts {
  requests: number;
  failed: number;
  iterations: number;
  /** The script's own counters by name. */
  counters: Record<string, number>;
  checks: Record<string, { passes: number; fails: number }>;
}

/** How fast a load was. */
export interface LoadTimes {
  p50Ms: number;
  p95Ms: number;
  /** Over the load's whole seconds without its first and last, which are cut; null of a load shorter than that. */
  requestsPerSecond: number | null;
}

/** Counters that every load has; what they count depends on its length. */
const OWN_COUNTERS = new Set([
  'http_reqs',
  'iterations',
  'iterations_ended',
  'dropped_iterations',
  'data_sent',
  'data_received',
  'checks',
]);
/** Fewer whole seconds give no rate. */
const FEWEST_SECONDS = 3;

export function countsOf({ seconds, summary }: Pick<LoadOutcome, 'seconds' | 'summary'>): LoadCounts {
  const metrics = Object.entries(summary?.metrics ?? {});
  // A counter alone has a count and a rate; k6's own result does not tell the type of an unused metric.
  const counters = metrics.filter(
    ([name, { values }]) =>
      'count' in values && 'rate' in values && !name.includes('{') && !OWN_COUNTERS.has(name),
  );
  return {
    requests: seconds.reduce((sum, { requests }) => sum + requests, 0),
    failed: seconds.reduce((sum, { failed }) => sum + failed, 0),
    iterations: summary?.metrics.iterations?.values.count ?? 0,
    counters: Object.fromEntries(counters.map(([name, { values }]) => [name, values.count ?? 0])),
    checks: Object.fromEntries(
      (summary?.checks ?? []).map(({ name, passes, fails }) => [name, { passes, fails }]),
    ),
  };
}

export function addCounts(all: readonly LoadCounts[]): LoadCounts {
  const sum: LoadCounts = { requests: 0, failed: 0, iterations: 0, counters: {}, checks: {} };
  for (const { requests, failed, iterations, counters, checks } of all) {
    sum.requests += requests;
    sum.failed += failed;
    sum.iterations += iterations;
    for (const [name, count] of Object.entries(counters)) {
      sum.counters[name] = (sum.counters[name] ?? 0) + count;
    }
    for (const [name, { passes, fails }] of Object.entries(checks)) {
      const before = sum.checks[name] ?? { passes: 0, fails: 0 };
      sum.checks[name] = { passes: before.passes + passes, fails: before.fails + fails };
    }
  }
  return sum;
}

/** Null of a load without a request. */
export function timesOf({ seconds }: Pick<LoadOutcome, 'seconds'>): LoadTimes | null {
  const sorted = seconds.flatMap(({ durationsMs }) => durationsMs).sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const whole = seconds.slice(1, -1);
  const requests = whole.reduce((sum, one) => sum + one.requests, 0);
  return {
    p50Ms: nearestRank(sorted, 0.5),
    p95Ms: nearestRank(sorted, 0.95),
    requestsPerSecond: whole.length < FEWEST_SECONDS ? null : requests / whole.length,
  };
}

function nearestRank(sorted: readonly number[], quantile: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * quantile) - 1)] as number;
}

/** The machine-free measures of a load: failed requests, requests and counters per iteration, each check. */
export function countMeasures(counts: LoadCounts): CiMeasures {
  const measures: CiMeasures = { 'requests.failedPercent': share(counts.failed, counts.requests) };
  const perIteration = (count: number, given: Pick<CiMeasure, 'unit' | 'better' | 'tolerance'>) => ({
    value: count / counts.iterations,
    kind: 'machine-free' as const,
    ...given,
  });
  if (counts.iterations > 0) {
    measures['requests.perIteration'] = perIteration(counts.requests, {
      unit: 'requests',
      better: 'lower',
      tolerance: CI_TOLERANCES.requestsPerIteration,
    });
    for (const [name, count] of Object.entries(counts.counters)) {
      measures[counterMeasure(name)] = perIteration(count, {
        unit: 'per iteration',
        better: 'neutral',
        tolerance: CI_TOLERANCES.counterPerIteration,
      });
    }
  }
  for (const [name, { passes, fails }] of Object.entries(counts.checks)) {
    measures[checkMeasure(name)] = share(fails, passes + fails);
  }
  return measures;
}

/** Names of the measures of times, in the order they are shown. */
export const TIME_MEASURES = {
  'requests.p50Ms': { of: 'p50Ms', unit: 'ms', better: 'lower', tolerance: CI_TOLERANCES.p50 },
  'requests.p95Ms': { of: 'p95Ms', unit: 'ms', better: 'lower', tolerance: CI_TOLERANCES.p95 },
  'requests.perSecond': {
    of: 'requestsPerSecond',
    unit: 'req/s',
    better: 'higher',
    tolerance: CI_TOLERANCES.rate,
  },
} as const;

export function timeMeasures(times: LoadTimes | null): CiMeasures {
  const measures: CiMeasures = {};
  for (const [name, { of, unit, better, tolerance }] of Object.entries(TIME_MEASURES)) {
    const value = times?.[of] ?? null;
    if (value !== null) measures[name] = { value, unit, kind: 'time', better, tolerance };
  }
  return measures;
}
