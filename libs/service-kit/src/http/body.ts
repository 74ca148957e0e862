import express, { type RequestHandler } from 'express';
import { ERRORS, ServiceError } from '../errors.js';

/** Reads a JSON body; refuses another media type, or more than the limit. A request without a body passes at once. */
export function jsonBody(limitBytes: number): RequestHandler {
  const parse = express.json({ limit: limitBytes });
  return (req, res, next) => {
    const length = Number(req.headers['content-length'] ?? 0);
    if (length === 0 && req.headers['transfer-encoding'] === undefined) return next();
    if (length > limitBytes) throw tooLarge(limitBytes);
    if (!req.is('application/json')) {
      throw new ServiceError(ERRORS.BODY_NOT_JSON, {
        detail: `content-type ${JSON.stringify(req.headers['content-type'] ?? '')} is not allowed, allowed: application/json`,
        // The body is left unread, so the connection cannot carry another request.
        headers: { connection: 'close' },
      });
    }
    parse(req, res, next);
  };
}

function tooLarge(limitBytes: number): ServiceError {
  return new ServiceError(ERRORS.BODY_TOO_LARGE, {
    detail: `The body is larger than ${limitBytes} bytes`,
    headers: { connection: 'close' },
  });
}

/** The row for an error raised by express's router or body parser; undefined for any other. */
export function bodyErrorOf(thrown: unknown): ServiceError | undefined {
  if (thrown instanceof URIError)
    return new ServiceError(ERRORS.BAD_URL, { detail: thrown.message, cause: thrown });
  if (!(thrown instanceof Error) || !('type' in thrown) || !('status' in thrown)) return undefined;
  if (thrown.type === 'entity.too.large' && 'limit' in thrown) return tooLarge(Number(thrown.limit));
  if (thrown.status === 415)
    return new ServiceError(ERRORS.BODY_NOT_JSON, { detail: thrown.message, cause: thrown });
  if (thrown.status === 400)
    return new ServiceError(ERRORS.BAD_JSON, { detail: thrown.message, cause: thrown });
  return undefined;
}
