/** What the running iteration of a virtual user waits for: pauses, requests, timers. */
export class Pending {
  readonly #cancels = new Set<() => void>();
  #whenEmpty: (() => void) | undefined;
  #open = false;

  get size(): number {
    return this.#cancels.size;
  }

  /** Begins an iteration. */
  open(): void {
    this.#open = true;
  }

  /** Ends it: what is still pending is cancelled, and what remains of its code can start nothing any more. */
  close(): void {
    this.#open = false;
    const cancels = [...this.#cancels];
    this.#cancels.clear();
    for (const cancel of cancels) cancel();
  }

  /** Starts something and gives its result. The promise never settles once the iteration has been closed. */
  add<T>(start: (settle: (value: T) => void) => () => void): Promise<T> {
    return new Promise((resolve) => {
      if (!this.#open) return;
      const entry = this.track(() => cancel());
      const cancel = start((value) => {
        if (entry.end()) resolve(value);
      });
    });
  }

  /** For things without a result; `end` tells whether it was still pending. */
  track(cancel: () => void): { end: () => boolean } {
    if (this.#open) this.#cancels.add(cancel);
    else cancel();
    return {
      end: () => {
        if (!this.#cancels.delete(cancel)) return false;
        if (this.#cancels.size === 0) this.#whenEmpty?.();
        return true;
      },
    };
  }

  empty(): Promise<void> {
    if (this.#cancels.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenEmpty = resolve;
    });
  }
}
