/** Events of a simulation by time, ties in the order in which they were scheduled. */
export class EventQueue {
  /** Milliseconds since the simulation's start. */
  nowMs = 0;
  private readonly heap: { atMs: number; sequence: number; run: () => void }[] = [];
  private sequence = 0;

  after(delayMs: number, run: () => void): void {
    const event = { atMs: this.nowMs + delayMs, sequence: this.sequence++, run };
    let at = this.heap.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isBefore(at, parent)) break;
      this.swap(at, parent);
      at = parent;
    }
  }

  /** Runs events until none is left or the next one lies after `untilMs`. */
  runUntil(untilMs: number): void {
    for (let next = this.pop(); next !== undefined; next = this.pop()) {
      if (next.atMs > untilMs) return;
      this.nowMs = next.atMs;
      next.run();
    }
  }

  private pop() {
    const first = this.heap[0];
    const last = this.heap.pop();
    if (first === undefined || last === undefined || this.heap.length === 0) return first;
    this.heap[0] = last;
    let at = 0;
    for (;;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.heap.length && this.isBefore(child, least)) least = child;
      }
      if (least === at) return first;
      this.swap(at, least);
      at = least;
    }
  }

  private isBefore(a: number, b: number): boolean {
    const [x, y] = [this.heap[a], this.heap[b]];
    if (x === undefined || y === undefined) return false;
    return x.atMs < y.atMs || (x.atMs === y.atMs && x.sequence < y.sequence);
  }

  private swap(a: number, b: number): void {
    const [x, y] = [this.heap[a], this.heap[b]];
    if (x === undefined || y === undefined) return;
    this.heap[a] = y;
    this.heap[b] = x;
  }
}
