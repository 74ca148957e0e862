import { z } from 'zod';
import { isMeasureName, MEASURE_NAMES } from '../analysis/measure-table.js';
import { oneOf, quantity, strictFields } from './strict-fields.js';

const bound = z.number({ error: 'must be a number' });

/**
 * An expected range of one measure: `min` and/or `max`, or `value` with a tolerance in percent.
 * Both bounds are included.
 */
export const expectation = strictFields({
  measure: z.string({ error: 'must be the name of a measure' }).refine(isMeasureName, {
    error: `must be the name of a measure: ${MEASURE_NAMES.join(', ')}`,
  }),
  min: bound.optional(),
  max: bound.optional(),
  value: bound.optional(),
  tolerancePercent: quantity({ min: 0, max: 1_000, unit: 'percent of value' }).optional(),
  /** `calibrated`: an absolute figure that only a calibrated target has to meet. */
  targets: oneOf(['all', 'calibrated']).default('all'),
}).superRefine((range, context) => {
  const problem = rangeProblem(range);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});
export type Expectation = z.output<typeof expectation>;

type Bounds = Pick<Expectation, 'min' | 'max' | 'value' | 'tolerancePercent'>;

function rangeProblem(range: Bounds): string | null {
  const { min, max, value, tolerancePercent } = range;
  if ((value === undefined) !== (tolerancePercent === undefined)) {
    return 'must give value and tolerancePercent together';
  }
  if (value !== undefined && (min !== undefined || max !== undefined)) {
    return 'must give either min and max or value and tolerancePercent';
  }
  if (value === undefined && min === undefined && max === undefined) {
    return 'must give min, max, or value and tolerancePercent';
  }
  if (min !== undefined && max !== undefined && min > max) return `min ${min} must not be above max ${max}`;
  return null;
}

/** Lower and upper bound; `null` where the range is open. */
export function boundsOf(range: Bounds): { min: number | null; max: number | null } {
  if (range.value !== undefined && range.tolerancePercent !== undefined) {
    const slack = (Math.abs(range.value) * range.tolerancePercent) / 100;
    return { min: range.value - slack, max: range.value + slack };
  }
  return { min: range.min ?? null, max: range.max ?? null };
}
