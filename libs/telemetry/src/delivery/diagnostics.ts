import { type DiagLogger, DiagLogLevel, diag } from '@opentelemetry/api';
import { countLost, deliveryCounts } from './delivery-counts.js';

const REPORT_INTERVAL_MS = 60_000;

/** How a batch processor says that its queue was full. */
const DROPPED = /Dropped (\d+) (?:spans|log records|logs)/i;

/**
 * Takes the SDK's own messages: counts what queues dropped, and reports losses at most once a minute, as a receiver that is away would
 * otherwise fill the log of every service.
 */
export function watchDiagnostics(write: (line: string) => void, now: () => number = Date.now): void {
  let reported = { lost: 0, atMs: Number.NEGATIVE_INFINITY };
  const report = () => {
    const { lost, lastReason } = deliveryCounts();
    if (lost === reported.lost || now() - reported.atMs < REPORT_INTERVAL_MS) return;
    write(`telemetry: ${lost} items lost so far; the last because: ${lastReason}`);
    reported = { lost, atMs: now() };
  };
  const watch = (message: string) => {
    const dropped = DROPPED.exec(message)?.[1];
    if (dropped !== undefined) countLost(Number(dropped), 'the queue was full');
    report();
  };
  const ignore = () => {};
  const logger: DiagLogger = { error: watch, warn: watch, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
