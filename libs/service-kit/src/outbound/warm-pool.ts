import { AsyncResource } from 'node:async_hooks';
import { INTERNAL_ROUTES } from '@bottleneck-lab/contracts';
import { type Dispatcher, Pool } from 'undici';
import type { ReadinessCheck } from '../health.js';
import type { Logger } from '../logger.js';
import { Recovery } from '../recovery.js';
import { causeCode } from './cause-code.js';

export interface WarmPoolOptions {
  name: string;
  origin: string;
  connections: number;
  connectionMaxAgeMs: number;
  answerLimitBytes: number;
  deadlineMs: number;
  check: ReadinessCheck;
  log: Logger;
}

/** How long to gather lost connections before they are opened again together. */
const REFILL_AFTER_MS = 250;

/**
 * A pool of keep-alive connections that are all opened before traffic needs them: a connection opened to a busy process
 * waits until that process gets round to accepting it. Connections that end are opened again; a backend that is gone is
 * tried with backoff, and the readiness check says so meanwhile.
 */
export class WarmPool {
  readonly #pool: Pool;
  /** The pool, noting whether a connection is left after each request, probes included. */
  readonly #noting: Dispatcher;
  readonly #options: WarmPoolOptions;
  readonly #recovery: Recovery;
  #refill: NodeJS.Timeout | undefined;
  /** Calls that wait for a connection, in order, each with its caller's context. */
  readonly #waiting: (() => void)[] = [];
  #full = false;

  constructor(options: WarmPoolOptions) {
    const { name, check, log } = options;
    this.#options = options;
    this.#pool = new Pool(options.origin, {
      connections: options.connections,
      pipelining: 1,
      connect: { timeout: options.deadlineMs },
      // The caller's deadline covers both.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: options.answerLimitBytes,
      // A server that announces how long it keeps a connection is believed up to the maximum.
      keepAliveTimeout: 60_000,
      keepAliveMaxTimeout: 3_600_000,
      clientTtl: options.connectionMaxAgeMs || null,
    });
    this.#noting = this.#pool.compose((dispatch) => (request, handler) => {
      const free = dispatch(request, handler);
      this.#full = !free;
      return free;
    });
    this.#recovery = new Recovery({
      attempt: () => this.#open(),
      onReady() {
        check.pass();
        log.info({ backend: name, connections: options.connections }, 'connections open');
      },
      onFailure(error) {
        check.fail(`${name} at ${options.origin}: ${causeCode(error)}`);
        log.debug({ backend: name, code: causeCode(error) }, 'backend not reachable');
      },
    });
    this.#pool.on('connectionError', (_origin, _targets, error) => {
      this.#recovery.lost(error);
      this.#sendWaiting();
    });
    this.#pool.on('disconnect', () => {
      this.#scheduleRefill();
      this.#sendWaiting();
    });
    this.#pool.on('drain', () => this.#sendWaiting());
  }

  /**
   * Sends a call, when a connection is free. The pool itself would send one that waited in the context of whatever freed the connection,
   * where tracing finds no operation that the call belongs to, or another one.
   */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    const send = () => void this.#noting.dispatch(options, handler);
    if (this.#full) this.#waiting.push(AsyncResource.bind(send));
    else send();
  }

  #sendWaiting(): void {
    this.#full = false;
    while (!this.#full) {
      const send = this.#waiting.shift();
      if (send === undefined) return;
      send();
    }
  }

  start(): void {
    this.#recovery.start();
  }

  async stop(): Promise<void> {
    this.#recovery.stop();
    clearTimeout(this.#refill);
    await this.#pool.destroy();
  }

  /** One probe first, so that a backend that is down costs one connection attempt; then all at once. */
  async #open(): Promise<void> {
    await this.#probe();
    await this.#openRest();
  }

  /** As many parallel requests as there are idle or missing connections: the pool opens what it lacks to serve them. */
  async #openRest(): Promise<void> {
    const count = Math.max(0, this.#options.connections - this.#pool.stats.running);
    await Promise.all(Array.from({ length: count }, () => this.#probe()));
  }

  async #probe(): Promise<void> {
    const { statusCode, body } = await this.#noting.request({
      ...{ method: 'GET', path: INTERNAL_ROUTES.live, headers: { accept: 'application/json' } },
      signal: AbortSignal.timeout(this.#options.deadlineMs),
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`GET ${INTERNAL_ROUTES.live} answered ${statusCode}`);
  }

  #scheduleRefill(): void {
    if (this.#refill || !this.#recovery.ready) return;
    this.#refill = setTimeout(() => {
      this.#refill = undefined;
      if (this.#recovery.ready) this.#openRest().catch((error) => this.#recovery.lost(error));
    }, REFILL_AFTER_MS);
    this.#refill.unref();
  }
}
