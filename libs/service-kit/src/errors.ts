/** One kind of failure: a stable code for programs, a status for HTTP, a title for people. */
export interface ErrorRow {
  code: string;
  status: number;
  title: string;
}

/** Turns `{ CODE: { status, title } }` into rows that know their code. */
export function errorTable<const T extends Record<string, { status: number; title: string }>>(
  rows: T,
): { [K in keyof T]: T[K] & { code: K & string } } {
  return Object.fromEntries(Object.entries(rows).map(([code, row]) => [code, { ...row, code }])) as never;
}

/** Failures that any service may answer with. */
export const ERRORS = errorTable({
  BAD_QUERY: { status: 400, title: 'Query parameters are missing, unknown or not allowed' },
  BAD_URL: { status: 400, title: 'The URL is malformed' },
  BAD_JSON: { status: 400, title: 'The body is not valid JSON' },
  ROUTE_NOT_FOUND: { status: 404, title: 'No such route' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'The route does not take this method' },
  BODY_TOO_LARGE: { status: 413, title: 'The body is too large' },
  BODY_NOT_JSON: { status: 415, title: 'A body must be application/json' },
  PROFILE_RUNNING: { status: 409, title: 'A CPU profile of this process is being taken' },
  INTERNAL: { status: 500, title: 'The service failed' },
  BACKEND_NOT_FOUND: { status: 404, title: 'A backend has nothing under this address' },
  BACKEND_UNREACHABLE: { status: 502, title: 'A backend cannot be reached' },
  BACKEND_FAILED: { status: 502, title: 'A backend answered with an error' },
  BACKEND_BAD_ANSWER: { status: 502, title: 'A backend answered with something unexpected' },
  BACKEND_TIMEOUT: { status: 504, title: 'A backend did not answer in time' },
  CLIENT_LEFT: { status: 499, title: 'The caller left before the answer' },
  COSMOS_THROTTLED: { status: 503, title: 'Cosmos DB kept answering 429 (request rate too large)' },
  COSMOS_UNREACHABLE: { status: 503, title: 'Cosmos DB cannot be reached' },
  COSMOS_REFUSED: { status: 503, title: 'Cosmos DB refused the credentials' },
  COSMOS_NOT_SET_UP: { status: 503, title: 'The database or container does not exist in Cosmos DB' },
  COSMOS_FAILED: { status: 502, title: 'Cosmos DB answered with an error' },
});

export interface ServiceErrorOptions {
  detail: string;
  cause?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Further members of the problem document. */
  extensions?: Readonly<Record<string, unknown>>;
}

/** A failure that is answered as its row of an error table says. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly row: ErrorRow;
  readonly headers: Readonly<Record<string, string>>;
  readonly extensions: Readonly<Record<string, unknown>>;

  constructor(row: ErrorRow, options: ServiceErrorOptions) {
    super(options.detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.row = row;
    this.headers = options.headers ?? {};
    this.extensions = options.extensions ?? {};
  }
}
