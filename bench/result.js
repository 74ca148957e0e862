import { best, compare, median } from './statistics.js';

/** @typedef {{ label: string, unit: string, median: number, best: number, rounds: number[] }} Measured */
/** @typedef {{ label: string, unit: string, value: number, best?: number, pairs?: number[], atMost?: number, atLeast?: number, met?: boolean }} Finding */
/** @typedef {{ measured: Measured[], findings: Finding[], notes?: string[], skipped?: string }} BenchmarkResult */
/** @typedef {{ peers: boolean, progress: (text: string) => void }} BenchmarkContext */
/** @typedef {{ name: string, about: string, run: (context: BenchmarkContext) => Promise<BenchmarkResult> }} Benchmark */

/**
 * What was measured, one value a round.
 * @param {string} label
 * @param {readonly number[]} rounds
 * @param {{ unit: string, better?: 'lower' | 'higher' }} options
 * @returns {Measured}
 */
export function measured(label, rounds, { unit, better = 'lower' }) {
  return { label, unit, median: median(rounds), best: best(rounds, better), rounds: [...rounds] };
}

/**
 * What follows from it, with the goal where there is one.
 * @param {string} label
 * @param {number} value
 * @param {{ unit?: string, atMost?: number, atLeast?: number, best?: number, pairs?: number[] }} [options]
 * @returns {Finding}
 */
export function finding(label, value, { unit = '', ...rest } = {}) {
  const { atMost, atLeast } = rest;
  if (atMost === undefined && atLeast === undefined) return { label, unit, value, ...rest };
  const met = value <= (atMost ?? Number.POSITIVE_INFINITY) && value >= (atLeast ?? Number.NEGATIVE_INFINITY);
  return { label, unit, value, ...rest, met };
}

/**
 * The ratio of two programs that were measured in turns, judged by the median of its pairs.
 * @param {string} label
 * @param {readonly [readonly number[], readonly number[]]} rounds
 * @param {{ better?: 'lower' | 'higher', atMost?: number, atLeast?: number }} [options]
 */
export function ratio(label, [a, b], { better = 'lower', ...goal } = {}) {
  const compared = compare(a, b, better);
  return finding(label, compared.median, { best: compared.best, pairs: compared.pairs, ...goal });
}
