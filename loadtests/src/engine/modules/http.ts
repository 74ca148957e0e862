import type { BlockingCalls } from '../blocking-calls.js';
import type { HttpClient, Target } from '../http/http-client.js';
import { expectedStatuses, type ParamDefaults, type ResponseCallback, readParams } from '../http/params.js';
import type { HttpResponse } from '../http/response.js';
import { awaited } from './awaited.js';

export interface HttpModuleHost {
  readonly client: HttpClient;
  readonly defaults: ParamDefaults & { batch: number; batchPerHost: number };
  readonly blocking: BlockingCalls;
  /** Throws when the script makes requests while it is being loaded. */
  assertRunning(what: string): void;
}

/** `k6/http` for one virtual user. */
export function httpModule(host: HttpModuleHost): Record<string, unknown> {
  const send = async (
    method: string,
    url: unknown,
    body: unknown,
    params: unknown,
  ): Promise<HttpResponse> => {
    host.assertRunning('making http requests');
    return host.client.request(
      method.toUpperCase(),
      readTarget(url),
      body,
      readParams(params, host.defaults),
    );
  };
  const call = (name: string, ...request: Parameters<Send>) =>
    awaited(
      `http.${name}()`,
      host.blocking.run(() => send(...request)),
    );
  const withBody = (name: string, method: string) => (url: unknown, body?: unknown, params?: unknown) =>
    call(name, method, url, body, params);
  const values = {
    get: (url: unknown, params?: unknown) => call('get', 'GET', url, null, params),
    head: (url: unknown, params?: unknown) => call('head', 'HEAD', url, null, params),
    post: withBody('post', 'POST'),
    put: withBody('put', 'PUT'),
    patch: withBody('patch', 'PATCH'),
    del: withBody('del', 'DELETE'),
    options: withBody('options', 'OPTIONS'),
    request: (method: string, url: unknown, body?: unknown, params?: unknown) =>
      call('request', method, url, body, params),
    asyncRequest: send,
    batch: (requests: unknown) =>
      awaited(
        'http.batch()',
        host.blocking.run(() => sendBatch(requests, host, send)),
      ),
    expectedStatuses,
    setResponseCallback: (callback: ResponseCallback) => {
      host.client.responseCallback = callback;
    },
    url: (parts: TemplateStringsArray, ...values: unknown[]): Target => ({
      url: String.raw({ raw: parts }, ...values),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how k6 names the placeholders of such a URL
      name: parts.join('${}'),
    }),
  };
  return values;
}

type Send = (method: string, url: unknown, body: unknown, params: unknown) => Promise<HttpResponse>;

interface BatchEntry {
  readonly method: string;
  readonly url: unknown;
  readonly body: unknown;
  readonly params: unknown;
}

/** Sends requests in parallel within `batch` and `batchPerHost`; answers in the shape of the argument. */
async function sendBatch(requests: unknown, host: HttpModuleHost, send: Send): Promise<unknown> {
  if (typeof requests !== 'object' || requests === null)
    throw new TypeError('http.batch() takes a list or an object');
  const names = Object.keys(requests);
  const entries = Object.values(requests).map(readBatchEntry);
  const answers = new Array<HttpResponse>(entries.length);
  const waiting = entries.map((entry, index) => ({ entry, index, origin: originOf(entry.url) }));
  const inFlight = new Map<string, number>();
  const work = async (): Promise<void> => {
    for (;;) {
      const at = waiting.findIndex(({ origin }) => (inFlight.get(origin) ?? 0) < host.defaults.batchPerHost);
      const next = at === -1 ? undefined : waiting.splice(at, 1)[0];
      if (next === undefined) return;
      inFlight.set(next.origin, (inFlight.get(next.origin) ?? 0) + 1);
      const { method, url, body, params } = next.entry;
      answers[next.index] = await send(method, url, body, params);
      inFlight.set(next.origin, (inFlight.get(next.origin) as number) - 1);
    }
  };
  await Promise.all(Array.from({ length: Math.min(host.defaults.batch, entries.length) }, work));
  return Array.isArray(requests) ? answers : Object.fromEntries(names.map((name, i) => [name, answers[i]]));
}

function readBatchEntry(entry: unknown): BatchEntry {
  if (typeof entry === 'string') return { method: 'GET', url: entry, body: null, params: undefined };
  if (Array.isArray(entry)) {
    const [method, url, body, params] = entry;
    return { method: String(method), url, body, params };
  }
  const { method = 'GET', url, body, params } = (entry ?? {}) as Partial<BatchEntry>;
  return { method: String(method), url, body, params };
}

function originOf(url: unknown): string {
  const text = readTarget(url).url;
  return URL.canParse(text) ? new URL(text).origin : text;
}

function readTarget(url: unknown): Target {
  if (typeof url === 'object' && url !== null && typeof (url as Target).url === 'string')
    return url as Target;
  return { url: String(url) };
}
