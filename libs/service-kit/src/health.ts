/** One named condition of readiness. */
export interface ReadinessCheck {
  pass(): void;
  fail(reason: string): void;
}

export interface HealthReport {
  status: 'ready' | 'not ready';
  checks: { name: string; ready: boolean; reason: string }[];
}

/** A service is ready when all its conditions hold. Being alive needs no condition: an answer proves it. */
export class Health {
  readonly #checks = new Map<string, { ready: boolean; reason: string }>();

  /** A new condition that does not hold until `pass()` is called. */
  check(name: string, reason = 'starting'): ReadinessCheck {
    if (this.#checks.has(name)) throw new Error(`Readiness check ${name} is registered twice`);
    const state = { ready: false, reason };
    this.#checks.set(name, state);
    return {
      pass() {
        state.ready = true;
        state.reason = '';
      },
      fail(why) {
        state.ready = false;
        state.reason = why;
      },
    };
  }

  report(): HealthReport {
    const checks = [...this.#checks].map(([name, { ready, reason }]) => ({ name, ready, reason }));
    return { status: checks.every((check) => check.ready) ? 'ready' : 'not ready', checks };
  }
}
