import { DEPENDENCY_TYPES } from '@bottleneck-lab/contracts';
import type { Dispatcher } from 'undici';
import { currentRequest, REQUEST_ID_HEADER } from '../http/request-context.js';
import { outboundTraceHeaders } from '../http/trace-context.js';
import type { StatsRecorder } from '../stats/recorder.js';
import { causeCode } from './cause-code.js';
import type { Ending } from './ending.js';

export interface AttemptOptions {
  dispatcher: { dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void };
  /** Name of the called service, the target of the dependency row. */
  target: string;
  path: string;
  /** Ends the attempt; the code of its reason becomes the row's result code. */
  ending: Ending;
  retry: boolean;
  stats: StatsRecorder;
}

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

/** An attempt that got no complete answer. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly code: string;
  /** The connection ended before the first byte of an answer. */
  readonly closedEarly: boolean;

  constructor(cause: unknown, answering: boolean) {
    const code = causeCode(cause);
    super(code, { cause });
    this.code = code;
    this.closedEarly = !answering && ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(code);
  }
}

/** One GET to a backend, recorded as one dependency row. Never rejects. */
export function attempt(options: AttemptOptions): Promise<Answer | NoAnswerError> {
  return new Promise((resolve) => {
    const { dispatcher, path, ending } = options;
    const request = currentRequest();
    const handler = new AttemptHandler(options, { operation: request?.operation ?? '', resolve });
    if (ending.reason) return handler.fail(ending.reason);
    ending.onEnd = (reason) => handler.abort(reason);
    const headers = ['accept', 'application/json'];
    if (request) {
      headers.push(REQUEST_ID_HEADER, request.requestId);
      for (const [name, value] of Object.entries(outboundTraceHeaders(request.trace)))
        headers.push(name, value);
    }
    dispatcher.dispatch({ method: 'GET', path, headers }, handler);
  });
}

/**
 * Undici's callbacks of one attempt, instead of its `request()`: an answer that is read whole needs no stream, no second promise and no
 * abort signal of its own, which together cost more than the rest of the call.
 */
class AttemptHandler implements Dispatcher.DispatchHandler {
  readonly #options: AttemptOptions;
  readonly #operation: string;
  readonly #resolve: (outcome: Answer | NoAnswerError) => void;
  readonly #startedAtMs = performance.now();
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #status = 0;
  #headers: Answer['headers'] = {};
  readonly #chunks: Buffer[] = [];

  constructor(
    options: AttemptOptions,
    outcome: { operation: string; resolve: (outcome: Answer | NoAnswerError) => void },
  ) {
    this.#options = options;
    this.#operation = outcome.operation;
    this.#resolve = outcome.resolve;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Given up while it waited for a connection.
    const { reason } = this.#options.ending;
    if (reason) controller.abort(reason);
  }

  onResponseStart(_controller: unknown, status: number, headers: Answer['headers']): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [only] = this.#chunks;
    const body = only && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks);
    const text = withoutByteOrderMark(body.toString());
    this.#settle(String(this.#status), { status: this.#status, headers: this.#headers, text });
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.fail(this.#options.ending.reason ?? error);
  }

  abort(reason: Error): void {
    this.#controller?.abort(reason);
    this.fail(reason);
  }

  fail(cause: Error): void {
    const answering = this.#status >= 200;
    const failure = new NoAnswerError(cause, answering);
    this.#settle(failure.code, failure);
  }

  #settle(resultCode: string, outcome: Answer | NoAnswerError): void {
    if (this.#settled) return;
    this.#settled = true;
    const { target, retry, stats } = this.#options;
    stats.recordDependency({
      operation: this.#operation,
      type: DEPENDENCY_TYPES.http,
      target,
      resultCode,
      retry,
      durationMs: performance.now() - this.#startedAtMs,
    });
    this.#resolve(outcome);
  }
}

function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
