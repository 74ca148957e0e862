import { setTimeout as delay } from 'node:timers/promises';
import { INTERNAL_ROUTES } from '@bottleneck-lab/contracts';
import { StackError } from '../stack/errors.js';
import { HttpStatusError, requestJson } from './http-json.js';
import { type ManagedProcess, ProcessEndedError } from './managed-process.js';

const POLL_MS = 50;

/**
 * Waits until a service answers its readiness route with 200. Fails at once when the process ends, and with the
 * service's own reason when the time is up.
 */
export async function waitUntilReady(options: {
  process: ManagedProcess;
  internalUrl: string;
  timeoutMs: number;
}): Promise<void> {
  const { process, internalUrl, timeoutMs } = options;
  const deadline = performance.now() + timeoutMs;
  let reason = 'it did not answer';
  let ended: ProcessEndedError | null = null;
  void process.exited.then((exit) => {
    ended = new ProcessEndedError(process.instance, exit);
  });

  while (performance.now() < deadline) {
    try {
      await requestJson(internalUrl + INTERNAL_ROUTES.ready, { timeoutMs: 2_000 });
      return;
    } catch (error) {
      reason = error instanceof HttpStatusError ? error.body : String((error as Error).message);
    }
    if (ended !== null) throw ended;
    await delay(POLL_MS);
  }
  throw new StackError(
    'NOT_READY',
    `${process.instance} was not ready after ${timeoutMs / 1000} s: ${reason}`,
    { lastLines: process.lastLines() },
  );
}
