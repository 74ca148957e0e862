/** Every error the stand-in answers with: HTTP status, `code` of the body, `x-ms-substatus`. */
const ERRORS = {
  badRequest: { status: 400, code: 'BadRequest', substatus: 0 },
  partitionKeyMismatch: { status: 400, code: 'BadRequest', substatus: 1001 },
  crossPartitionQueryNotServable: { status: 400, code: 'BadRequest', substatus: 1004 },
  unauthorized: { status: 401, code: 'Unauthorized', substatus: 0 },
  forbidden: { status: 403, code: 'Forbidden', substatus: 0 },
  notFound: { status: 404, code: 'NotFound', substatus: 0 },
  ownerNotFound: { status: 404, code: 'NotFound', substatus: 1003 },
  methodNotAllowed: { status: 405, code: 'MethodNotAllowed', substatus: 0 },
  conflict: { status: 409, code: 'Conflict', substatus: 0 },
  preconditionFailed: { status: 412, code: 'PreconditionFailed', substatus: 0 },
  requestEntityTooLarge: { status: 413, code: 'RequestEntityTooLarge', substatus: 0 },
  failedDependency: { status: 424, code: 'FailedDependency', substatus: 0 },
  requestRateTooLarge: { status: 429, code: '429', substatus: 3200 },
  retryWith: { status: 449, code: 'RetryWith', substatus: 0 },
  internalServerError: { status: 500, code: 'InternalServerError', substatus: 0 },
  serviceUnavailable: { status: 503, code: 'ServiceUnavailable', substatus: 20003 },
} as const;

export type ErrorKind = keyof typeof ERRORS;

export interface CosmosErrorDetails {
  cause?: unknown;
  /** For 429 and 449, milliseconds. */
  retryAfterMs?: number;
  requestCharge?: number;
  /** Further members of the error's JSON body. */
  body?: Record<string, unknown>;
}

/** An answer of the service that is not a success. */
export class CosmosError extends Error {
  readonly kind: ErrorKind;
  readonly status: number;
  readonly substatus: number;
  readonly details: CosmosErrorDetails;

  constructor(kind: ErrorKind, message: string, details: CosmosErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'CosmosError';
    this.kind = kind;
    this.status = ERRORS[kind].status;
    this.substatus = ERRORS[kind].substatus;
    this.details = details;
  }

  /** The JSON body. The official client needs `message`: without it, it fails in its own error handling. */
  toBody(): Record<string, unknown> {
    return { code: ERRORS[this.kind].code, message: this.message, ...this.details.body };
  }
}

export function itemNotFound(): CosmosError {
  return new CosmosError(
    'notFound',
    'Entity with the specified id does not exist in the system. More info: https://aka.ms/cosmosdb-tsg-not-found',
  );
}

export function resourceNotFound(description: string): CosmosError {
  return new CosmosError('notFound', `Resource Not Found. ${description} does not exist.`);
}

export function ownerNotFound(description: string): CosmosError {
  return new CosmosError('ownerNotFound', `Owner resource does not exist. ${description} was not found.`);
}
