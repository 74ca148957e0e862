import type { PartitionKey } from '../partitioning/partition-key.js';
import type { Item } from './item.js';
import { SequencedItems } from './sequenced-items.js';

/** All items with one partition key. */
export class LogicalPartition {
  readonly key: PartitionKey;
  readonly byId = new Map<string, Item>();
  readonly items = new SequencedItems();
  bytes = 0;
  /** Values taken under the container's unique keys; they are unique within a logical partition. */
  readonly uniqueKeys = new Map<string, Item>();

  constructor(key: PartitionKey) {
    this.key = key;
  }

  get isEmpty(): boolean {
    return this.byId.size === 0;
  }
}
