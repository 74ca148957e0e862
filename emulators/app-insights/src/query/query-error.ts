import { EmulatorError, ERRORS } from '../errors.js';
import { KqlError, type KqlErrorCode } from '../kql/index.js';

/** The query API's error answer. */
export interface QueryErrorBody {
  error: {
    code: string;
    message: string;
    innererror?: { code: string; message: string; line?: number; pos?: number; severity?: number };
  };
}

const INNER_CODES: Readonly<Record<KqlErrorCode, string>> = {
  SYNTAX: 'SyntaxError',
  SEMANTIC: 'SemanticError',
  UNSUPPORTED: 'UnsupportedError',
  LIMIT: 'QueryLimitExceeded',
  RUNTIME: 'QueryExecutionError',
};

const API_CODES: Readonly<Record<string, string>> = {
  APPLICATION_NOT_FOUND: 'ApplicationNotFoundError',
  PATH_NOT_FOUND: 'PathNotFoundError',
  METHOD_NOT_ALLOWED: 'MethodNotAllowedError',
  FORBIDDEN: 'InsufficientAccessError',
  INTERNAL: 'InternalServerError',
  OVERLOADED: 'ServiceUnavailable',
  STOPPING: 'ServiceUnavailable',
};

export function queryError(error: unknown): { status: number; body: QueryErrorBody } {
  if (error instanceof KqlError) return kqlError(error);
  const known =
    error instanceof EmulatorError ? error : new EmulatorError('INTERNAL', undefined, { cause: error });
  const code = API_CODES[known.code] ?? 'BadArgumentError';
  return { status: known.status, body: { error: { code, message: known.message } } };
}

function kqlError(error: KqlError): { status: number; body: QueryErrorBody } {
  const [first] = error.diagnostics;
  const innererror = {
    code: INNER_CODES[error.code],
    message: error.diagnostics
      .map(({ line, column, code, message }) => `${line}:${column} ${code}: ${message}`)
      .join('\n'),
    ...(first === undefined ? {} : { line: first.line, pos: first.column }),
  };
  const { status, message } = ERRORS.BAD_ARGUMENT;
  return { status, body: { error: { code: 'BadArgumentError', message, innererror } } };
}
