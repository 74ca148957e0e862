import { z } from 'zod';
import { isMeasureName, MEASURE_NAMES } from '../analysis/measure-table.js';
import { FIX_NAMES } from './fixes.js';
import { oneOf, quantity, strictFields, text } from './strict-fields.js';

/** A number that participants read from a view: which measure it is, and of which part of the load. */
const askedEvidence = strictFields({
  /** The question for it, with the unit. */
  ask: text(),
  measure: z
    .string({ error: 'must be the name of a measure' })
    .refine(isMeasureName, { error: `must be the name of a measure: ${MEASURE_NAMES.join(', ')}` }),
  of: oneOf(['whole-load', 'first-step', 'last-step', 'last-quarter']).default('whole-load'),
});
export type AskedEvidence = z.output<typeof askedEvidence>;

/** An exercise of the workshop on this scenario; docs/workshop is generated from it. */
const exercise = strictFields({
  /** What "lab check" takes beside the scenario's name. */
  number: quantity({ min: 1, max: 99, unit: '', whole: true }),
  minutes: quantity({ min: 5, max: 240, unit: 'minutes, discussion included', whole: true }),
  story: text(),
  questions: z.array(text()).min(2, { error: 'must have at least two questions' }),
  /** The first hint: the view to look at, as the name of a query in lab/queries, and what to do there. */
  hint: strictFields({ view: text(), text: text() }),
  /** Asked for by "lab check" and judged against the run, in this order. */
  evidence: z.array(askedEvidence).min(1, { error: 'must ask for at least one number' }),
  /** Fixes that are accepted beside those that the run's own diagnosis proposes. */
  fixes: z.array(oneOf(FIX_NAMES)).min(1, { error: 'must accept at least one fix' }),
  /** What to reply to a fix that does not help, where a run can not say it. */
  replies: z.partialRecord(z.enum(FIX_NAMES), text()).default({}),
  /** What to do once the answer is right. */
  afterwards: text(),
  /** Whether "lab mystery" may choose this scenario; its load must look like that of the others. */
  mystery: z.boolean({ error: 'must be true or false' }),
  trainer: strictFields({
    say: text(),
    /** What goes wrong in rooms, and what to do about it. */
    goesWrong: z.array(text()).min(1, { error: 'must have at least one entry' }),
  }),
});
export type Exercise = z.output<typeof exercise>;

/** Text for the workshop. The question stands alone; hints and answer are shown only when asked for. */
export const teaching = strictFields({
  question: text(),
  hints: z.array(text()).min(1, { error: 'must have at least one hint' }),
  answer: text(),
  exercise: exercise.optional(),
});
