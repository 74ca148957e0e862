import { LatencyStream } from '../latency/latency-model.js';
import { PartitionMetrics } from '../metrics/partition-metrics.js';
import type { HashScheme } from '../partitioning/effective-partition-key.js';
import { type HashInterval, type KeyRange, toKeyRange } from '../partitioning/key-range.js';
import type { PartitionKey } from '../partitioning/partition-key.js';
import type { Budget } from '../throughput/budget.js';
import { EqualityIndex } from './equality-index.js';
import type { Item } from './item.js';
import { LogicalPartition } from './logical-partition.js';
import { SequencedItems } from './sequenced-items.js';

export interface PhysicalPartitionOptions {
  id: string;
  interval: HashInterval;
  scheme: HashScheme;
  /** Ids of the ranges that this one came from by splits, oldest first. */
  parents: readonly string[];
  budget: Budget;
  latency: LatencyStream;
}

/** One partition key range: its items, indexes, request units, latencies and counters. */
export class PhysicalPartition {
  readonly id: string;
  readonly interval: HashInterval;
  readonly range: KeyRange;
  readonly parents: readonly string[];
  readonly items = new SequencedItems();
  readonly logicalPartitions = new Map<string, LogicalPartition>();
  readonly metrics = new PartitionMetrics();
  /** Shared with other containers if the throughput is the database's. */
  budget: Budget;
  latency: LatencyStream;
  /** Log sequence number of the newest change. */
  lsn = 0;
  bytes = 0;
  readonly #indexes = new Map<string, EqualityIndex>();

  constructor({ id, interval, scheme, parents, budget, latency }: PhysicalPartitionOptions) {
    this.id = id;
    this.interval = interval;
    this.range = toKeyRange(interval, scheme);
    this.parents = parents;
    this.budget = budget;
    this.latency = latency;
  }

  /** `rangeId:version#lsn`, as clients with session consistency send it back. */
  get sessionToken(): string {
    return `${this.id}:-1#${this.lsn}`;
  }

  find(key: PartitionKey, id: string): Item | undefined {
    return this.logicalPartitions.get(key.text)?.byId.get(id);
  }

  logicalPartitionFor(key: PartitionKey): LogicalPartition {
    let logical = this.logicalPartitions.get(key.text);
    if (logical === undefined) {
      logical = new LogicalPartition(key);
      this.logicalPartitions.set(key.text, logical);
    }
    return logical;
  }

  insert(item: Item): void {
    const logical = item.logicalPartition;
    this.logicalPartitions.set(logical.key.text, logical);
    logical.byId.set(item.id, item);
    logical.items.add(item);
    this.adopt(item);
    logical.bytes += item.bytes;
  }

  /** Takes an item in whose logical partition exists already, as a split does. */
  adopt(item: Item): void {
    this.items.add(item);
    this.bytes += item.bytes;
    for (const index of this.#indexes.values()) index.add(item);
  }

  remove(item: Item): void {
    const logical = item.logicalPartition;
    for (const index of this.#indexes.values()) index.remove(item);
    this.items.remove(item);
    logical.items.remove(item);
    logical.byId.delete(item.id);
    if (logical.isEmpty) this.logicalPartitions.delete(logical.key.text);
    this.bytes -= item.bytes;
    logical.bytes -= item.bytes;
  }

  /** Applies `change` to a stored item and keeps indexes and sizes right. */
  update(item: Item, change: (item: Item) => void): void {
    for (const index of this.#indexes.values()) index.remove(item);
    const before = item.bytes;
    change(item);
    this.bytes += item.bytes - before;
    item.logicalPartition.bytes += item.bytes - before;
    for (const index of this.#indexes.values()) index.add(item);
  }

  /** Built at first use: a path that no query asks for costs nothing. */
  indexOf(path: readonly string[]): EqualityIndex {
    const name = path.length === 1 ? (path[0] as string) : JSON.stringify(path);
    let index = this.#indexes.get(name);
    if (index === undefined) {
      index = new EqualityIndex(path, this.items.list);
      this.#indexes.set(name, index);
    }
    return index;
  }

  reseedLatency(seed: number, containerName: string): void {
    this.latency = new LatencyStream(seed, `${containerName}/${this.id}`);
  }
}
