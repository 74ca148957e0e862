import { quantity, withUnit } from '../analysis/quantity.js';
import type { CiMeasure } from './measure.js';

export interface Judgement {
  outcome: 'passed' | 'failed';
  /** In percent of the reference; null when that is 0. */
  changePercent: number | null;
  /** What was allowed, in words. */
  allowed: string;
  /** One sentence: which way it moved, from what to what, by how much. */
  text: string;
}

/** Standard errors that two shares may differ by: chance alone exceeds it once in about 700 comparisons. */
const STANDARD_ERRORS = 3;
const WHOLE = 100;

/** A measure against its reference, whose tolerance decides. */
export function judgeMeasure(input: { name: string; reference: CiMeasure; now: CiMeasure }): Judgement {
  const { name, reference, now } = input;
  const change = now.value - reference.value;
  const band = bandOf(reference, now);
  const changePercent = reference.value === 0 ? null : (100 * change) / Math.abs(reference.value);
  const allowed = band === 0 ? 'none' : `±${withUnit(band, reference.unit, 3)}`;
  const figures = `from ${withUnit(reference.value, reference.unit, 3)} to ${withUnit(now.value, reference.unit, 3)}`;
  const size = changePercent === null ? '' : `${signed(changePercent)} %, `;
  if (Math.abs(change) <= band + rounding(reference.value)) {
    return {
      outcome: 'passed',
      changePercent,
      allowed,
      text: `${name} is within what is allowed: ${figures}`,
    };
  }
  const verb = change > 0 ? 'rose' : 'fell';
  const text = `${name} ${verb} ${figures} (${size}allowed ${allowed})`;
  const worse = reference.better === 'neutral' || change > 0 === (reference.better === 'lower');
  if (worse) return { outcome: 'failed', changePercent, allowed, text };
  return {
    outcome: 'passed',
    changePercent,
    allowed,
    text: `${text}: better; --update-baseline would keep it`,
  };
}

/** Where nothing failed, nothing may: otherwise a share may differ by chance, as two samples of it would. */
function bandOf(reference: CiMeasure, now: CiMeasure): number {
  const { relativePercent, absolute } = reference.tolerance;
  const given = Math.max(absolute, (relativePercent / 100) * Math.abs(reference.value));
  if (reference.trials === undefined || now.trials === undefined || reference.value === 0) return given;
  const share = reference.value / WHOLE;
  const variance = share * (1 - share) * (1 / Math.max(1, reference.trials) + 1 / Math.max(1, now.trials));
  return Math.max(given, WHOLE * STANDARD_ERRORS * Math.sqrt(variance));
}

/** Sums of the same numbers in another order differ in the last digits. */
function rounding(value: number): number {
  return Math.abs(value) * 1e-9;
}

export function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${quantity(value, 3)}`;
}
