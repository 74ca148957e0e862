/**
 * The calls for which k6 holds up a virtual user: requests, batches and pauses. Started before an earlier one has
 * ended, for example in `Promise.all`, they run one after the other, so the load is the one that k6 would make.
 */
export class BlockingCalls {
  #last: Promise<unknown> | undefined;

  run<T>(call: () => Promise<T>): Promise<T> {
    const started = this.#last === undefined ? call() : this.#last.then(call, call);
    this.#last = started;
    const ended = () => {
      if (this.#last === started) this.#last = undefined;
    };
    started.then(ended, ended);
    return started;
  }

  /** Forgets a call that will never end, because its iteration was interrupted. */
  reset(): void {
    this.#last = undefined;
  }
}
