import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type http from 'node:http';
import { readTraceHeaders, type TraceHeaders } from './trace-context.js';

/** What is known about the request being handled, wherever in its asynchronous course. */
export interface RequestContext {
  requestId: string;
  /** Set by the route; empty before. */
  operation: string;
  trace: TraceHeaders;
  /** Aborted when the caller leaves before the answer. */
  signal: AbortSignal;
  /** Monotonic milliseconds. */
  startedAtMs: number;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** The request in whose course this is called; undefined outside any. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore();
}

export const REQUEST_ID_HEADER = 'x-request-id';
const SANE_REQUEST_ID = /^[\w.:+/=-]{1,128}$/;

/** Runs `next` inside the request's context and echoes the request id. */
export function enterRequest(req: http.IncomingMessage, res: http.ServerResponse, next: () => void): void {
  const given = req.headers[REQUEST_ID_HEADER];
  const requestId = typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID();
  const left = new AbortController();
  const context: RequestContext = {
    requestId,
    operation: '',
    trace: readTraceHeaders(req.headers),
    signal: left.signal,
    startedAtMs: performance.now(),
  };
  res.setHeader(REQUEST_ID_HEADER, requestId);
  res.once('close', () => {
    if (!res.writableFinished) left.abort();
  });
  storage.run(context, next);
}
