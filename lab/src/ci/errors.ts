import { CodedError } from '../coded-error.js';

/** What can keep the gate from judging, as rows: stable code and meaning. A measure that moved is a verdict, not an error. */
export const CI_ERRORS = {
  BASELINE_MISSING: 'There is no baseline file at that path.',
  BASELINE_UNREADABLE: 'The baseline file is not JSON, or has a wrong field.',
  BASELINE_VERSION: 'The baseline file has another major schema version.',
  BASELINE_NOT_COMPARABLE: 'The baseline was recorded for another subject, or measured in another way.',
  BASELINE_NOT_WRITABLE: 'The baseline file can not be written.',
  OUT_NOT_WRITABLE: 'The folder for results can not be written.',
  COMMAND_INVALID: 'A command that should start a system has no program or an open quote.',
  TARGET_UNREACHABLE: 'Nothing answers at the URL of the target.',
  TARGET_NOT_STARTED: 'The command that should start the target ended or did not listen in time.',
} as const;
export type CiErrorCode = keyof typeof CI_ERRORS;

/** A gate that could not judge. The message names the input and says what is allowed. */
export class CiError extends CodedError<CiErrorCode> {}
