import { limitExceeded, type Place } from './errors.js';
import type { QueryLimits } from './types.js';

export const DEFAULT_LIMITS: QueryLimits = {
  timeoutMs: 30_000,
  maxResultRows: 500_000,
  maxMemoryBytes: 512 * 1024 * 1024,
  maxQueryLength: 100_000,
  maxNesting: 100,
};

/** Rows between two looks at the clock. */
const TICKS_PER_LOOK = 4096;

/** Bytes charged for a row of `columns` values that an operator keeps. */
export function rowBytes(columns: number): number {
  return 40 + 8 * columns;
}

/** What a query has left of its time and memory. One per execution; its errors point at the query's result expression. */
export class Budget {
  readonly limits: QueryLimits;
  readonly #clock: () => number;
  readonly #deadline: number;
  readonly #place: Place;
  #ticks = 0;
  #bytes = 0;
  #peak = 0;
  scannedRows = 0;

  constructor(limits: QueryLimits, clock: () => number, place: Place) {
    this.limits = limits;
    this.#clock = clock;
    this.#deadline = clock() + limits.timeoutMs;
    this.#place = place;
  }

  get peakBytes(): number {
    return this.#peak;
  }

  /** Called once per row or comparison of every loop whose length the data decides. */
  tick(): void {
    this.#ticks += 1;
    if (this.#ticks % TICKS_PER_LOOK === 0) this.checkTime();
  }

  checkTime(): void {
    if (this.#clock() <= this.#deadline) return;
    throw limitExceeded(this.#place, `The query ran longer than timeoutMs = ${this.limits.timeoutMs}`);
  }

  /** Accounts for bytes that an operator keeps. */
  hold(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#peak) this.#peak = this.#bytes;
    if (this.#bytes <= this.limits.maxMemoryBytes) return;
    throw limitExceeded(
      this.#place,
      `The query would hold more than maxMemoryBytes = ${this.limits.maxMemoryBytes} (sort, join, groups, lists or result too large)`,
    );
  }

  /** Runs a subquery; what it held is given back afterwards. */
  releasing<T>(run: () => T): T {
    const before = this.#bytes;
    const result = run();
    this.#bytes = before;
    return result;
  }

  checkResultRows(count: number): void {
    if (count <= this.limits.maxResultRows) return;
    throw limitExceeded(
      this.#place,
      `The result has more than maxResultRows = ${this.limits.maxResultRows} rows`,
    );
  }
}
