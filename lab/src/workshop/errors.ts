import { CodedError } from '../coded-error.js';

/** What can go wrong in the workshop, as rows: stable code and meaning. */
export const WORKSHOP_ERRORS = {
  EXERCISE_UNKNOWN: 'No exercise has that number or is on that scenario.',
  RUN_OF_ANOTHER_SCENARIO: 'The run is not one of the exercise.',
  RUN_NOT_JUDGEABLE:
    'The run is not complete, not valid, or had knobs turned, so that nothing can be judged by it.',
  ANSWER_INCOMPLETE: 'A part of the answer is missing or is not among what is allowed.',
  MYSTERY_UNKNOWN: 'No mystery waits for an answer.',
} as const;
export type WorkshopErrorCode = keyof typeof WORKSHOP_ERRORS;

/** An answer that can't be judged. The message says what is missing and what is allowed. */
export class WorkshopError extends CodedError<WorkshopErrorCode> {}
