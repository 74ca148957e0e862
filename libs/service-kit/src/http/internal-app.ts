import { INTERNAL_ROUTES, type StatsResponse } from '@bottleneck-lab/contracts';
import express, { type Express } from 'express';
import { z } from 'zod';
import type { Health } from '../health.js';
import type { Logger } from '../logger.js';
import { CpuProfiler } from '../profile/cpu-profiler.js';
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

/** Longest CPU profile; a minute of samples is some ten megabytes of JSON. */
const LONGEST_PROFILE_SECONDS = 60;

const profileQuery = z.strictObject({
  seconds: z
    .string({ error: 'seconds is required' })
    .regex(/^\d{1,2}$/, `seconds must be a whole number from 1 to ${LONGEST_PROFILE_SECONDS}`)
    .transform(Number)
    .refine(
      (seconds) => seconds >= 1 && seconds <= LONGEST_PROFILE_SECONDS,
      `seconds must be a whole number from 1 to ${LONGEST_PROFILE_SECONDS}`,
    ),
});

/** The express application of the internal port: health, the measurement model's rows, and profiles where allowed. */
export function createInternalApp(options: {
  health: Health;
  stats: StatsRecorder;
  log: Logger;
  profiling: boolean;
}): Express {
  const { health, stats, log, profiling } = options;
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
  if (profiling) serveProfiles(app, log);
  app.use(notFound, errorHandler(log));
  return app;
}

function serveProfiles(app: Express, log: Logger): void {
  const profiler = new CpuProfiler();
  app.post(INTERNAL_ROUTES.profile, async (req, res) => {
    const { seconds } = parseQuery(req.url, profileQuery);
    const left = new AbortController();
    res.once('close', () => left.abort());
    log.info({ seconds }, 'taking a CPU profile');
    sendJson(res, await profiler.take(seconds, left.signal));
  });
  app.all(INTERNAL_ROUTES.profile, methodNotAllowed('POST'));
}
