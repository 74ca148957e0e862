import { CodedError } from '../coded-error.js';

/** Everything that can be wrong with scenario files, as rows: stable code and what to do about it. */
export const SCENARIO_ERRORS = {
  SCENARIO_UNKNOWN: 'No scenario of that name exists.',
  SCENARIO_UNREADABLE: 'The scenario file could not be read.',
  SCENARIO_NOT_YAML: 'The scenario file is not valid YAML.',
  SCENARIO_INVALID: 'A field of the scenario file is wrong.',
  SCENARIO_DUPLICATE: 'Two scenario files have the same name or order.',
} as const;
export type ScenarioErrorCode = keyof typeof SCENARIO_ERRORS;

/** A scenario that can't be used. The message names file, field, value and what is allowed. */
export class ScenarioError extends CodedError<ScenarioErrorCode> {}
