import type { Emulator } from '../emulator.js';
import { EmulatorError } from '../errors.js';
import type { BodyReader } from './body.js';
import type { Route, RouteRequest } from './routes.js';

const APP = /^\/v1\/apps\/(?<id>[^/]+)\/query$/;

/** The official client asks a workspace by its id, or a resource by its Azure path (with two slashes after the version). */
const POST_PATHS = [
  APP,
  /^\/v1\/workspaces\/(?<id>[^/]+)\/query$/,
  /^\/v1\/\/?subscriptions\/.+\/components\/(?<id>[^/]+)\/query$/i,
];

export function queryRoutes(emulator: Emulator, bodies: BodyReader): Route[] {
  const { queries } = emulator;
  const posts: Route[] = POST_PATHS.map((path) => ({
    method: 'POST',
    path,
    family: 'query',
    handle: ({ message, params }) =>
      bodies.with(message, (body) => {
        const { query, timespan } = parseObject(body);
        return queries.answer({ applicationId: params.id ?? '', query, timespan, prefer: prefer(message) });
      }),
  }));
  return [
    ...posts,
    {
      method: 'GET',
      path: APP,
      family: 'query',
      handle: ({ message, params, url }) =>
        queries.answer({
          applicationId: params.id ?? '',
          query: url.searchParams.get('query') ?? undefined,
          timespan: url.searchParams.get('timespan') ?? undefined,
          prefer: prefer(message),
        }),
    },
    {
      method: 'POST',
      path: /^\/v1\/\$batch$/,
      family: 'query',
      handle: ({ message }) =>
        bodies.with(message, (body) => queries.batch(parseObject(body).requests, prefer(message))),
    },
  ];
}

function prefer(message: RouteRequest['message']): string | undefined {
  const header = message.headers.prefer;
  return Array.isArray(header) ? header.join(',') : header;
}

function parseObject(body: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new EmulatorError('BAD_ARGUMENT', `the body is not JSON: ${(cause as Error).message}`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new EmulatorError('BAD_ARGUMENT', 'the body must be an object with "query"');
  }
  return value as Record<string, unknown>;
}
