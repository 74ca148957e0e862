import type { ProcessSample } from './process-sampler.js';

/** CPU and event loop of one second. */
export type ProcessSecond = ProcessSample;

const EMPTY: ProcessSecond = {
  cpuMs: 0,
  periods: 0,
  throttledPeriods: 0,
  throttledMs: 0,
  eventLoopUtilization: 0,
  eventLoopDelayMaxMs: 0,
  residentBytes: 0,
};

/**
 * Turns samples taken at irregular times into whole seconds. CPU time between two samples is spread evenly over it, so
 * that a sample taken late (the thread was busy or stood still) does not shift CPU from one second to the next.
 * Counts belong to the second in which the interval between the samples began.
 */
export class ProcessSeconds {
  readonly #seconds = new Map<number, ProcessSecond>();
  #last: { atMs: number; sample: ProcessSample };

  constructor(atMs: number, sample: ProcessSample) {
    this.#last = { atMs, sample };
  }

  add(atMs: number, sample: ProcessSample): void {
    const { atMs: fromMs, sample: before } = this.#last;
    if (atMs <= fromMs) return;
    this.#last = { atMs, sample };
    const cpuPerMs = (sample.cpuMs - before.cpuMs) / (atMs - fromMs);
    for (let second = Math.floor(fromMs / 1_000); second * 1_000 < atMs; second += 1) {
      const overlapMs = Math.min(atMs, (second + 1) * 1_000) - Math.max(fromMs, second * 1_000);
      const entry = this.#entry(second);
      entry.cpuMs += cpuPerMs * overlapMs;
      entry.eventLoopUtilization += (sample.eventLoopUtilization * overlapMs) / 1_000;
      entry.eventLoopDelayMaxMs = Math.max(entry.eventLoopDelayMaxMs, sample.eventLoopDelayMaxMs);
      entry.residentBytes = sample.residentBytes;
    }
    const first = this.#entry(Math.floor(fromMs / 1_000));
    first.periods += sample.periods - before.periods;
    first.throttledPeriods += sample.throttledPeriods - before.throttledPeriods;
    first.throttledMs += sample.throttledMs - before.throttledMs;
  }

  /** Removes and returns a second; undefined when nothing is known of it. */
  take(second: number): ProcessSecond | undefined {
    const entry = this.#seconds.get(second);
    this.#seconds.delete(second);
    return entry && { ...entry, eventLoopUtilization: Math.min(1, entry.eventLoopUtilization) };
  }

  #entry(second: number): ProcessSecond {
    let entry = this.#seconds.get(second);
    if (!entry) {
      entry = { ...EMPTY };
      this.#seconds.set(second, entry);
    }
    return entry;
  }
}
