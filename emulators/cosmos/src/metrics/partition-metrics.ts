/** Seconds kept; at least the 300 that a reader may be late. */
export const METRICS_SECONDS = 320;

const EMPTY = -1;

export interface PartitionSecond {
  /** Unix time in whole seconds. */
  second: number;
  /** Data-plane requests admitted. */
  requests: number;
  /** Requests refused with 429. */
  throttled: number;
  requestUnits: number;
  provisionedRuPerSecond: number;
}

/** What one physical partition did in each of the last seconds. Slots are reused when time reaches them: no timer. */
export class PartitionMetrics {
  readonly #seconds = new Float64Array(METRICS_SECONDS).fill(EMPTY);
  readonly #requests = new Float64Array(METRICS_SECONDS);
  readonly #throttled = new Float64Array(METRICS_SECONDS);
  readonly #requestUnits = new Float64Array(METRICS_SECONDS);
  readonly #provisioned = new Float64Array(METRICS_SECONDS);

  admitted(nowMs: number, requestUnits: number, provisionedRuPerSecond: number): void {
    const slot = this.#slot(nowMs, provisionedRuPerSecond);
    this.#requests[slot] = (this.#requests[slot] as number) + 1;
    this.#requestUnits[slot] = (this.#requestUnits[slot] as number) + requestUnits;
  }

  refused(nowMs: number, provisionedRuPerSecond: number): void {
    const slot = this.#slot(nowMs, provisionedRuPerSecond);
    this.#throttled[slot] = (this.#throttled[slot] as number) + 1;
  }

  /** Seconds in which something happened, after `since` and before `until`, oldest first. */
  read(since: number, until: number): PartitionSecond[] {
    const rows: PartitionSecond[] = [];
    for (let second = Math.max(since + 1, until - METRICS_SECONDS + 1); second < until; second++) {
      const slot = second % METRICS_SECONDS;
      if (this.#seconds[slot] !== second) continue;
      rows.push({
        second,
        requests: this.#requests[slot] as number,
        throttled: this.#throttled[slot] as number,
        requestUnits: Math.round((this.#requestUnits[slot] as number) * 100) / 100,
        provisionedRuPerSecond: this.#provisioned[slot] as number,
      });
    }
    return rows;
  }

  clear(): void {
    this.#seconds.fill(EMPTY);
  }

  #slot(nowMs: number, provisionedRuPerSecond: number): number {
    const second = Math.floor(nowMs / 1000);
    const slot = second % METRICS_SECONDS;
    if (this.#seconds[slot] !== second) {
      this.#seconds[slot] = second;
      this.#requests[slot] = 0;
      this.#throttled[slot] = 0;
      this.#requestUnits[slot] = 0;
    }
    this.#provisioned[slot] = provisionedRuPerSecond;
    return slot;
  }
}
