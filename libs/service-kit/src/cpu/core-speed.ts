import { referenceWork } from './reference-work.js';

/** Often enough for the changes of a second, seldom enough to cost less than 1 % of a core. */
const SAMPLE_EVERY_MS = 20;
/** Weight of one sample in the mean; about the last ten count. */
const WEIGHT = 0.1;
/** A core's other thread makes work take up to twice as long. What took longer was not running all the time. */
const LONGEST = 2;

export interface CoreSpeedClock {
  /** Monotonic milliseconds. */
  nowMs(): number;
  work(): void;
}

const results = new Float64Array(1);

const systemClock: CoreSpeedClock = {
  nowMs: () => performance.now(),
  work() {
    // Kept, so that V8 can't leave the work out.
    results[0] = referenceWork();
  },
};

/**
 * How fast this thread's core is at the moment: while the core's other hardware thread is busy, with this machine's work
 * or a neighbour's, the same computation takes up to 1.7 times the CPU time. Measured by timing a fixed piece of work.
 */
export class CoreSpeed {
  readonly #clock: CoreSpeedClock;
  #sampledAtMs = Number.NEGATIVE_INFINITY;
  #fastestMs = Number.POSITIVE_INFINITY;
  #meanMs = 0;

  constructor(clock: CoreSpeedClock = systemClock) {
    this.#clock = clock;
  }

  /** Speed now over the best speed seen: more than 0, at most 1. */
  get factor(): number {
    return this.#meanMs === 0 ? 1 : Math.min(1, this.#fastestMs / this.#meanMs);
  }

  /** Call it often; it measures at most every 20 ms, for about 0.1 ms. */
  sample(): void {
    const startMs = this.#clock.nowMs();
    if (startMs - this.#sampledAtMs < SAMPLE_EVERY_MS) return;
    this.#clock.work();
    const endMs = this.#clock.nowMs();
    this.#sampledAtMs = endMs;
    this.#fastestMs = Math.min(this.#fastestMs, endMs - startMs);
    const sampleMs = Math.min(endMs - startMs, LONGEST * this.#fastestMs);
    this.#meanMs = this.#meanMs === 0 ? sampleMs : this.#meanMs + WEIGHT * (sampleMs - this.#meanMs);
    // What was slow only because V8 had not compiled the work yet would be remembered for long.
    this.#meanMs = Math.min(this.#meanMs, LONGEST * this.#fastestMs);
  }
}
