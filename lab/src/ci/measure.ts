import { NOISE, type Noise } from '../analysis/noise.js';

/**
 * `machine-free`: counts per operation and shares, which any machine should agree on. `time`: durations and rates, which
 * only runs of one machine can be compared by.
 */
export type MeasureKind = 'machine-free' | 'time';

/** One figure of a run that a baseline or another system is compared by. */
export interface CiMeasure {
  value: number;
  unit: string;
  kind: MeasureKind;
  /** Which way is better; `neutral`: any move beyond the tolerance fails. */
  better: 'higher' | 'lower' | 'neutral';
  /** What it may move by without failing: the larger of a share of the reference and an absolute amount. */
  tolerance: Noise;
  /** Of a share in percent: how many were asked. Chance is then allowed for; see {@link ./judge-measure.ts}. */
  trials?: number | undefined;
}

export type CiMeasures = Record<string, CiMeasure>;

const EXACT: Noise = { relativePercent: 0, absolute: 0 };

/** Tolerances of measures that no scenario's table has. */
export const CI_TOLERANCES = {
  requestsPerIteration: { relativePercent: 2, absolute: 0 },
  counterPerIteration: NOISE.perOperation,
  share: EXACT,
  p50: { relativePercent: 15, absolute: 1 },
  p95: { relativePercent: 25, absolute: 3 },
  rate: NOISE.windowRate,
} as const;

/** `requests.failedPercent` and the like: no tolerance but chance. */
export function share(failed: number, trials: number): CiMeasure {
  const value = trials === 0 ? 0 : (100 * failed) / trials;
  return { value, unit: '%', kind: 'machine-free', better: 'lower', tolerance: CI_TOLERANCES.share, trials };
}

/** Name of the measure of one check. */
export function checkMeasure(check: string): string {
  return `check.failedPercent{${check}}`;
}

/** Name of the measure of a counter of the script. */
export function counterMeasure(counter: string): string {
  return `${counter}.perIteration`;
}
