import type http from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { ERRORS, ServiceError } from '../errors.js';
import type { Logger } from '../logger.js';
import { problemOf, sendProblem, toServiceError } from '../problem.js';
import { bodyErrorOf } from './body.js';
import { currentRequest } from './request-context.js';

/** Sends a 200 with a JSON body, unless the caller has left. */
export function sendJson(res: http.ServerResponse, value: unknown, status = 200): void {
  if (res.closed) return;
  const body = JSON.stringify(value);
  res.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  res.end(body);
}

/** For a known path under another method. */
export function methodNotAllowed(allow: string): RequestHandler {
  return (req) => {
    throw new ServiceError(ERRORS.METHOD_NOT_ALLOWED, {
      detail: `${req.method} ${req.path} is not allowed, allowed: ${allow}`,
      headers: { allow },
    });
  };
}

export const notFound: RequestHandler = (req) => {
  throw new ServiceError(ERRORS.ROUTE_NOT_FOUND, { detail: `There is no route ${req.method} ${req.path}` });
};

/** Answers every error as a problem document. Must be express's four-argument kind. */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (thrown, req, res, _next) => {
    const error = bodyErrorOf(thrown) ?? toServiceError(thrown);
    if (error.row.status >= 500)
      log.error({ err: thrown, code: error.row.code }, `${req.method} ${req.path} failed`);
    if (res.closed || res.destroyed) return;
    if (res.headersSent) {
      // Half an answer cannot be taken back; breaking the connection is the only honest ending.
      res.destroy();
      return;
    }
    const requestId = currentRequest()?.requestId ?? '';
    sendProblem(res, problemOf(error, { path: req.path, requestId }), error.headers);
  };
}
