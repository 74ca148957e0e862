import { DeadlineExceeded } from './backend-error.js';
import type { Ending } from './ending.js';

/**
 * Ends every call that has not ended within `limitMs`. All have the same time, so that they run out in the order in which
 * they began, and one timer serves them all.
 */
export class Deadlines {
  readonly #limitMs: number;
  readonly #expiryMs = new Map<Ending, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  add(ending: Ending): void {
    this.#expiryMs.set(ending, performance.now() + this.#limitMs);
    if (this.#timer === undefined) this.#wait(this.#limitMs);
  }

  delete(ending: Ending): void {
    // The timer is left as it is: to see that nothing is due costs less than setting it for every call.
    this.#expiryMs.delete(ending);
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => this.#expire(), ms);
    this.#timer.unref();
  }

  #expire(): void {
    this.#timer = undefined;
    const nowMs = performance.now();
    for (const [ending, expiryMs] of this.#expiryMs) {
      if (expiryMs > nowMs) {
        this.#wait(Math.ceil(expiryMs - nowMs));
        return;
      }
      this.#expiryMs.delete(ending);
      ending.end(new DeadlineExceeded('Deadline exceeded'));
    }
  }
}
