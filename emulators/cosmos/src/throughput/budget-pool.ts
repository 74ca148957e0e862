import { Budget } from './budget.js';

/** The budgets of the physical partitions behind one provisioned throughput, which they share evenly. */
export class BudgetPool {
  #budgets: Budget[] = [];
  #burstSeconds = 0;

  constructor(ruPerSecond: number, count: number) {
    this.provision(ruPerSecond, count);
  }

  get size(): number {
    return this.#budgets.length;
  }

  at(index: number): Budget {
    const budget = this.#budgets[index];
    if (budget === undefined) throw new RangeError(`There is no physical partition ${index}.`);
    return budget;
  }

  /** Cuts the throughput anew. Partitions are never merged, so `count` below the present size is ignored. */
  provision(ruPerSecond: number, count = this.size): void {
    const size = Math.max(count, this.size);
    const share = ruPerSecond / size;
    for (const budget of this.#budgets) budget.provision(share);
    while (this.#budgets.length < size) {
      this.#budgets.push(new Budget({ ruPerSecond: share, burstSeconds: this.#burstSeconds }));
    }
  }

  /** Starts over with exactly `count` budgets. */
  resize(ruPerSecond: number, count: number): void {
    this.#budgets = [];
    this.provision(ruPerSecond, count);
  }

  set burstSeconds(value: number) {
    this.#burstSeconds = value;
    for (const budget of this.#budgets) budget.burstSeconds = value;
  }

  reset(): void {
    for (const budget of this.#budgets) budget.reset();
  }
}
