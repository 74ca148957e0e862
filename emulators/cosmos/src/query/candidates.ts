import type { KeyRange } from '../partitioning/key-range.js';
import { contains } from '../partitioning/key-range.js';
import type { PartitionKey } from '../partitioning/partition-key.js';
import type { CompiledQuery } from '../sql/index.js';
import type { Container } from '../store/container.js';
import { isScalar } from '../store/equality-index.js';
import type { Item, ItemDocument } from '../store/item.js';
import type { LogicalPartition } from '../store/logical-partition.js';
import type { PhysicalPartition } from '../store/physical-partition.js';
import { firstAtOrAfter } from '../store/sequenced-items.js';

/** Which items of a physical partition a request may see at all. */
export interface Scope {
  /** One logical partition. */
  key?: PartitionKey | undefined;
  /** Part of the key space, for prefixes of hierarchical keys and for feed ranges. */
  range?: KeyRange | undefined;
}

/** Items that may match, and what still has to be checked of each. */
export interface Candidates {
  /** In order of creation. */
  list: readonly Item[];
  /** Set when the list also holds items of other logical partitions. */
  only?: LogicalPartition | undefined;
}

/** The items of the most selective index, or all. */
export function candidatesOf(
  container: Container,
  partition: PhysicalPartition,
  filters: CompiledQuery['equalityFilters'],
  { key }: Scope,
): Candidates {
  const logical = key === undefined ? undefined : partition.logicalPartitions.get(key.text);
  const all = key === undefined ? partition.items.list : (logical?.items.list ?? []);
  let best = all;
  for (const { path, values } of filters) {
    // A single item is loaded faster than an index is asked.
    if (best.length <= 1) break;
    if (!values.every(isScalar) || !container.indexingPolicy.covers(path)) continue;
    const found = lookUp(partition, path, values, best.length);
    if (found !== null) best = found;
  }
  return best === all ? { list: best } : { list: best, only: logical };
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

export interface CursorOptions {
  nowMs: number;
  /** Skips items that were created before this one. */
  fromSequence?: number;
  range?: KeyRange | undefined;
  /** Whether results come in the order of the items; otherwise all items are remembered to find the ones returned. */
  keepsOrder?: boolean;
}

/** Feeds items to a query and counts what it loads. */
export class ItemCursor implements IterableIterator<ItemDocument> {
  readonly #list: readonly Item[];
  readonly #only: LogicalPartition | undefined;
  readonly #range: KeyRange | undefined;
  readonly #nowMs: number;
  readonly #fed: Map<unknown, Item> | null;
  #index: number;
  documentsLoaded = 0;
  bytesLoaded = 0;
  /** The item fed last. */
  current: Item | null = null;

  constructor(
    { list, only }: Candidates,
    { nowMs, fromSequence = 0, range, keepsOrder = true }: CursorOptions,
  ) {
    this.#fed = keepsOrder ? null : new Map();
    this.#list = list;
    this.#only = only;
    this.#range = range;
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
      this.#fed?.set(item.document, item);
      this.documentsLoaded += 1;
      this.bytesLoaded += item.bytes;
      return { done: false, value: item.document };
    }
  }

  /** The item behind a result that is a whole document, or undefined for anything else. */
  itemOf(result: unknown): Item | undefined {
    if (this.#fed !== null) return this.#fed.get(result);
    const { current } = this;
    return current !== null && current.document === result ? current : undefined;
  }

  #isVisible(item: Item): boolean {
    if (item.expiresAtMs <= this.#nowMs) return false;
    if (this.#only !== undefined && item.logicalPartition !== this.#only) return false;
    return this.#range === undefined || contains(this.#range, item.logicalPartition.key.effective);
  }
}
