import type { LoadOutcome, LoadSummary } from '@bottleneck-lab/loadtests';
import { MEASURE_TABLE, type MeasureName } from '../analysis/measure-table.js';
import type { Recording } from '../recording/index.js';
import type { RunResult } from '../results/index.js';
import { countMeasures, countsOf, timeMeasures, timesOf } from './load-figures.js';
import { type CiMeasures, checkMeasure, share } from './measure.js';

/** One limit that the script sets itself. */
export interface ThresholdOutcome {
  metric: string;
  threshold: string;
  ok: boolean;
  /** It limits a duration or a rate per second, which says nothing when the machine was too busy. */
  ofTime: boolean;
}

/** One load, whatever was loaded, as the gate judges it. */
export interface Measured {
  status: 'complete' | 'broken' | 'interrupted';
  /** Why it is not complete; empty when it is. */
  reason: string;
  /** Why its times say nothing about the target; empty when they do. */
  tooBusy: string;
  engine: { name: string; version: string };
  plannedSeconds: number;
  measures: CiMeasures;
  thresholds: ThresholdOutcome[];
  checks: { name: string; passes: number; fails: number }[];
  /** What a scenario expects; null of a script. */
  expected: RunResult['expected'];
}

export function measuredScript(outcome: LoadOutcome): Measured {
  const { meaning, detail, generator, engine, plannedSeconds, summary } = outcome;
  const complete = meaning === 'passed' || meaning === 'thresholds-crossed';
  return {
    status: complete ? 'complete' : meaning,
    reason: complete ? '' : `the load ended with exit code ${outcome.exitCode}: ${detail}`,
    tooBusy: generator.saturated ? generator.reason : '',
    engine,
    plannedSeconds,
    measures: { ...countMeasures(countsOf(outcome)), ...timeMeasures(timesOf(outcome)) },
    thresholds: thresholdsOf(summary),
    checks: [...(summary?.checks ?? [])],
    expected: null,
  };
}

/** Measures of a scenario that any machine should agree on, by their names in the table of measures. */
const MACHINE_FREE = [
  'cosmos.ruPerOperation',
  'cosmos.queriesPerOperation',
  'cosmos.throttledPercent',
] as const satisfies readonly MeasureName[];

const TIMES = [
  'throughput.mean',
  'client.p50Ms',
  'client.p95Ms',
  'utilization.meanMs',
] as const satisfies readonly MeasureName[];

export function measuredScenario(result: RunResult, load: Recording['load']): Measured {
  const summary = (load?.summary ?? null) as LoadSummary | null;
  const busy = result.validity.checks.filter(({ check, ok }) => ok === false && check !== 'complete');
  return {
    status: result.status,
    reason: result.reason,
    tooBusy: busy.map(({ text }) => text).join('; '),
    engine: result.load?.engine ?? { name: '', version: '' },
    plannedSeconds: result.plannedSeconds,
    measures: scenarioMeasures(result, summary),
    thresholds: thresholdsOf(summary),
    checks: [...(summary?.checks ?? [])],
    expected: result.expected,
  };
}

function scenarioMeasures({ measures }: RunResult, summary: LoadSummary | null): CiMeasures {
  const taken: CiMeasures = {};
  const take = (name: MeasureName, kind: 'machine-free' | 'time') => {
    const value = measures[name];
    const { unit, better, noise } = MEASURE_TABLE[name];
    if (value !== undefined) taken[name] = { value, unit, kind, better, tolerance: noise };
  };
  for (const name of MACHINE_FREE) take(name, 'machine-free');
  const throttled = taken['cosmos.throttledPercent'];
  if (throttled !== undefined) {
    const attempts = (measures['cosmos.partitionQueries'] ?? 0) + (measures['cosmos.throttled'] ?? 0);
    // Where a baseline has no 429, none is allowed; where it has some, they come in bursts, so more than chance is.
    throttled.tolerance = { ...throttled.tolerance, absolute: 0 };
    throttled.trials = attempts;
  }
  const requests = measures['client.requests'] ?? 0;
  taken['requests.failedPercent'] = share(Math.min(measures['client.errors'] ?? 0, requests), requests);
  for (const { name, passes, fails } of summary?.checks ?? []) {
    taken[checkMeasure(name)] = share(fails, passes + fails);
  }
  for (const name of TIMES) take(name, 'time');
  return taken;
}

function thresholdsOf(summary: LoadSummary | null): ThresholdOutcome[] {
  return Object.entries(summary?.metrics ?? {}).flatMap(([metric, { thresholds, values }]) =>
    Object.entries(thresholds).map(([threshold, { ok }]) => ({
      metric,
      threshold,
      ok,
      // Rates are shares of what was asked; trends are durations, and counters grow with speed.
      ofTime: !('passes' in values),
    })),
  );
}
