import type { Budget } from '../budget.js';

const FIRST_CAPACITY = 16;

/** Ranges this short are sorted rather than partitioned further. */
const SHORT_RANGE = 600;

/** Numbers of one group: a typed array that doubles, so that a million rows cost no object each. */
export class Samples {
  readonly #budget: Budget;
  #values = new Float64Array(FIRST_CAPACITY);
  #size = 0;

  constructor(budget: Budget) {
    this.#budget = budget;
    budget.hold(8 * FIRST_CAPACITY + 64);
  }

  /** Not for NaN, which has no rank. */
  add(value: number): void {
    if (this.#size === this.#values.length) this.#grow();
    this.#values[this.#size] = value;
    this.#size += 1;
  }

  #grow(): void {
    this.#budget.hold(8 * this.#values.length);
    const larger = new Float64Array(2 * this.#values.length);
    larger.set(this.#values);
    this.#values = larger;
  }

  /** Nearest rank: the smallest value with at least that percentage of values at or below it. */
  percentile(percentage: number): number {
    // The margin keeps a product like 99.9 * 1000 from being rounded up over a whole rank.
    const rank = Math.ceil((percentage * this.#size) / 100 - 1e-9);
    this.#budget.checkTime();
    return select(this.#values.subarray(0, this.#size), Math.min(Math.max(rank, 1), this.#size) - 1);
  }
}

/**
 * The value that would be at `index` if the values were sorted, by partitioning them in place: linear on average. When partitioning makes no
 * good progress, what is left is sorted, so unlucky data cost no more than a sort.
 */
export function select(values: Float64Array, index: number): number {
  let low = 0;
  let high = values.length - 1;
  for (
    let rounds = 2 * Math.ceil(Math.log2(values.length + 1));
    high - low > SHORT_RANGE && rounds > 0;
    rounds -= 1
  ) {
    const [before, after] = partition(values, low, high);
    if (index <= before) high = before;
    else if (index >= after) low = after;
    else return values[index] as number;
  }
  values.subarray(low, high + 1).sort();
  return values[index] as number;
}

/** Moves smaller values to the front and larger ones to the back; what lies between the two answers equals the pivot. */
function partition(values: Float64Array, low: number, high: number): [before: number, after: number] {
  const pivot = medianOfThree(
    values[low] as number,
    values[(low + high) >>> 1] as number,
    values[high] as number,
  );
  let i = low;
  let j = high;
  while (i <= j) {
    while ((values[i] as number) < pivot) i += 1;
    while ((values[j] as number) > pivot) j -= 1;
    if (i > j) break;
    const swap = values[i] as number;
    values[i] = values[j] as number;
    values[j] = swap;
    i += 1;
    j -= 1;
  }
  return [j, i];
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
