import type { Budget } from '../budget.js';
import type { Expr } from '../expressions/expression.js';
import type { Row } from '../types.js';

type Level = Map<unknown, unknown>;

/** Estimated bytes of a distinct key. */
const KEY_BYTES = 80;

/** Rows by key. A key with a null in it is in no table: null equals nothing. */
export class JoinTable {
  readonly #keys: readonly Expr[];
  readonly #budget: Budget;
  readonly #root: Level = new Map();

  constructor(keys: readonly Expr[], budget: Budget) {
    this.#keys = keys;
    this.#budget = budget;
  }

  /** Answers whether the row has a key. */
  add(row: Row): boolean {
    const rows = this.#rows(row);
    rows?.list.push(row);
    return rows !== undefined;
  }

  /** Remembers only the key; answers whether it is new. */
  addKey(row: Row): boolean {
    return this.#rows(row)?.isNew === true;
  }

  find(keys: readonly Expr[], row: Row): readonly Row[] | undefined {
    let level: unknown = this.#root;
    for (const key of keys) {
      const value = key.read(row);
      if (value === null) return undefined;
      level = (level as Level).get(value);
      if (level === undefined) return undefined;
    }
    return level as Row[];
  }

  #rows(row: Row): { list: Row[]; isNew: boolean } | undefined {
    let level = this.#root;
    const last = this.#keys.length - 1;
    for (let i = 0; i < last; i += 1) {
      const value = (this.#keys[i] as Expr).read(row);
      if (value === null) return undefined;
      level = child(level, value);
    }
    const value = (this.#keys[last] as Expr).read(row);
    if (value === null) return undefined;
    const known = level.get(value) as Row[] | undefined;
    if (known !== undefined) return { list: known, isNew: false };
    this.#budget.hold(KEY_BYTES);
    const list: Row[] = [];
    level.set(value, list);
    return { list, isNew: true };
  }
}

function child(level: Level, value: unknown): Level {
  let next = level.get(value) as Level | undefined;
  if (next === undefined) {
    next = new Map();
    level.set(value, next);
  }
  return next;
}
