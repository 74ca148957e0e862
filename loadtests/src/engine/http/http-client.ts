import type { TagSet } from '../results/tags.js';
import { type ConnectionSettings, VuConnections } from './connection.js';
import { decompress } from './decompress.js';
import { describeFailure, INVALID_URL, type NetworkFailure, REQUEST_TIMEOUT } from './error-codes.js';
import { Exchange, type ExchangeResult, type HttpRequest } from './exchange.js';
import { encodeBody, type RequestParams, type ResponseCallback } from './params.js';
import { HttpResponse } from './response.js';

/** What one request adds to the metrics. */
export interface RequestSample {
  readonly result: ExchangeResult;
  readonly tags: TagSet;
  /** Undefined when the script wants failures not to be judged. */
  readonly expected: boolean | undefined;
}

/** What the client needs of the virtual user that it belongs to. */
export interface HttpHost {
  readonly userAgent: string;
  readonly tags: TagSet;
  readonly systemTags: ReadonlySet<string>;
  /** Starts something that the iteration waits for; the returned function cancels it. */
  pend<T>(start: (settle: (value: T) => void) => () => void): Promise<T>;
  /** Calls back after a delay, unless cancelled. */
  after(delayMs: number, callback: () => void): { cancel(): void };
  record(sample: RequestSample): void;
  warn(message: string): void;
}

export interface Target {
  readonly url: string;
  /** From http.url`...`: the name that groups requests to changing URLs. */
  readonly name?: string;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const RETRIED_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
const NO_TIMINGS = {
  duration: 0,
  blocked: 0,
  looking_up: 0,
  connecting: 0,
  tls_handshaking: 0,
  sending: 0,
  waiting: 0,
  receiving: 0,
};

/** The HTTP client of one virtual user. */
export class HttpClient {
  readonly connections: VuConnections;
  readonly #host: HttpHost;
  /** Set by the script with setResponseCallback. */
  responseCallback: ResponseCallback = (status) => status >= 200 && status < 400;

  constructor(host: HttpHost, settings: ConnectionSettings) {
    this.#host = host;
    this.connections = new VuConnections(settings);
  }

  /** Sends a request and follows redirects; every exchange on the way is a sample of its own. */
  async request(method: string, target: Target, body: unknown, params: RequestParams): Promise<HttpResponse> {
    const encoded = encodeBody(body);
    const headers = withDefaults(params.headers, {
      'User-Agent': this.#host.userAgent,
      'Content-Type': encoded.contentType,
    });
    let request: HttpRequest;
    try {
      request = {
        method,
        url: parseUrl(target.url),
        headers,
        body: encoded.bytes,
        timeoutMs: params.timeoutMs,
      };
    } catch (cause) {
      return this.#refuse(target, params, cause as Error);
    }
    let name = params.tags.name ?? target.name;
    const tags = this.#host.tags;
    for (let redirects = 0; ; redirects++) {
      const { result, connectionAddress } = await this.#exchange(request);
      const failure = result.error === undefined ? undefined : describe(result.error);
      const next = this.#redirect(request, result);
      const sampleTags = this.#tag(tags, { request, result, failure, params, name });
      const expected = this.#judge(params, result.status);
      this.#host.record({ result, expected, tags: this.#withExpectation(sampleTags, expected) });
      if (next !== undefined && redirects < params.redirects) {
        request = next;
        name = params.tags.name;
        continue;
      }
      return this.#respond({ request, result, failure, params, remote: connectionAddress });
    }
  }

