import { INTERNAL_ROUTES } from '@bottleneck-lab/contracts';
import { Router } from 'express';
import type { Health } from '../health.js';
import { methodNotAllowed, sendJson } from './answers.js';

/** Liveness and readiness, the same on both ports. */
export function healthRoutes(health: Health): Router {
  const router = Router({ caseSensitive: true });
  router.get(INTERNAL_ROUTES.live, (_req, res) => sendJson(res, { status: 'live' }));
  router.get(INTERNAL_ROUTES.ready, (_req, res) => {
    const report = health.report();
    sendJson(res, report, report.status === 'ready' ? 200 : 503);
  });
  router.all([INTERNAL_ROUTES.live, INTERNAL_ROUTES.ready], methodNotAllowed('GET, HEAD'));
  return router;
}
