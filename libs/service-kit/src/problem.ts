import type http from 'node:http';
import { PROBLEM_CONTENT_TYPE, type Problem } from '@bottleneck-lab/contracts';
import { ERRORS, ServiceError } from './errors.js';

/** The problem document (RFC 9457) of an error. An error outside the tables tells the caller nothing of its inside. */
export function problemOf(error: ServiceError, instance: { path: string; requestId: string }): Problem {
  const { row } = error;
  return {
    type: `urn:bottleneck-lab:problem:${row.code}`,
    title: row.title,
    status: row.status,
    detail: error.message,
    instance: instance.path,
    code: row.code,
    requestId: instance.requestId,
    ...error.extensions,
  };
}

/** Wraps whatever was thrown into a row of the table. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError(ERRORS.INTERNAL, {
    detail: 'An unexpected error; the log holds it under this request id.',
    cause: error,
  });
}

export function sendProblem(
  res: http.ServerResponse,
  document: Problem,
  headers: Readonly<Record<string, string>>,
) {
  const body = JSON.stringify(document);
  res.writeHead(document.status, {
    ...headers,
    'content-type': PROBLEM_CONTENT_TYPE,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  res.end(body);
}
