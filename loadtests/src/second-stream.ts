import type { LoadSecond } from './load-second.js';

/** Seconds as they come; each reader gets those that have not been read yet. */
export class SecondStream implements AsyncIterable<LoadSecond> {
  readonly #waiting: LoadSecond[] = [];
  #wake: (() => void)[] = [];
  #ended = false;

  push(second: LoadSecond): void {
    this.#waiting.push(second);
    this.#notify();
  }

  end(): void {
    this.#ended = true;
    this.#notify();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LoadSecond> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else if (this.#ended) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake.push(resolve);
        });
      }
    }
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
