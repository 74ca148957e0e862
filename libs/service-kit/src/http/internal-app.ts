import { INTERNAL_ROUTES, type StatsResponse } from '@bottleneck-lab/contracts';
import express, { type Express } from 'express';
import { z } from 'zod';
import type { Health } from '../health.js';
import type { Logger } from '../logger.js';
import type { StatsRecorder } from '../stats/recorder.js';
import { errorHandler, methodNotAllowed, notFound, sendJson } from './answers.js';
import { healthRoutes } from './health-routes.js';
import { parseQuery } from './query.js';
import { enterRequest } from './request-context.js';

const statsQuery = z.strictObject({
  since: z
    .string()
    .regex(/^\d{1,12}$/, 'since must be a Unix time in whole seconds')
    .transform(Number)
    .default(0),
});

/** The express application of the internal port: health, and the measurement model's rows. */
export function createInternalApp(options: { health: Health; stats: StatsRecorder; log: Logger }): Express {
  const { health, stats, log } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use(enterRequest);
  app.use(healthRoutes(health));
  app.get(INTERNAL_ROUTES.stats, (req, res) => {
    const { since } = parseQuery(req.url, statsQuery);
    sendJson(res, stats.read(since) satisfies StatsResponse);
  });
  app.all(INTERNAL_ROUTES.stats, methodNotAllowed('GET, HEAD'));
  app.use(notFound, errorHandler(log));
  return app;
}
