import { valueAt } from '../partitioning/partition-key.js';
import type { Item, ItemDocument } from './item.js';
import { SequencedItems } from './sequenced-items.js';

/** Items of one physical partition by the scalar under one path. */
export class EqualityIndex {
  readonly path: readonly string[];
  readonly #buckets = new Map<unknown, SequencedItems>();

  constructor(path: readonly string[], items: Iterable<Item>) {
    this.path = path;
    for (const item of items) this.add(item);
  }

  bucket(value: unknown): SequencedItems | undefined {
    return this.#buckets.get(value);
  }

  add(item: Item): void {
    const value = this.valueOf(item.document);
    if (!isScalar(value)) return;
    let bucket = this.#buckets.get(value);
    if (bucket === undefined) {
      bucket = new SequencedItems();
      this.#buckets.set(value, bucket);
    }
    bucket.add(item);
  }

  /** Has to be called before the item's document changes. */
  remove(item: Item): void {
    const value = this.valueOf(item.document);
    const bucket = this.#buckets.get(value);
    bucket?.remove(item);
    if (bucket?.size === 0) this.#buckets.delete(value);
  }

  valueOf(document: ItemDocument): unknown {
    return valueAt(document, this.path);
  }
}

export function isScalar(value: unknown): value is string | number | boolean | null {
  return (
    value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  );
}
