import type { KeyRange } from '../partitioning/key-range.js';
import { contains } from '../partitioning/key-range.js';
import type { PartitionKey } from '../partitioning/partition-key.js';
import type { CompiledQuery } from '../sql/index.js';
import type { Container } from '../store/container.js';
import { isScalar } from '../store/equality-index.js';
import type { Item, ItemDocument } from '../store/item.js';
import type { PhysicalPartition } from '../store/physical-partition.js';
import { firstAtOrAfter } from '../store/sequenced-items.js';

/** Which items of a physical partition a request may see at all. */
export interface Scope {
  /** One logical partition. */
  key?: PartitionKey | undefined;
  /** Part of the key space, for prefixes of hierarchical keys and for feed ranges. */
  range?: KeyRange | undefined;
}

/** Items that may match: those of the most selective index, or all. They come in order of creation. */
export function candidatesOf(
  container: Container,
  partition: PhysicalPartition,
  filters: CompiledQuery['equalityFilters'],
  { key }: Scope,
): readonly Item[] {
  let best = partition.items.list;
  if (key !== undefined) best = partition.logicalPartitions.get(key.text)?.items.list ?? [];
  for (const { path, values } of filters) {
    if (best.length === 0) break;
    if (!values.every(isScalar) || !container.indexingPolicy.covers(path)) continue;
    const found = lookUp(partition, path, values, best.length);
    if (found !== null) best = found;
  }
  return best;
}

/** @returns null when there are as many items as `limit` or more, so that this index does not help */
function lookUp(
  partition: PhysicalPartition,
  path: readonly string[],
  values: readonly unknown[],
  limit: number,
): Item[] | null {
  const index = partition.indexOf(path);
  if (values.length === 1) {
    const list = index.bucket(values[0])?.list ?? [];
    return list.length < limit ? list : null;
  }
  let count = 0;
  const lists: Item[][] = [];
  for (const value of new Set(values)) {
    const list = index.bucket(value)?.list;
    if (list === undefined) continue;
    lists.push(list);
    count += list.length;
    if (count >= limit) return null;
  }
  return lists.flat().sort((a, b) => a.sequence - b.sequence);
}

/** Feeds items to a query and counts what it loads. */
export class ItemCursor implements IterableIterator<ItemDocument> {
  readonly #list: readonly Item[];
  readonly #scope: Scope;
  readonly #nowMs: number;
  #index: number;
  documentsLoaded = 0;
  bytesLoaded = 0;
  /** The item fed last. */
  current: Item | null = null;

  /** @param fromSequence skips items that were created before this one */
  constructor(list: readonly Item[], scope: Scope, nowMs: number, fromSequence = 0) {
    this.#list = list;
    this.#scope = scope;
    this.#nowMs = nowMs;
    this.#index = fromSequence === 0 ? 0 : firstAtOrAfter(list, fromSequence);
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(): IteratorResult<ItemDocument, undefined> {
    for (;;) {
      const item = this.#list[this.#index];
      if (item === undefined) return { done: true, value: undefined };
      this.#index += 1;
      if (!this.#isVisible(item)) continue;
      this.current = item;
      this.documentsLoaded += 1;
      this.bytesLoaded += item.bytes;
      return { done: false, value: item.document };
    }
  }

  #isVisible(item: Item): boolean {
    if (item.expiresAtMs <= this.#nowMs) return false;
    const { key, range } = this.#scope;
    if (key !== undefined && item.logicalPartition.key.text !== key.text) return false;
    return range === undefined || contains(range, item.logicalPartition.key.effective);
  }
}
