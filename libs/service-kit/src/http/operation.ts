import { trace } from '@opentelemetry/api';
import type { RequestHandler } from 'express';
import type { StatsRecorder } from '../stats/recorder.js';
import { currentRequest } from './request-context.js';

/**
 * Gives a request its operation name, for example `GET Deliveries/GetSummary`: statistics rows are kept under it, and a
 * telemetry SDK, when one is loaded, reports the request under it (a request's name is its method and `http.route`).
 */
export function operation(name: string, stats: StatsRecorder): RequestHandler {
  const route = name.slice(name.indexOf(' ') + 1);
  return (_req, res, next) => {
    const request = currentRequest();
    if (request === undefined) throw new Error('operation() must run inside enterRequest()');
    request.operation = name;
    trace.getActiveSpan()?.setAttribute('http.route', route).updateName(name);
    res.once('close', () => {
      stats.recordOperation({
        operation: name,
        durationMs: performance.now() - request.startedAtMs,
        failed: res.writableFinished && res.statusCode >= 500,
        cancelled: !res.writableFinished,
      });
    });
    next();
  };
}
