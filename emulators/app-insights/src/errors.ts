/**
 * Every answer of status 400 and above, one row each. Ingestion answers carry the row's status and message in the track
 * response, the query API in its `error` object. Codes of the query API are those of learn.microsoft.com/rest/api/application-insights.
 */
export const ERRORS = {
  EMPTY_BODY: {
    status: 400,
    message: 'the body is empty; send a JSON array of envelopes, or one envelope per line',
  },
  BAD_JSON: { status: 400, message: 'the body is not JSON' },
  TOO_NESTED: { status: 400, message: 'the body is nested too deep' },
  BAD_COMPRESSION: { status: 400, message: 'the body can not be decompressed' },
  BAD_PROTOBUF: { status: 400, message: 'the body is not a valid OTLP protobuf message' },
  DAILY_CAP: { status: 402, message: 'Daily quota exceeded' },
  PATH_NOT_FOUND: { status: 404, message: 'The requested path does not exist' },
  APPLICATION_NOT_FOUND: { status: 404, message: 'The specified application does not exist' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'method not allowed' },
  BODY_TOO_LARGE: { status: 413, message: 'the body is too large' },
  TOO_MANY_ITEMS: { status: 413, message: 'too many items in one request' },
  RECORDING_TOO_LARGE: { status: 413, message: 'the recording is larger than this process can hold' },
  UNSUPPORTED_MEDIA: { status: 415, message: 'unsupported content type or encoding' },
  THROTTLED: { status: 429, message: 'too many items; the limit is averaged over a minute' },
  INTERNAL: { status: 500, message: 'internal error' },
  OVERLOADED: { status: 503, message: 'too many bytes are being received at once' },
  STOPPING: { status: 503, message: 'the server is stopping' },
  BAD_ARGUMENT: { status: 400, message: 'The request had some invalid properties' },
  FORBIDDEN: { status: 403, message: 'only from this machine' },
  CONFLICT: { status: 409, message: 'a recording is already running' },
  NOT_CONFIGURED: { status: 501, message: 'not configured' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** Thrown anywhere below a route; the route's family of answers (track, OTLP, query, control) gives it its shape. */
export class EmulatorError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    detail?: string,
    options: ErrorOptions & { retryAfterSeconds?: number | undefined } = {},
  ) {
    super(detail === undefined ? ERRORS[code].message : `${ERRORS[code].message}: ${detail}`, options);
    this.name = 'EmulatorError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}
