import type { Item } from './item.js';
import { findItem, type ItemPlace } from './item-writes.js';

type Content = Pick<
  Item,
  'document' | 'text' | 'bytes' | 'indexedPaths' | 'expiresAtMs' | 'lsn' | 'uniqueKeys'
>;

/** Remembers items of one logical partition before a batch touches them, and puts them back if it fails. */
export class ItemJournal {
  readonly #place: ItemPlace;
  readonly #lsn: number;
  /** Null: there was no such item. */
  readonly #before = new Map<string, { item: Item; content: Content } | null>();

  constructor(place: ItemPlace) {
    this.#place = place;
    this.#lsn = place.partition.lsn;
  }

  remember(id: unknown): void {
    if (typeof id !== 'string' || this.#before.has(id)) return;
    const item = findItem(this.#place, id);
    this.#before.set(id, item === undefined ? null : { item, content: contentOf(item) });
  }

  undo(): void {
    const { container, partition, key } = this.#place;
    for (const id of this.#before.keys()) {
      const item = partition.find(key, id);
      if (item === undefined) continue;
      container.uniqueKeys.release(item);
      partition.remove(item);
    }
    for (const before of this.#before.values()) {
      if (before === null) continue;
      Object.assign(before.item, before.content);
      const logicalPartition = partition.logicalPartitionFor(key);
      partition.insert(Object.assign(before.item, { logicalPartition }));
      container.uniqueKeys.take(before.item);
    }
    partition.lsn = this.#lsn;
  }
}

function contentOf({ document, text, bytes, indexedPaths, expiresAtMs, lsn, uniqueKeys }: Item): Content {
  return { document, text, bytes, indexedPaths, expiresAtMs, lsn, uniqueKeys };
}
