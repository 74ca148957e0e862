/** What the running iteration of a virtual user waits for: pauses, requests, timers. */
export class Pending {
  readonly #cancels = new Set<() => void>();
  #whenEmpty: (() => void) | undefined;
  /** True once something has been waited for, so the event loop has had its turn. */
  waited = false;

  get size(): number {
    return this.#cancels.size;
  }

  /** Starts something and gives its result. Once {@link cancelAll} was called, the promise never settles. */
  add<T>(start: (settle: (value: T) => void) => () => void): Promise<T> {
    return new Promise((resolve) => {
      const entry = this.track(
        () => cancel(),
        () => {},
      );
      const cancel = start((value) => {
        if (entry.end()) resolve(value);
      });
    });
  }

  /** For things that end more than once or without a result; `end` tells whether it was still pending. */
  track(cancel: () => void, ended: () => void): { end: () => boolean } {
    this.#cancels.add(cancel);
    return {
      end: () => {
        if (!this.#cancels.delete(cancel)) return false;
        this.waited = true;
        ended();
        if (this.#cancels.size === 0) this.#whenEmpty?.();
        return true;
      },
    };
  }

  cancelAll(): void {
    const cancels = [...this.#cancels];
    this.#cancels.clear();
    for (const cancel of cancels) cancel();
  }

  empty(): Promise<void> {
    if (this.#cancels.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenEmpty = resolve;
    });
  }
}
