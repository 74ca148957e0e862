import { DEPENDENCY_TYPES } from '@bottleneck-lab/contracts';
import type { Dispatcher } from 'undici';
import { currentRequest, REQUEST_ID_HEADER } from '../http/request-context.js';
import { outboundTraceHeaders } from '../http/trace-context.js';
import type { StatsRecorder } from '../stats/recorder.js';
import { causeCode } from './cause-code.js';

export interface AttemptOptions {
  dispatcher: Dispatcher;
  /** Name of the called service, the target of the dependency row. */
  target: string;
  path: string;
  signal: AbortSignal;
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

/**
 * One GET to a backend, recorded as one dependency row. An abort's reason should be an error whose name says why: it
 * becomes the row's result code.
 * @throws {NoAnswerError}
 */
export async function attempt(options: AttemptOptions): Promise<Answer> {
  const { dispatcher, target, path, signal, retry, stats } = options;
  const request = currentRequest();
  const startedAtMs = performance.now();
  const record = (resultCode: string) =>
    stats.recordDependency({
      operation: request?.operation ?? '',
      ...{ type: DEPENDENCY_TYPES.http, target, resultCode, retry },
      durationMs: performance.now() - startedAtMs,
    });
  let answering = false;
  try {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (request)
      Object.assign(headers, { [REQUEST_ID_HEADER]: request.requestId }, outboundTraceHeaders(request.trace));
    const answer = await dispatcher.request({ method: 'GET', path, headers, signal });
    answering = true;
    const text = await answer.body.text();
    record(String(answer.statusCode));
    return { status: answer.statusCode, headers: answer.headers, text };
  } catch (error) {
    const failure = new NoAnswerError(signal.aborted ? signal.reason : error, answering);
    record(failure.code);
    throw failure;
  }
}