  #exchange(
    request: HttpRequest,
  ): Promise<{ result: ExchangeResult; connectionAddress: { ip: string; port: number } }> {
    return this.#host.pend((settle) => {
      let retried = false;
      let cancelled = false;
      let connection = this.connections.acquire(request.url.origin);
      const finish = (result: ExchangeResult) => {
        if (cancelled) return;
        if (result.staleConnection && !retried && RETRIED_METHODS.has(request.method)) {
          // The server had closed the idle connection meanwhile. Go's client repeats such a request, too.
          retried = true;
          this.connections.retire(connection);
          connection = this.connections.acquire(request.url.origin);
          exchange = new Exchange(connection, finish);
          exchange.send(request);
          return;
        }
        timer.cancel();
        const connectionAddress = connection.remoteAddress;
        if (result.error === undefined) this.connections.release(connection);
        else this.connections.retire(connection);
        settle({ result, connectionAddress });
      };
      let exchange = new Exchange(connection, finish);
      const timer = this.#host.after(request.timeoutMs, () => {
        const result = exchange.result(new TimeoutError());
        finish({ ...result, staleConnection: false });
        cancelled = true;
      });
      try {
        exchange.send(request);
      } catch (error) {
        finish({ ...exchange.result(error as Error), staleConnection: false });
      }
      return () => {
        cancelled = true;
        timer.cancel();
        this.connections.retire(connection);
      };
    });
  }

  #redirect(request: HttpRequest, { status, headers }: ExchangeResult): HttpRequest | undefined {
    const location = headers.location;
    if (!REDIRECTS.has(status) || typeof location !== 'string') return undefined;
    const keepsMethod = status === 307 || status === 308 || request.method === 'HEAD';
    const method = keepsMethod ? request.method : 'GET';
    const url = new URL(location, request.url);
    return { ...request, url, method, body: keepsMethod ? request.body : null };
  }

  #judge(params: RequestParams, status: number): boolean | undefined {
    const callback = params.responseCallback === undefined ? this.responseCallback : params.responseCallback;
    return callback === null ? undefined : callback(status);
  }

  #withExpectation(tags: TagSet, expected: boolean | undefined): TagSet {
    if (expected === undefined || !this.#host.systemTags.has('expected_response')) return tags;
    return tags.with('expected_response', String(expected));
  }

  #tag(
    tags: TagSet,
    of: {
      request: HttpRequest;
      result: ExchangeResult;
      failure: NetworkFailure | undefined;
      params: RequestParams;
      name: string | undefined;
    },
  ): TagSet {
    const { request, result, failure, params } = of;
    const url = of.name ?? withoutCredentials(request.url);
    const code = failure?.code ?? (result.status >= 400 ? 1000 + result.status : 0);
    const own = tags.withAll(params.tags);
    const key = `${request.method} ${result.status} ${code} ${failure?.message ?? ''} ${url}`;
    return own.derive(key, () => {
      const all: Record<string, string> = {
        method: request.method,
        name: url,
        url,
        status: String(result.status),
      };
      if (result.status !== 0) all.proto = 'HTTP/1.1';
      if (failure !== undefined) all.error = failure.message;
      if (code !== 0) all.error_code = String(code);
      if (request.url.protocol === 'https:' && result.status !== 0) all.tls_version = 'tls1.3';
      return Object.fromEntries(Object.entries(all).filter(([name]) => this.#host.systemTags.has(name)));
    });
  }

  async #respond(of: {
    request: HttpRequest;
    result: ExchangeResult;
    failure: NetworkFailure | undefined;
    params: RequestParams;
    remote: { ip: string; port: number };
  }): Promise<HttpResponse> {
    const { request, result, params } = of;
    let { failure } = of;
    let bytes: Buffer | null = null;
    if (failure === undefined && params.responseType !== 'none') {
      bytes = result.chunks.length === 1 ? (result.chunks[0] as Buffer) : Buffer.concat(result.chunks);
      const encoding = result.headers['content-encoding'];
      if (typeof encoding === 'string' && bytes.length > 0) {
        const decoded = await decompress(bytes, encoding).catch((error: Error) => error);
        if (decoded instanceof Error) failure = { code: 1701, message: decoded.message };
        else bytes = decoded;
      }
    }
    if (failure !== undefined) {
      this.#host.warn(`Request Failed: ${request.method} ${request.url.href}: ${failure.message}`);
      if (params.throwOnFailure) throw new Error(failure.message);
    }
    return new HttpResponse({
      status: result.status,
      statusText: result.statusText,
      rawHeaders: result.headers,
      bytes,
      responseType: params.responseType,
      timings: result.timings,
      error: failure?.message ?? '',
      errorCode: failure?.code ?? (result.status >= 400 ? 1000 + result.status : 0),
      url: request.url.href,
      request: {
        method: request.method,
        url: request.url.href,
        headers: request.headers,
        body: request.body ?? '',
      },
      remote: of.remote,
    });
  }

  /** A URL that cannot be requested: no sample, since nothing was sent. */
  #refuse(target: Target, params: RequestParams, cause: Error): HttpResponse {
    const message = `invalid URL '${target.url}': ${cause.message}`;
    if (params.throwOnFailure) throw new Error(message);
    this.#host.warn(`Request Failed: ${message}`);
    return new HttpResponse({
      status: 0,
      statusText: '',
      rawHeaders: {},
      bytes: null,
      responseType: params.responseType,
      timings: NO_TIMINGS,
      error: message,
      errorCode: INVALID_URL,
      url: target.url,
      request: { method: '', url: target.url, headers: {}, body: '' },
      remote: { ip: '', port: 0 },
    });
  }
}

class TimeoutError extends Error {}

function describe(error: Error): NetworkFailure {
  return error instanceof TimeoutError ? REQUEST_TIMEOUT : describeFailure(error);
}

function parseUrl(text: string): URL {
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error('only http and https are supported');
  return url;
}

function withoutCredentials(url: URL): string {
  return url.username === '' ? url.href : url.href.replace(/\/\/[^@/]*@/, '//****:****@');
}

function withDefaults(
  headers: Record<string, string>,
  defaults: Record<string, string | undefined>,
): Record<string, string> {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  for (const [name, value] of Object.entries(defaults)) {
    if (value !== undefined && !given.has(name.toLowerCase())) headers[name] = value;
  }
  return headers;
}
