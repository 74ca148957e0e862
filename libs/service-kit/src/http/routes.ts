import type { z } from 'zod';

/** A request as a route's handler sees it. */
export interface RouteRequest<Q> {
  query: Q;
  /** Aborted when the caller leaves before the answer. */
  signal: AbortSignal;
}

/** One public route: its query is validated, its handler's result is sent as JSON with status 200. */
export interface Route<Q = unknown> {
  method: 'GET';
  path: string;
  /** Operation name in statistics and telemetry. */
  operation: string;
  query: z.ZodObject & z.ZodType<Q>;
  handle(request: RouteRequest<Q>): unknown;
}

/** Keeps the query's type inside the route, so that routes of different types fit into one list. */
export function route<Q>(definition: Route<Q>): Route {
  return definition as Route;
}
