import { EARLY_TOLERANCE_MS } from '../clock.js';
import type { ActiveVu, ExecutorContext } from './executor.js';

interface OpenModel {
  readonly preAllocatedVUs: number;
  readonly maxVUs: number;
  readonly durationMs: number;
  readonly gracefulStopMs: number;
}

/**
 * Starts an iteration at each arrival on a user that is free. Arrivals follow the plan alone and never wait for an
 * answer, so a slow target cannot thin out the load that measures it (no coordinated omission). An arrival
 * without a free user is dropped and counted; while `maxVUs` allows it, one more user is made for the next ones.
 */
export async function runArrivals(
  arrivals: Iterator<number>,
  model: OpenModel,
  context: ExecutorContext,
): Promise<void> {
  const pool = new ArrivalPool(model, context);
  await new Promise<void>((resolve) => {
    let stopped = false;
    let upcoming = arrivals.next();
    const stop = () => {
      stopped = true;
      resolve();
    };
    const turn = () => {
      if (stopped) return;
      const elapsedMs = context.clock.now() - context.startedAtMs;
      // Everything due by now starts now: a late timer delays arrivals, it never loses them.
      while (!upcoming.done && upcoming.value <= elapsedMs + EARLY_TOLERANCE_MS) {
        if (elapsedMs > upcoming.value) context.late(elapsedMs - upcoming.value);
        pool.arrive();
        upcoming = arrivals.next();
      }
      if (upcoming.done && elapsedMs + EARLY_TOLERANCE_MS >= model.durationMs) return stop();
      const nextMs = upcoming.done ? model.durationMs : upcoming.value;
      context.clock.after(context.startedAtMs + nextMs - context.clock.now(), turn);
    };
    context.onAbort(() => {
      pool.interrupt();
      stop();
    });
    turn();
  });
  await pool.drain(model.gracefulStopMs);
}

class ArrivalPool {
  readonly #context: ExecutorContext;
  readonly #maxVUs: number;
  readonly #idle: ActiveVu[] = [];
  readonly #busy = new Set<ActiveVu>();
  #made: number;
  #making: Promise<void> | undefined;
  #drained: (() => void) | undefined;
  #closed = false;

  constructor({ preAllocatedVUs, maxVUs }: OpenModel, context: ExecutorContext) {
    this.#context = context;
    this.#maxVUs = maxVUs;
    this.#made = preAllocatedVUs;
    for (let i = 0; i < preAllocatedVUs; i++) this.#idle.push(context.acquire());
    // The one that came first is used first.
    this.#idle.reverse();
  }

  arrive(): void {
    const vu = this.#idle.pop();
    if (vu !== undefined) {
      this.#iterate(vu);
      return;
    }
    this.#context.drop(1);
    if (this.#made < this.#maxVUs && this.#making === undefined) this.#makeOne();
  }

  interrupt(): void {
    this.#closed = true;
    for (const vu of this.#busy) vu.interrupt();
  }

  /** Waits for running iterations, interrupts those left after the graceful stop, gives all users back. */
  async drain(gracefulStopMs: number): Promise<void> {
    this.#closed = true;
    const deadline = this.#context.clock.after(gracefulStopMs, () => this.interrupt());
    await this.#making;
    if (this.#busy.size > 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
    deadline.cancel();
    for (const vu of this.#idle.splice(0)) vu.release();
  }

  #iterate(vu: ActiveVu): void {
    this.#busy.add(vu);
    void vu.iterate().then(() => {
      this.#busy.delete(vu);
      this.#idle.push(vu);
      if (this.#closed && this.#busy.size === 0) this.#drained?.();
    });
  }

  #makeOne(): void {
    this.#made += 1;
    this.#making = this.#context.acquireUnplanned().then((vu) => {
      this.#making = undefined;
      this.#idle.push(vu);
    });
  }
}
