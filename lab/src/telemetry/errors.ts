import { CodedError } from '../coded-error.js';

/** What can go wrong with telemetry and queries, as rows: stable code and the general statement. */
export const TELEMETRY_ERRORS = {
  NO_TELEMETRY: 'Neither a running stack nor a run has telemetry to ask.',
  RUN_WITHOUT_TELEMETRY: 'The run was recorded without telemetry.',
  TELEMETRY_UNREADABLE: "The run's telemetry could not be read.",
  QUERY_REFUSED: 'The query is wrong, or asks for more than a query may.',
  QUERY_UNKNOWN: 'No query of that name or file exists.',
  QUERY_FILE_INVALID: 'A query file lacks what its leading comments must say.',
  PARAMETER_UNKNOWN: 'The query has no such parameter, or it can not take that value.',
  TRACE_UNKNOWN: 'No operation of that id was recorded, or none of that kind.',
} as const;
export type TelemetryErrorCode = keyof typeof TELEMETRY_ERRORS;

/** A question that telemetry can't answer. The message names what was asked and says what is allowed. */
export class TelemetryError extends CodedError<TelemetryErrorCode> {}
