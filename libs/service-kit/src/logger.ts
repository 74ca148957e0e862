import { type Logger as PinoLogger, pino } from 'pino';
import { currentRequest } from './http/request-context.js';
import { traceIdOf } from './http/trace-context.js';

export type Logger = PinoLogger;

/** JSON lines on stdout; a line written while a request is handled carries its request id and trace id. */
export function createLogger(options: { level: string; role: string; instance: string }): Logger {
  return pino({
    level: options.level,
    base: { role: options.role, instance: options.instance, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin() {
      const request = currentRequest();
      if (request === undefined) return {};
      const traceId = traceIdOf(request.trace);
      return traceId === undefined
        ? { requestId: request.requestId }
        : { requestId: request.requestId, traceId };
    },
  });
}
