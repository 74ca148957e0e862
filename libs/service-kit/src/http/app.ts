import express, { type Express, type RequestHandler } from 'express';
import type { CpuControl } from '../cpu/cpu-control.js';
import type { Health } from '../health.js';
import type { Logger } from '../logger.js';
import type { StatsRecorder } from '../stats/recorder.js';
import { errorHandler, methodNotAllowed, notFound, sendJson } from './answers.js';
import { jsonBody } from './body.js';
import { healthRoutes } from './health-routes.js';
import { operation } from './operation.js';
import { parseQuery } from './query.js';
import { currentRequest, enterRequest } from './request-context.js';
import type { Route } from './routes.js';

export interface AppOptions {
  routes: readonly Route[];
  health: Health;
  stats: StatsRecorder;
  cpu: CpuControl;
  log: Logger;
  bodyLimitBytes: number;
}

/** The express application of a public port: routes, health, and the errors every service answers alike. */
export function createApp(options: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  const body = jsonBody(options.bodyLimitBytes);
  app.use(enterRequest);
  for (const route of options.routes) {
    app.get(route.path, body, operation(route.operation, options.stats), admit(options.cpu), answer(route));
    app.all(route.path, body, methodNotAllowed('GET, HEAD'));
  }
  app.use(healthRoutes(options.health), body, notFound, errorHandler(options.log));
  return app;
}

function admit(cpu: CpuControl): RequestHandler {
  return (_req, res, next) => {
    res.once('close', cpu.settle);
    cpu.admit(next);
  };
}

function answer(route: Route): RequestHandler {
  return async (req, res) => {
    const query = parseQuery(req.url, route.query);
    const signal = currentRequest()?.signal ?? new AbortController().signal;
    sendJson(res, await route.handle({ query, signal }));
  };
}
