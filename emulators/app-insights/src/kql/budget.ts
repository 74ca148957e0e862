import { limitExceeded, type Place } from './errors.js';
import type { QueryLimits } from './types.js';

export const DEFAULT_LIMITS: QueryLimits = {
  timeoutMs: 10_000,
  maxResultRows: 500_000,
  maxMemoryBytes: 256 * 1024 * 1024,
  maxQueryLength: 100_000,
  maxNesting: 100,
};

/** The defaults with what is given; refuses values that would switch a limit off by mistake. */
export function resolveLimits(given: Partial<QueryLimits> = {}): QueryLimits {
  const limits: { -readonly [name in keyof QueryLimits]: number } = { ...DEFAULT_LIMITS };
  for (const name of Object.keys(DEFAULT_LIMITS) as (keyof QueryLimits)[]) {
    const value = given[name];
    if (value === undefined) continue;
    if (!(value > 0)) throw new RangeError(`${name} is ${value}; it must be above 0`);
    limits[name] = value;
  }
  return limits;
}

/** Most ticks between two looks at the clock: few, as a single row may cost a millisecond where texts are long. */
const MAX_TICKS = 64;
/** A look that comes later than this makes the next ones come after every tick, ms. */
const LATE_MS = 10;

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
  /** Ticks until the next look at the clock, and from that one to the one after. */
  #ticksLeft = 1;
  #interval = 1;
  #lookedAt: number;
  #bytes = 0;
  #peak = 0;
  scannedRows = 0;

  constructor(limits: QueryLimits, clock: () => number, place: Place) {
    this.limits = limits;
    this.#clock = clock;
    this.#lookedAt = clock();
    this.#deadline = this.#lookedAt + limits.timeoutMs;
    this.#place = place;
  }

  get peakBytes(): number {
    return this.#peak;
  }

  /**
   * Called where rows come into being (scans, joins, expansions, results), for comparisons of a sort, and for matches in a text, so that every
   * loop whose length the data decides looks at the clock. Operators that only pass rows on need not call it.
   */
  tick(): void {
    this.#ticksLeft -= 1;
    if (this.#ticksLeft <= 0) this.#look();
  }

  #look(): void {
    const now = this.#clock();
    this.#interval = now - this.#lookedAt > LATE_MS ? 1 : Math.min(MAX_TICKS, this.#interval * 2);
    this.#ticksLeft = this.#interval;
    this.#lookedAt = now;
    if (now > this.#deadline) throw this.#overdue();
  }

  get isOverdue(): boolean {
    return this.#clock() > this.#deadline;
  }

  checkTime(): void {
    if (this.isOverdue) throw this.#overdue();
  }

  #overdue() {
    return limitExceeded(this.#place, `The query ran longer than timeoutMs = ${this.limits.timeoutMs}`);
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
