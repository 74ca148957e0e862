import { EmulatorError } from '../errors.js';
import type { IngestionLimits } from '../limits.js';

const WINDOW_SECONDS = 60;
const MS_PER_DAY = 86_400_000;

/** The rate limit over a minute and the daily cap. `now` in Unix milliseconds. */
export class IngestionQuota {
  readonly #limits: Pick<IngestionLimits, 'maxItemsPerSecond' | 'dailyCapItems'>;
  readonly #now: () => number;
  #tokens: number;
  #refilledAt: number;
  #day = -1;
  #itemsToday = 0;

  constructor(
    limits: Pick<IngestionLimits, 'maxItemsPerSecond' | 'dailyCapItems'>,
    now: () => number = Date.now,
  ) {
    this.#limits = limits;
    this.#now = now;
    this.#tokens = limits.maxItemsPerSecond * WINDOW_SECONDS;
    this.#refilledAt = now();
  }

  /** Takes `items` out of both budgets. Throws 402 or 429, and then takes nothing. */
  take(items: number): void {
    const now = this.#now();
    this.#refill(now);
    const { dailyCapItems, maxItemsPerSecond } = this.#limits;
    if (dailyCapItems > 0 && this.#itemsToday + items > dailyCapItems) {
      throw new EmulatorError('DAILY_CAP', `${dailyCapItems} items a day are allowed`);
    }
    if (this.#tokens < items) {
      const missing = items - this.#tokens;
      throw new EmulatorError('THROTTLED', `${maxItemsPerSecond} items a second are allowed`, {
        retryAfterSeconds: Math.max(1, Math.ceil(missing / maxItemsPerSecond)),
      });
    }
    this.#tokens -= items;
    this.#itemsToday += items;
  }

  #refill(now: number): void {
    const { maxItemsPerSecond } = this.#limits;
    const gained = (Math.max(0, now - this.#refilledAt) / 1000) * maxItemsPerSecond;
    this.#tokens = Math.min(maxItemsPerSecond * WINDOW_SECONDS, this.#tokens + gained);
    this.#refilledAt = now;
    const day = Math.floor(now / MS_PER_DAY);
    if (day !== this.#day) {
      this.#day = day;
      this.#itemsToday = 0;
    }
  }
}
