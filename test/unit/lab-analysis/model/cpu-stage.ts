import type { EventQueue } from './event-queue.js';

const PERIOD_MS = 100;

export interface CpuSecond {
  cpuMs: number;
  throttledPeriods: number;
  throttledMs: number;
}

/** One thread that works off jobs in order, under a CPU quota per 100 ms period when there is a limit. */
export class CpuStage {
  readonly seconds = new Map<number, CpuSecond>();
  private readonly queue: EventQueue;
  private readonly costMs: () => number;
  private readonly limitCores: number | null;
  private readonly waiting: (() => void)[] = [];
  private busy = false;
  private period = 0;
  private left: number;

  constructor(options: { queue: EventQueue; costMs: () => number; limitCores: number | null }) {
    this.queue = options.queue;
    this.costMs = options.costMs;
    this.limitCores = options.limitCores;
    this.left = this.budget();
  }

  run(done: () => void): void {
    this.waiting.push(done);
    this.next();
  }

  private next(): void {
    if (this.busy) return;
    const done = this.waiting.shift();
    if (done === undefined) return;
    this.busy = true;
    const pauseMs = this.pauseMs();
    const costMs = this.costMs();
    this.left -= costMs;
    this.queue.after(pauseMs + costMs, () => {
      this.secondAt(this.queue.nowMs).cpuMs += costMs;
      this.busy = false;
      done();
      this.next();
    });
  }

  private pauseMs(): number {
    if (this.limitCores === null) return 0;
    const now = this.queue.nowMs;
    const period = Math.floor(now / PERIOD_MS);
    if (period > this.period) {
      this.left = Math.min(this.budget(), this.left + (period - this.period) * this.budget());
      this.period = period;
    }
    let pausedUntil = now;
    while (this.left <= 0) {
      const end = (this.period + 1) * PERIOD_MS;
      const second = this.secondAt(pausedUntil);
      second.throttledPeriods += 1;
      second.throttledMs += end - pausedUntil;
      pausedUntil = end;
      this.period += 1;
      this.left += this.budget();
    }
    return pausedUntil - now;
  }

  private budget(): number {
    return (this.limitCores ?? Number.POSITIVE_INFINITY) * PERIOD_MS;
  }

  private secondAt(ms: number): CpuSecond {
    const second = Math.floor(ms / 1000);
    const known = this.seconds.get(second);
    if (known !== undefined) return known;
    const fresh = { cpuMs: 0, throttledPeriods: 0, throttledMs: 0 };
    this.seconds.set(second, fresh);
    return fresh;
  }
}
