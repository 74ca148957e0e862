import { Agent, request } from 'undici';

/** An answer other than 2xx. The body's own words are kept, as they say more than the status. */
export class HttpStatusError extends Error {
  readonly status: number;
  readonly body: string;

  constructor(options: { method: string; url: string; status: number; body: string }) {
    super(
      `${options.method} ${options.url} answered ${options.status}: ${options.body.slice(0, 500) || '(no body)'}`,
    );
    this.name = 'HttpStatusError';
    this.status = options.status;
    this.body = options.body;
  }
}

const agent = new Agent({ connections: 16, keepAliveTimeout: 10_000, connect: { timeout: 5_000 } });

/** One JSON request to a process of the lab; throws `HttpStatusError` for anything but 2xx. */
export async function requestJson<Result = unknown>(
  url: string,
  options: {
    method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
    headers?: Record<string, string>;
    body?: unknown;
    timeoutMs?: number;
    signal?: AbortSignal;
  } = {},
): Promise<Result> {
  const { method = 'GET', timeoutMs = 5_000 } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  const response = await request(url, {
    method,
    dispatcher: agent,
    headers: {
      ...options.headers,
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: options.body === undefined ? null : JSON.stringify(options.body),
    headersTimeout: timeoutMs,
    signal: options.signal === undefined ? deadline : AbortSignal.any([options.signal, deadline]),
  });
  const body = await response.body.text();
  if (response.statusCode < 200 || response.statusCode > 299) {
    throw new HttpStatusError({ method, url, status: response.statusCode, body });
  }
  return (body === '' ? undefined : JSON.parse(body)) as Result;
}
