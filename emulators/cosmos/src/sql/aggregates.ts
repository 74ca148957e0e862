import type { AggregateName } from './functions/registry.js';
import type { Value } from './values.js';
import { compareForSort, finite, isPrimitive } from './values.js';

/** Takes the argument's value in every row of a group; undefined values never count. */
export interface Accumulator {
  add(value: Value): void;
  result(): Value;
}

class Count implements Accumulator {
  #count = 0;

  add(value: Value): void {
    if (value !== undefined) this.#count++;
  }

  result(): Value {
    return this.#count;
  }
}

/** One value that is not a number makes the whole sum undefined; nothing at all sums to 0. */
class Sum implements Accumulator {
  protected sum = 0;
  protected count = 0;
  protected isNumeric = true;

  add(value: Value): void {
    if (typeof value === 'number') {
      this.sum += value;
      this.count++;
    } else if (value !== undefined) {
      this.isNumeric = false;
    }
  }

  result(): Value {
    return this.isNumeric ? finite(this.sum) : undefined;
  }
}

class Average extends Sum {
  override result(): Value {
    return this.isNumeric && this.count > 0 ? finite(this.sum / this.count) : undefined;
  }
}

/** Compares across types in sort order; one array or object makes the result undefined. */
class Extreme implements Accumulator {
  readonly #sign: 1 | -1;
  #best: Value;
  #isComparable = true;

  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  add(value: Value): void {
    if (value === undefined) return;
    if (!isPrimitive(value)) this.#isComparable = false;
    if (this.#best === undefined || compareForSort(value, this.#best) * this.#sign > 0) this.#best = value;
  }

  result(): Value {
    return this.#isComparable ? this.#best : undefined;
  }
}

const FACTORIES: Readonly<Record<AggregateName, () => Accumulator>> = {
  AVG: () => new Average(),
  COUNT: () => new Count(),
  MAX: () => new Extreme(1),
  MIN: () => new Extreme(-1),
  SUM: () => new Sum(),
};

export function createAccumulator(name: AggregateName): Accumulator {
  return FACTORIES[name]();
}
