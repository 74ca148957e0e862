import type { Clock, Timer } from '../../../loadtests/src/engine/clock.js';

interface Entry {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that jumps from timer to timer as fast as the code between them runs. */
export class VirtualClock implements Clock {
  readonly #timers = new Set<Entry>();
  #nowMs: number;
  #order = 0;

  constructor(startMs = 1_700_000_000_000) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  after(delayMs: number, callback: () => void): Timer {
    const entry = { dueMs: this.#nowMs + Math.max(0, delayMs), order: this.#order++, callback };
    this.#timers.add(entry);
    return { cancel: () => void this.#timers.delete(entry) };
  }

  yield(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  /** Lets time pass until the promise settles. */
  async runUntil<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const done = promise.finally(() => {
      settled = true;
    });
    for (;;) {
      // Promise jobs and yielded code first: virtual time stands still while something can still run.
      for (let i = 0; i < 3; i++) await this.yield();
      if (settled) return done;
      const next = [...this.#timers].sort((a, b) => a.dueMs - b.dueMs || a.order - b.order)[0];
      if (next === undefined) throw new Error('nothing is due, yet the promise has not settled');
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.callback();
    }
  }
}
