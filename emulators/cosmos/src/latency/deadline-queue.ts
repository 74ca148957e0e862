interface Waiting {
  /** On the `performance.now()` scale. */
  deadlineMs: number;
  order: number;
  run: () => void;
}

/**
 * Runs callbacks at deadlines with a single timer. `setTimeout` has a resolution of one millisecond and is late by
 * up to one: a callback counts as due from half a millisecond before its deadline, so that early and late ones cancel
 * out and the mean latency is the modelled one.
 */
const EARLY_MS = 0.5;

export class DeadlineQueue {
  readonly #heap: Waiting[] = [];
  #order = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerDeadlineMs = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#heap.length;
  }

  at(deadlineMs: number, run: () => void): void {
    this.#push({ deadlineMs, order: this.#order++, run });
    if (deadlineMs < this.#timerDeadlineMs) this.#arm();
  }

  /** Runs everything that still waits, at once: nothing is lost when the server stops. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#timerDeadlineMs = Number.POSITIVE_INFINITY;
    for (let next = this.#pop(); next !== undefined; next = this.#pop()) next.run();
  }

  #arm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#timerDeadlineMs = Number.POSITIVE_INFINITY;
    const [first] = this.#heap;
    if (first === undefined) return;
    this.#timerDeadlineMs = first.deadlineMs;
    const delayMs = Math.max(1, Math.floor(first.deadlineMs - performance.now()));
    this.#timer = setTimeout(this.#due, delayMs);
  }

  #due = (): void => {
    this.#timer = undefined;
    this.#timerDeadlineMs = Number.POSITIVE_INFINITY;
    const limit = performance.now() + EARLY_MS;
    for (let [first] = this.#heap; first !== undefined && first.deadlineMs <= limit; [first] = this.#heap) {
      this.#pop();
      first.run();
    }
    this.#arm();
  };

  #push(entry: Waiting): void {
    const heap = this.#heap;
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent] as Waiting;
      if (!isBefore(entry, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = entry;
  }

  #pop(): Waiting | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      const right = heap[child + 1];
      if (right !== undefined && isBefore(right, heap[child] as Waiting)) child++;
      const below = heap[child] as Waiting;
      if (!isBefore(below, last)) break;
      heap[index] = below;
      index = child;
    }
    heap[index] = last;
    return first;
  }
}

function isBefore(a: Waiting, b: Waiting): boolean {
  return a.deadlineMs < b.deadlineMs || (a.deadlineMs === b.deadlineMs && a.order < b.order);
}
