import { Session } from 'node:inspector';
import { setTimeout as delay } from 'node:timers/promises';
import { ERRORS, ServiceError } from '../errors.js';

/** What V8's profiler returns: the content of a `.cpuprofile` file. */
export type CpuProfile = Record<string, unknown>;

/**
 * Takes a CPU profile of this process through V8's inspector protocol inside it: no debugging port is opened, and
 * nothing can be set or run from outside. Costs a sample per millisecond while it lasts.
 */
export class CpuProfiler {
  #running = false;

  /** @throws {ServiceError} PROFILE_RUNNING: the profiler belongs to the whole process, so there is one at a time */
  async take(seconds: number, signal: AbortSignal): Promise<CpuProfile> {
    if (this.#running) {
      throw new ServiceError(ERRORS.PROFILE_RUNNING, { detail: 'wait for the profile that is being taken' });
    }
    this.#running = true;
    const session = new Session();
    session.connect();
    try {
      await call(session, 'Profiler.enable');
      await call(session, 'Profiler.start');
      // A caller that left needs no profile any more.
      await delay(seconds * 1_000, undefined, { signal }).catch(() => {});
      const { profile } = await call<{ profile: CpuProfile }>(session, 'Profiler.stop');
      return profile;
    } finally {
      session.disconnect();
      this.#running = false;
    }
  }
}

function call<Result>(session: Session, method: string): Promise<Result> {
  return new Promise((resolve, reject) => {
    session.post(method, (error, result) => {
      if (error) reject(error);
      else resolve(result as Result);
    });
  });
}
