import { studentQuantile } from './student-t.js';

/** By how much the first of each pair is above the second, in percent of it, with its confidence interval. */
export interface PairedChange {
  pairs: number;
  changePercent: number;
  lowPercent: number;
  highPercent: number;
}

/** Fewer pairs give intervals so wide that they decide nothing. */
export const FEWEST_PAIRS = 3;

/**
 * Student's interval of the mean logarithm of the pairs' ratios, given back as percent. Pairs are measured right after one
 * another, so what the machine does to both cancels; logarithms make "twice" and "half" equally far. `confidence` is 0 to 1.
 * Null of fewer than {@link FEWEST_PAIRS} pairs.
 */
export function pairedChange(
  pairs: readonly (readonly [value: number, reference: number])[],
  confidence: number,
): PairedChange | null {
  const logs = pairs
    .filter(([value, reference]) => value > 0 && reference > 0)
    .map(([value, reference]) => Math.log(value / reference));
  if (logs.length < FEWEST_PAIRS) return null;
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1);
  const halfWidth =
    studentQuantile((1 + confidence) / 2, logs.length - 1) * Math.sqrt(variance / logs.length);
  const percent = (log: number) => 100 * (Math.exp(log) - 1);
  return {
    pairs: logs.length,
    changePercent: percent(mean),
    lowPercent: percent(mean - halfWidth),
    highPercent: percent(mean + halfWidth),
  };
}
