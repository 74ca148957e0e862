/** What the service answers to a request that found no request units left. */
export interface Refusal {
  /** Milliseconds until the second ends, at least 1. */
  retryAfterMs: number;
}

export interface BudgetOptions {
  ruPerSecond: number;
  /** Seconds' worth of unused request units that may be saved; 0 is no burst capacity. */
  burstSeconds?: number;
}

/**
 * Request units of one physical partition. Each wall-clock second brings `ruPerSecond`. A request is admitted while
 * some are left and charged when its cost is known, so the rest may become negative; that debt is paid by the
 * seconds that follow. Unused units are saved up to `burstSeconds`, if that is set, and spent when a second's own
 * are gone. Microsoft documents the reset per second and burst capacity; debt is what makes the admitted average
 * equal the provisioned one.
 */
export class Budget {
  #ruPerSecond: number;
  #burstSeconds: number;
  #second = Number.NEGATIVE_INFINITY;
  #left: number;
  #saved = 0;

  constructor({ ruPerSecond, burstSeconds = 0 }: BudgetOptions) {
    this.#ruPerSecond = ruPerSecond;
    this.#burstSeconds = burstSeconds;
    this.#left = ruPerSecond;
  }

  get ruPerSecond(): number {
    return this.#ruPerSecond;
  }

  /** Request units left in the current second; negative is debt. */
  left(nowMs: number): number {
    this.#roll(nowMs);
    return this.#left;
  }

  saved(nowMs: number): number {
    this.#roll(nowMs);
    return this.#saved;
  }

  /** Provisioned throughput has changed: the current second starts afresh at the new rate. */
  provision(ruPerSecond: number): void {
    this.#ruPerSecond = ruPerSecond;
    this.#left = ruPerSecond;
    this.#saved = Math.min(this.#saved, this.#burstSeconds * ruPerSecond);
  }

  set burstSeconds(value: number) {
    this.#burstSeconds = value;
    this.#saved = Math.min(this.#saved, value * this.#ruPerSecond);
  }

  /** Forgets debt and savings. */
  reset(): void {
    this.#second = Number.NEGATIVE_INFINITY;
    this.#left = this.#ruPerSecond;
    this.#saved = 0;
  }

  /** @returns null when admitted; the caller then has to {@link charge} what the request cost */
  admit(nowMs: number): Refusal | null {
    this.#roll(nowMs);
    if (this.#left > 0 || this.#saved > 0) return null;
    return { retryAfterMs: Math.max(1, Math.ceil((this.#second + 1) * 1000 - nowMs)) };
  }

  /** Draws on the current second first, then on the savings, then on the seconds to come. */
  charge(requestUnits: number): void {
    if (this.#left <= 0 && this.#saved > 0) this.#saved -= requestUnits;
    else this.#left -= requestUnits;
  }

  #roll(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    const elapsed = second - this.#second;
    if (elapsed <= 0) return;
    if (elapsed !== Number.POSITIVE_INFINITY) {
      const carried = this.#left + (elapsed - 1) * this.#ruPerSecond;
      if (carried < 0) {
        this.#left = carried + this.#ruPerSecond;
      } else {
        this.#left = this.#ruPerSecond;
        this.#saved = Math.min(this.#burstSeconds * this.#ruPerSecond, this.#saved + carried);
      }
    }
    this.#second = second;
  }
}
