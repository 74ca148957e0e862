import type { Timer } from '../clock.js';
import type { ActiveVu, ExecutorContext } from './executor.js';

/**
 * One virtual user of a looping executor. Started, it iterates until it is soft-stopped: then the running iteration
 * may finish until the deadline, after which it is interrupted. Started again in between, it just goes on.
 */
export class VuLoop {
  readonly #context: ExecutorContext;
  /** Asked before each iteration; false ends the loop. */
  readonly #takeTurn: () => boolean;
  #wanted = false;
  #vu: ActiveVu | undefined;
  #running: Promise<void> | undefined;
  #deadline: Timer | undefined;

  constructor(context: ExecutorContext, takeTurn: () => boolean = () => true) {
    this.#context = context;
    this.#takeTurn = takeTurn;
  }

  start(): void {
    this.#wanted = true;
    this.#deadline?.cancel();
    this.#running ??= this.#iterate();
  }

  /** No new iteration; the running one is interrupted when it is still there after `graceMs`. */
  softStop(graceMs: number): void {
    if (!this.#wanted) return;
    this.#wanted = false;
    if (this.#running === undefined) return;
    if (graceMs <= 0) this.#vu?.interrupt();
    else this.#deadline = this.#context.clock.after(graceMs, () => this.#vu?.interrupt());
  }

  hardStop(): void {
    this.#wanted = false;
    this.#deadline?.cancel();
    this.#vu?.interrupt();
  }

  /** Resolves when no iteration runs any more. */
  async finished(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #iterate(): Promise<void> {
    // Lets start() remember the promise first, so that a loop without a turn does not end before it has begun.
    await undefined;
    const vu = this.#context.acquire();
    this.#vu = vu;
    while (this.#wanted && this.#takeTurn()) await vu.iterate();
    this.#deadline?.cancel();
    this.#vu = undefined;
    this.#running = undefined;
    vu.release();
  }
}
