import { CodedError } from '../coded-error.js';

/** What the console answers to a request that it does not serve, as rows: stable code, HTTP status and title. */
export const CONSOLE_ERRORS = {
  NOT_FOUND: { status: 404, title: 'There is no such page or route' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'The route has other methods' },
  BAD_REQUEST: { status: 400, title: 'The request has a wrong field' },
  NOT_JSON: { status: 415, title: 'The body must be JSON, and say so' },
  TOO_LARGE: { status: 413, title: 'The body is too large' },
  HOST_REFUSED: { status: 403, title: 'The request came under another name or from another site' },
  TOKEN_REQUIRED: {
    status: 401,
    title: 'This view needs the token that was printed when the console started',
  },
  READ_ONLY: {
    status: 403,
    title: 'This is the view for the room; runs and knobs are for whoever started the console',
  },
  RUN_GOING: { status: 409, title: 'A run is going on' },
  NO_RUN: { status: 409, title: 'No run is going on' },
  STACK: { status: 409, title: 'The stack refused or is not running' },
  KNOB_REFUSED: { status: 400, title: 'The knob can not be turned like that' },
  RUN_UNKNOWN: { status: 404, title: 'There is no such run' },
  TELEMETRY: { status: 404, title: 'There is no telemetry to ask' },
  QUERY_REFUSED: { status: 400, title: 'The query was refused' },
  ANSWER_REFUSED: { status: 400, title: 'The answer can not be judged' },
  BUSY: { status: 503, title: 'Too many queries at once' },
  INTERNAL: { status: 500, title: 'A fault in the console itself' },
} as const;
export type ConsoleErrorCode = keyof typeof CONSOLE_ERRORS;

export class ConsoleError extends CodedError<ConsoleErrorCode> {}
