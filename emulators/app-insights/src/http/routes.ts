import type { IncomingMessage } from 'node:http';
import { EmulatorError } from '../errors.js';
import type { Answer } from './answer.js';

/** One request, with its path taken apart. */
export interface RouteRequest {
  message: IncomingMessage;
  url: URL;
  /** Named groups of the route's pattern, decoded. */
  params: Record<string, string>;
}

/** Routes of one family answer errors in the same shape. */
export type RouteFamily = 'track' | 'otlp' | 'query' | 'control';

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: RegExp;
  family: RouteFamily;
  handle: (request: RouteRequest) => Promise<Answer> | Answer;
}

export type RouteMatch = { route: Route } | { error: EmulatorError; family: RouteFamily };

/** Finds the route of a request; a known path with another method is 405, an unknown path 404. */
export function matchRoute(routes: readonly Route[], method: string, pathname: string): RouteMatch {
  const onPath = routes.filter((route) => route.path.test(pathname));
  const route = onPath.find((candidate) => candidate.method === (method === 'HEAD' ? 'GET' : method));
  if (route !== undefined) return { route };
  if (onPath.length > 0) {
    const allow = [...new Set(onPath.map((candidate) => candidate.method))].join(', ');
    const error = new EmulatorError(
      'METHOD_NOT_ALLOWED',
      `${method} ${pathname.slice(0, 200)}; allowed: ${allow}`,
    );
    return { error, family: (onPath[0] as Route).family };
  }
  const family = pathname.startsWith('/v2') ? 'track' : 'query';
  return { error: new EmulatorError('PATH_NOT_FOUND', pathname.slice(0, 200)), family };
}

/** Named groups of a route's pattern, decoded. */
export function paramsOf(pattern: RegExp, pathname: string): Record<string, string> {
  const groups = pattern.exec(pathname)?.groups ?? {};
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decode(value)]));
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch (cause) {
    throw new EmulatorError('BAD_ARGUMENT', `${value} is not URL-encoded text`, { cause });
  }
}
