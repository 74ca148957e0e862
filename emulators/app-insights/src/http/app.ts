import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Emulator } from '../emulator.js';
import { EmulatorError } from '../errors.js';
import { encodeProtobuf } from '../otlp/messages.js';
import { queryError } from '../query/query-error.js';
import { type Answer, sendAnswer } from './answer.js';
import { BodyReader } from './body.js';
import { controlRoutes } from './control-routes.js';
import { queryRoutes } from './query-routes.js';
import { matchRoute, paramsOf, type Route, type RouteFamily } from './routes.js';
import { otlpRoutes, trackRoutes } from './track-routes.js';

export interface AppOptions {
  emulator: Emulator;
  /** Told of every failure that is this program's own. */
  onInternalError: (error: unknown) => void;
}

/** The request listener over all routes. Every answer has a body: senders throw away what they get an empty error for. */
export function createApp({ emulator, onInternalError }: AppOptions): RequestListener {
  const bodies = new BodyReader(emulator.options.limits);
  const routes = [
    ...trackRoutes(emulator, bodies),
    ...otlpRoutes(emulator, bodies),
    ...queryRoutes(emulator, bodies),
    ...controlRoutes(emulator),
  ];
  return (request, response) => {
    void respond({ request, response, routes, onInternalError });
  };
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  routes: readonly Route[];
  onInternalError: (error: unknown) => void;
}

async function respond({ request, response, routes, onInternalError }: Exchange): Promise<void> {
  // A leading '//' would read as a host, and the official client does send one after the version only.
  const url = new URL(`http://emulator${request.url ?? '/'}`);
  const match = matchRoute(routes, request.method ?? 'GET', url.pathname);
  const family = 'route' in match ? match.route.family : match.family;
  try {
    if ('error' in match) throw match.error;
    const params = paramsOf(match.route.path, url.pathname);
    sendAnswer(request, response, await match.route.handle({ message: request, url, params }));
  } catch (error) {
    if (isAborted(request, error)) return;
    const known = knownError(error);
    if (known.code === 'INTERNAL') onInternalError(error);
    const answer = errorAnswer(known, family, request.headers['content-type']);
    sendAnswer(request, response, { ...answer, headers: retryAfter(known) });
  } finally {
    // What is left of a refused body is read and dropped, so that its sender gets to read the answer.
    request.resume();
  }
}

/** Values that are nested deeper than this program's stack are the sender's doing. */
function knownError(error: unknown): EmulatorError {
  if (error instanceof EmulatorError) return error;
  const deep = error instanceof RangeError && /call stack/i.test(error.message);
  return new EmulatorError(deep ? 'TOO_NESTED' : 'INTERNAL', undefined, { cause: error });
}

const isAborted = (request: IncomingMessage, error: unknown) =>
  request.destroyed &&
  !(error instanceof EmulatorError) &&
  (error as NodeJS.ErrnoException).code === 'ECONNRESET';

function retryAfter(error: EmulatorError): Record<string, string> {
  return error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) };
}

/** google.rpc codes for OTLP's Status message. */
const RPC_CODES: Readonly<Record<number, number>> = {
  400: 3,
  404: 5,
  413: 3,
  415: 3,
  429: 8,
  500: 13,
  503: 14,
};

function errorAnswer(error: EmulatorError, family: RouteFamily, contentType: string | undefined): Answer {
  const { status, message, code } = error;
  if (family === 'track') {
    const errors = [{ index: 0, statusCode: status, message }];
    return { status, body: { itemsReceived: 0, itemsAccepted: 0, errors } };
  }
  if (family === 'otlp') {
    const value = { code: RPC_CODES[status] ?? 2, message };
    const protobuf = contentType?.startsWith('application/x-protobuf') ?? false;
    return { status, body: protobuf ? encodeProtobuf('RpcStatus', value) : value };
  }
  if (family === 'query') return queryError(error);
  return { status, body: { error: { code, message } } };
}
