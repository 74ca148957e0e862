import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type http from 'node:http';
import { readTraceHeaders, type TraceHeaders } from './trace-context.js';

export const REQUEST_ID_HEADER = 'x-request-id';
const SANE_REQUEST_ID = /^[\w.:+/=-]{1,128}$/;

/** What is known about the request being handled, wherever in its asynchronous course. */
export class RequestContext {
  readonly requestId: string;
  /** Set by the route; empty before. */
  operation = '';
  readonly trace: TraceHeaders;
  /** Monotonic milliseconds. */
  readonly startedAtMs = performance.now();
  #left: AbortController | undefined;
  #hasLeft = false;

  constructor(headers: http.IncomingHttpHeaders) {
    const given = headers[REQUEST_ID_HEADER];
    this.requestId = typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID();
    this.trace = readTraceHeaders(headers);
  }

  /** Aborted when the caller leaves before the answer. Made when somebody asks for it: not every handler waits for others. */
  get signal(): AbortSignal {
    this.#left ??= new AbortController();
    if (this.#hasLeft) this.#left.abort();
    return this.#left.signal;
  }

  /** To be called when the caller has left. */
  leave(): void {
    this.#hasLeft = true;
    this.#left?.abort();
  }
}

const storage = new AsyncLocalStorage<RequestContext>();

/** The request in whose course this is called; undefined outside any. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore();
}

/** Runs `next` inside the request's context and echoes the request id. */
export function enterRequest(req: http.IncomingMessage, res: http.ServerResponse, next: () => void): void {
  const context = new RequestContext(req.headers);
  res.setHeader(REQUEST_ID_HEADER, context.requestId);
  res.once('close', () => {
    if (!res.writableFinished) context.leave();
  });
  storage.run(context, next);
}
