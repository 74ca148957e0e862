import type { ThrottlingCounters } from './cgroup.js';

/** Length of one enforcement period; the kernel's default for CFS bandwidth control (sched-bwc documentation). */
const PERIOD_MS = 100;
/** Reading the process's CPU time is a system call, so that a checkpoint does it at most this often. */
const MEASURE_EVERY_MS = 0.25;

export interface QuotaClock {
  /** Monotonic milliseconds. */
  nowMs(): number;
  /** CPU milliseconds this process has used, all threads, as the limit counts them. */
  cpuMs(): number;
  /** Stops the calling thread. */
  sleep(ms: number): void;
}

const sleepCell = new Int32Array(new SharedArrayBuffer(4));

/** The system's clocks, with CPU time as `cpuMs` counts it. */
export function quotaClock(cpuMs: () => number): QuotaClock {
  return {
    nowMs: () => performance.now(),
    cpuMs,
    sleep(ms) {
      Atomics.wait(sleepCell, 0, 0, ms);
    },
  };
}

/**
 * A CPU limit for a process that no container limits, with the effect of the kernel's CFS bandwidth control: each period
 * of 100 ms has a budget of `cores` × 100 ms of CPU time; once it is used up the thread stands still until the period
 * ends. What was used beyond the budget is a debt of the next periods; what was left over is not saved.
 */
export class CpuQuota {
  readonly #clock: QuotaClock;
  #budgetMs: number;
  readonly #counters: ThrottlingCounters = { periods: 0, throttledPeriods: 0, throttledMs: 0 };
  #periodEndMs: number;
  /** CPU time at which the current period's budget began to be used; earlier by the debt carried into it. */
  #baselineCpuMs: number;
  #measuredAtMs = Number.NEGATIVE_INFINITY;

  /** @param cores more than 0 */
  constructor(cores: number, clock: QuotaClock) {
    this.#clock = clock;
    this.#budgetMs = cores * PERIOD_MS;
    this.#periodEndMs = clock.nowMs() + PERIOD_MS;
    this.#baselineCpuMs = clock.cpuMs();
  }

  /**
   * Stands still while the budget is used up. Cheap enough for inner loops (a clock read; CPU time every 0.25 ms).
   * @returns whether it stood still; then let the event loop turn before going on with other work
   */
  checkpoint(): boolean {
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#measuredAtMs < MEASURE_EVERY_MS) return false;
    return this.#enforce(nowMs);
  }

  /** From the next check on; a debt is kept. */
  setLimit(cores: number): void {
    this.#budgetMs = cores * PERIOD_MS;
  }

  /** Counters up to now. */
  read(): ThrottlingCounters {
    this.#closePeriods(this.#clock.nowMs(), this.#clock.cpuMs());
    return { ...this.#counters };
  }

  #enforce(startMs: number): boolean {
    let nowMs = startMs;
    let slept = false;
    for (;;) {
      const cpuMs = this.#clock.cpuMs();
      this.#measuredAtMs = nowMs;
      this.#closePeriods(nowMs, cpuMs);
      if (cpuMs - this.#baselineCpuMs < this.#budgetMs) return slept;
      this.#clock.sleep(this.#periodEndMs - nowMs);
      const wokeMs = this.#clock.nowMs();
      slept = true;
      this.#counters.throttledPeriods += 1;
      this.#counters.throttledMs += wokeMs - nowMs;
      nowMs = wokeMs;
    }
  }

  #closePeriods(nowMs: number, cpuMs: number): void {
    if (nowMs < this.#periodEndMs) return;
    const ended = 1 + Math.floor((nowMs - this.#periodEndMs) / PERIOD_MS);
    const usedMs = cpuMs - this.#baselineCpuMs;
    const debtMs = Math.max(0, usedMs - ended * this.#budgetMs);
    this.#baselineCpuMs = cpuMs - debtMs;
    this.#periodEndMs += ended * PERIOD_MS;
    this.#counters.periods += ended;
  }
}
