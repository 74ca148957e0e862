import type { z } from 'zod';
import type { ConfigOf } from '../config/setting.js';
import { ERRORS } from '../errors.js';
import { backoffDelayMs } from '../recovery.js';
import type { Runtime } from '../service.js';
import { type Answer, attempt, NoAnswerError } from './attempt.js';
import { BackendError, Cancelled, errorOfAnswer, errorOfNoAnswer } from './backend-error.js';
import { Deadlines } from './deadlines.js';
import { Ending } from './ending.js';
import type { BACKEND_SETTINGS } from './settings.js';
import { WarmPool } from './warm-pool.js';

export interface BackendOptions {
  /** Service name, used in errors, readiness and dependency rows. */
  name: string;
  origin: string;
  config: ConfigOf<typeof BACKEND_SETTINGS>;
  runtime: Pick<Runtime, 'health' | 'stats' | 'log'>;
  random?: () => number;
}

export interface Call<T> {
  /** Path and query. */
  path: string;
  /** What the answer must look like. */
  schema: z.ZodType<T>;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** Between retries: 100 ms, 200 ms, ... up to 2 s, the upper half of each random. */
const RETRY_BACKOFF = { firstMs: 100, capMs: 2_000 };

/** Another service, called over a pool of open connections, within a deadline. */
export class Backend {
  readonly name: string;
  readonly #options: BackendOptions;
  readonly #warm: WarmPool;
  readonly #deadlines: Deadlines;

  constructor(options: BackendOptions) {
    const { name, origin, config, runtime } = options;
    this.name = name;
    this.#options = options;
    this.#deadlines = new Deadlines(config.backendDeadlineMs);
    this.#warm = new WarmPool({
      ...{ name, origin, log: runtime.log, check: runtime.health.check(name, 'connecting') },
      connections: config.backendConnections,
      connectionMaxAgeMs: config.backendConnectionMaxAgeMs,
      answerLimitBytes: config.backendAnswerLimitBytes,
      deadlineMs: config.backendDeadlineMs,
    });
  }

  start(): void {
    this.#warm.start();
  }

  stop(): Promise<void> {
    return this.#warm.stop();
  }

  /**
   * GETs JSON.
   * @throws {BackendError} one of the BACKEND_* rows, or CLIENT_LEFT when `signal` was aborted
   */
  async get<T>({ path, schema, signal }: Call<T>): Promise<T> {
    const ending = new Ending();
    const cancel = () => ending.end(new Cancelled('Nobody waits for the answer'));
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel);
    this.#deadlines.add(ending);
    try {
      return this.#read(await this.#send(path, ending), schema);
    } finally {
      this.#deadlines.delete(ending);
      signal.removeEventListener('abort', cancel);
    }
  }

  /** All attempts of one call. */
  async #send(path: string, ending: Ending): Promise<Answer> {
    const { config, random = Math.random } = this.#options;
    let sentAgain = false;
    for (let retries = 0; ; ) {
      const outcome = await this.#attempt({ path, ending, retry: sentAgain || retries > 0 });
      // A kept-alive connection may be closed by the other side just when a request is sent on it. A GET is then sent again
      // at once on another connection (RFC 9110, 9.2.2), whatever the setting for retries says.
      if (outcome instanceof NoAnswerError && outcome.closedEarly && !sentAgain && !ending.reason) {
        sentAgain = true;
        continue;
      }
      if (retries >= config.backendRetries || !isWorthRetrying(outcome)) {
        if (outcome instanceof NoAnswerError) throw this.#errorOf(outcome);
        return outcome;
      }
      retries += 1;
      sentAgain = false;
      await pause(backoffDelayMs(retries, RETRY_BACKOFF, random), ending);
      if (ending.reason) throw this.#errorOf(new NoAnswerError(ending.reason, false));
    }
  }

  #attempt(options: { path: string; ending: Ending; retry: boolean }): Promise<Answer | NoAnswerError> {
    const dispatcher = this.#warm;
    return attempt({ ...options, dispatcher, target: this.name, stats: this.#options.runtime.stats });
  }

  #errorOf(failure: NoAnswerError): BackendError {
    return errorOfNoAnswer(this.name, failure, this.#options.config.backendDeadlineMs);
  }

  #read<T>(answer: Answer, schema: z.ZodType<T>): T {
    if (answer.status !== 200) throw errorOfAnswer(this.name, answer);
    let value: unknown;
    try {
      value = JSON.parse(answer.text);
    } catch (cause) {
      throw new BackendError(ERRORS.BACKEND_BAD_ANSWER, {
        backend: this.name,
        detail: 'sent malformed JSON',
        cause,
      });
    }
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const where = result.error.issues
      .map((i) => `${i.path.join('.') || 'the answer'}: ${i.message}`)
      .join('; ');
    throw new BackendError(ERRORS.BACKEND_BAD_ANSWER, {
      ...{ backend: this.name, cause: result.error },
      detail: `sent an answer of the wrong shape (${where})`,
    });
  }
}

const CONNECT_FAILURES = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

function isWorthRetrying(outcome: Answer | NoAnswerError): boolean {
  if (outcome instanceof NoAnswerError) return CONNECT_FAILURES.includes(outcome.code);
  return outcome.status === 502 || outcome.status === 503;
}

/** Ends early when the call does. */
function pause(ms: number, ending: Ending): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    ending.onEnd = () => {
      clearTimeout(timer);
      resolve();
    };
    if (ending.reason) ending.onEnd(ending.reason);
  });
}
