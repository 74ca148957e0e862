import type { Dispatcher } from 'undici';
import type { Connection } from './connection.js';

export interface Timings {
  duration: number;
  blocked: number;
  looking_up: number;
  connecting: number;
  tls_handshaking: number;
  sending: number;
  waiting: number;
  receiving: number;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
  readonly timeoutMs: number;
}

/** An answer, or the error that came in its place. */
export interface ExchangeResult {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly chunks: readonly Buffer[];
  readonly timings: Timings;
  readonly error: Error | undefined;
  /** The connection was open before, and closed before anything came back. */
  readonly staleConnection: boolean;
}

/** One request and its answer on one connection; measures as k6 does: the duration is without connecting. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #connection: Connection;
  readonly #settle: (result: ExchangeResult) => void;
  readonly #calledAt = performance.now();
  #startedAt = 0;
  #sentAt = 0;
  #headersAt = 0;
  #status = 0;
  #statusText = '';
  #headers: Record<string, string | string[] | undefined> = {};
  #chunks: Buffer[] = [];

  constructor(connection: Connection, settle: (result: ExchangeResult) => void) {
    this.#connection = connection;
    this.#settle = settle;
  }

  send({ method, url, headers, body }: HttpRequest): void {
    this.#connection.dispatch(
      { method: method as Dispatcher.HttpMethod, path: url.pathname + url.search, headers, body },
      this,
    );
    // On an open connection the request has been written by now.
    this.#sentAt = this.#startedAt === 0 ? 0 : performance.now();
  }

  onRequestStart(): void {
    this.#startedAt = performance.now();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    statusText?: string,
  ): void {
    this.#headersAt = performance.now();
    this.#status = status;
    this.#statusText = statusText ?? '';
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#settle(this.result(undefined));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle(this.result(error));
  }

  /** What is known when the exchange ends, by itself or from outside. */
  result(error: Error | undefined): ExchangeResult {
    const endedAt = performance.now();
    const { handshakeStart, connected, secured } = this.#connection;
    const fresh = handshakeStart >= this.#calledAt;
    const connecting = fresh && connected > handshakeStart ? connected - handshakeStart : 0;
    const securing =
      fresh && secured > connected && connected > 0 && this.#connection.origin.startsWith('https:');
    const tls = securing ? secured - connected : 0;
    const startedAt = this.#startedAt || endedAt;
    const sending = this.#sentAt > startedAt ? this.#sentAt - startedAt : 0;
    const headersAt = this.#headersAt || endedAt;
    const waiting = Math.max(0, headersAt - startedAt - sending);
    const receiving = endedAt - headersAt;
    return {
      status: error === undefined ? this.#status : 0,
      statusText: this.#statusText,
      headers: this.#headers,
      chunks: this.#chunks,
      timings: {
        duration: sending + waiting + receiving,
        blocked: Math.max(0, startedAt - this.#calledAt - connecting - tls),
        looking_up: 0,
        connecting,
        tls_handshaking: tls,
        sending,
        waiting,
        receiving,
      },
      error,
      staleConnection: error !== undefined && !fresh && this.#headersAt === 0,
    };
  }
}
