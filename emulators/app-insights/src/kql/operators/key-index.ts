import { type Budget, rowBytes } from '../budget.js';
import type { Expr } from '../expressions/expression.js';
import type { Row } from '../types.js';
import { retainedBytes } from '../values/size.js';

type Read = Expr['read'];
type Level = Map<unknown, unknown>;

const NOTHING = Symbol('no key yet');

/** Numbers distinct combinations of key values in order of appearance. Keys are never dynamic: the analysis refuses that. */
export class KeyIndex {
  readonly #reads: readonly Read[];
  readonly #budget: Budget;
  readonly #root: Level = new Map();
  readonly #values: unknown[][] = [];
  #lastKey: unknown = NOTHING;
  #lastIndex = -1;

  constructor(exprs: readonly Expr[], budget: Budget) {
    this.#reads = exprs.map((e) => e.read);
    this.#budget = budget;
  }

  get size(): number {
    return this.#values.length;
  }

  /** Key values of one combination. */
  values(index: number): unknown[] {
    return this.#values[index] as unknown[];
  }

  /** Index of the row's combination, which is added when it is new. */
  insert(row: Row): number {
    if (this.#reads.length === 1) return this.#insertSingle(row);
    return this.#insertMany(row);
  }

  /** Rows often come in runs of one key (time bins), so the last one is tried first. */
  #insertSingle(row: Row): number {
    const value = (this.#reads[0] as Read)(row);
    if (value === this.#lastKey) return this.#lastIndex;
    let index = this.#root.get(value) as number | undefined;
    if (index === undefined) {
      index = this.#add([value]);
      this.#root.set(value, index);
    }
    this.#lastKey = value;
    this.#lastIndex = index;
    return index;
  }

  #insertMany(row: Row): number {
    const last = this.#reads.length - 1;
    if (last < 0) return this.size === 0 ? this.#add([]) : 0;
    let level = this.#root;
    for (let i = 0; i < last; i += 1) {
      const key = (this.#reads[i] as Read)(row);
      let next = level.get(key) as Level | undefined;
      if (next === undefined) {
        next = new Map();
        level.set(key, next);
      }
      level = next;
    }
    const key = (this.#reads[last] as Read)(row);
    let index = level.get(key) as number | undefined;
    if (index === undefined) {
      index = this.#add(this.#reads.map((read) => read(row)));
      level.set(key, index);
    }
    return index;
  }

  #add(values: unknown[]): number {
    this.#budget.hold(
      values.reduce<number>((sum, v) => sum + retainedBytes(v), rowBytes(values.length) + 64),
    );
    this.#values.push(values);
    return this.#values.length - 1;
  }
}
