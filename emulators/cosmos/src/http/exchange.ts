import type http from 'node:http';
import { CosmosError } from '../errors.js';
import type { Route } from './routes.js';

/** One request on its way through the server. */
export class Exchange {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
  readonly route: Route;
  /** When the request was complete, on the `performance.now()` scale. */
  readonly startedMs: number;
  readonly body: string;

  constructor(request: http.IncomingMessage, response: http.ServerResponse, route: Route, body: string) {
    this.request = request;
    this.response = response;
    this.route = route;
    this.body = body;
    this.startedMs = performance.now();
  }

  get method(): string {
    return this.request.method ?? 'GET';
  }

  /** @param name in lower case */
  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return typeof value === 'string' ? value : value?.[0];
  }

  /** Clients send `True` as well as `true`. */
  flag(name: string): boolean {
    const value = this.header(name);
    return value !== undefined && (value === 'true' || value.toLowerCase() === 'true');
  }

  json(): unknown {
    try {
      return JSON.parse(this.body);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : '';
      throw new CosmosError('badRequest', `The request body is not valid JSON: ${reason}`, { cause });
    }
  }

  jsonObject(): Record<string, unknown> {
    const value = this.json();
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
    throw new CosmosError('badRequest', 'The request body has to be a JSON object.');
  }
}

/** An answer that is ready to be sent. */
export interface Reply {
  status: number;
  /** Names and values in turn, as `writeHead` takes them. */
  headers: string[];
  /** JSON text, or null for an empty body. */
  body: string | null;
  requestCharge: number;
}

export function jsonReply(
  body: unknown,
  { status = 200, headers = [], requestCharge = 0 }: Partial<Reply> = {},
): Reply {
  return { status, headers, body: JSON.stringify(body), requestCharge };
}

/** Constant headers; the service sends many more, which no client reads. */
const COMMON_HEADERS = [
  'content-type',
  'application/json',
  'cache-control',
  'no-store, no-cache',
  'x-ms-gatewayversion',
  'version=2.0.0',
  'x-ms-serviceversion',
  'version=bottleneck-lab',
];

export function send(exchange: Exchange, reply: Reply, activityId: string): void {
  const { response } = exchange;
  if (response.destroyed || response.headersSent) return;
  const headers = COMMON_HEADERS.concat(reply.headers);
  headers.push('x-ms-request-charge', String(reply.requestCharge), 'x-ms-activity-id', activityId);
  if (reply.body === null) {
    if (reply.status !== 204 && reply.status !== 304) headers.push('content-length', '0');
    response.writeHead(reply.status, headers);
    response.end();
  } else {
    headers.push('content-length', String(Buffer.byteLength(reply.body)));
    response.writeHead(reply.status, headers);
    response.end(reply.body);
  }
}

export function errorReply(error: CosmosError): Reply {
  const { retryAfterMs, requestCharge = 0 } = error.details;
  const headers = error.substatus === 0 ? [] : ['x-ms-substatus', String(error.substatus)];
  if (retryAfterMs !== undefined) headers.push('x-ms-retry-after-ms', String(retryAfterMs));
  return { status: error.status, headers, body: JSON.stringify(error.toBody()), requestCharge };
}
