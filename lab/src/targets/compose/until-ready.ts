import { setTimeout as delay } from 'node:timers/promises';
import { INTERNAL_ROUTES } from '@bottleneck-lab/contracts';
import { StackError } from '../../stack/errors.js';
import { HttpStatusError, requestJson } from '../../supervisor/http-json.js';
import type { ComposeProject } from './compose-project.js';
import { containersOf, INTERNAL_PORT, urlOf } from './running-service.js';

const READY_MS = 90_000;
const POLL_MS = 250;

/** Waits until every container of a service answers its readiness route with 200; fails with the service's own reason. */
export async function untilReady(
  project: ComposeProject,
  service: string,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + READY_MS;
  let reason = 'it did not answer';
  while (performance.now() < deadline) {
    signal?.throwIfAborted();
    const urls = (await containersOf(project, service)).map((one) => urlOf(one, INTERNAL_PORT));
    try {
      await Promise.all(urls.map((url) => requestJson(url + INTERNAL_ROUTES.ready, { timeoutMs: 2_000 })));
      return;
    } catch (error) {
      reason = error instanceof HttpStatusError ? error.body : (error as Error).message;
    }
    await delay(POLL_MS);
  }
  throw new StackError('NOT_READY', `${service} was not ready after ${READY_MS / 1000} s: ${reason}`);
}

/** Waits until a container that has to end has ended well. */
export async function untilEnded(
  project: ComposeProject,
  service: string,
  signal?: AbortSignal,
): Promise<string[]> {
  const deadline = performance.now() + READY_MS;
  while (performance.now() < deadline) {
    signal?.throwIfAborted();
    const found = (await project.containers()).find((one) => one.service === service);
    if (found !== undefined && !found.running) {
      const lastLines = await project.lastLines(found.id);
      if (found.exitCode === 0) return lastLines;
      throw new StackError('SEED_FAILED', `${service} ended with exit code ${found.exitCode}`, { lastLines });
    }
    await delay(POLL_MS);
  }
  throw new StackError('NOT_READY', `${service} had not ended after ${READY_MS / 1000} s`);
}
