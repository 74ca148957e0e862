import { CodedError } from '../coded-error.js';

/** What can go wrong with recorded runs, as rows: stable code and meaning. */
export const RESULT_ERRORS = {
  RUN_UNKNOWN: 'No run of that name, prefix or path exists.',
  RUN_AMBIGUOUS: 'More than one run begins with that prefix.',
  RUNS_DIR_UNUSABLE: 'No run could be written to the folder for runs.',
  RUN_EXISTS: 'The folder of the run exists already; a run is written once.',
  RESULT_UNREADABLE: 'The file is missing, not JSON, or has a wrong field.',
  RESULT_VERSION: 'The file has another major schema version.',
  RUNS_NOT_COMPARABLE: 'The two runs were not measured in the same way.',
} as const;
export type ResultErrorCode = keyof typeof RESULT_ERRORS;

/** A run that can't be found, read, written or compared. The message names it and says what is allowed. */
export class ResultError extends CodedError<ResultErrorCode> {}
