import { LatencyStream } from '../latency/latency-model.js';
import type { PartitionMetrics } from '../metrics/partition-metrics.js';
import type { HashScheme } from '../partitioning/effective-partition-key.js';
import {
  contains,
  evenIntervals,
  type HashInterval,
  halves,
  type KeyRange,
  overlaps,
} from '../partitioning/key-range.js';
import type { BudgetPool } from '../throughput/budget-pool.js';
import { PhysicalPartition } from './physical-partition.js';

export interface PhysicalLayoutOptions {
  scheme: HashScheme;
  seed: number;
  /** Names the latency streams. */
  name: string;
  budgets: BudgetPool;
}

/** The physical partitions of one container in key order, and the ranges that splits have replaced. */
export class PhysicalLayout {
  readonly scheme: HashScheme;
  readonly #name: string;
  readonly #budgets: BudgetPool;
  #seed: number;
  #partitions: PhysicalPartition[];
  /** Ranges that no longer exist. Clients that still name them are served from their children: never 410. */
  readonly #replaced = new Map<string, { range: KeyRange; metrics: PartitionMetrics }>();
  #nextId: number;

  constructor({ scheme, seed, name, budgets }: PhysicalLayoutOptions) {
    this.scheme = scheme;
    this.#seed = seed;
    this.#name = name;
    this.#budgets = budgets;
    this.#nextId = 0;
    this.#partitions = evenIntervals(budgets.size, scheme).map((interval, index) =>
      this.#create(interval, index, []),
    );
  }

  get partitions(): readonly PhysicalPartition[] {
    return this.#partitions;
  }

  owning(effectivePartitionKey: string): PhysicalPartition {
    const partitions = this.#partitions;
    let low = 0;
    let high = partitions.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((partitions[middle] as PhysicalPartition).range.minInclusive <= effectivePartitionKey) low = middle;
      else high = middle - 1;
    }
    return partitions[low] as PhysicalPartition;
  }

  /** @returns the partition with this range id, its children if it was split, or null for an unknown id */
  byRangeId(id: string): PhysicalPartition[] | null {
    const partition = this.#partitions.find((candidate) => candidate.id === id);
    if (partition !== undefined) return [partition];
    const replaced = this.#replaced.get(id);
    return replaced === undefined ? null : this.overlapping(replaced.range);
  }

  overlapping(range: KeyRange): PhysicalPartition[] {
    return this.#partitions.filter((partition) => overlaps(partition.range, range));
  }

  /** Splits the widest partitions until there is one for each budget; there are never fewer than before. */
  growToBudgets(): void {
    while (this.#partitions.length < this.#budgets.size) this.#splitWidest();
    for (const [index, partition] of this.#partitions.entries()) partition.budget = this.#budgets.at(index);
  }

  /** Counters of all ranges, also of those that were split. */
  *metrics(): Generator<[rangeId: string, metrics: PartitionMetrics]> {
    for (const [id, { metrics }] of this.#replaced) yield [id, metrics];
    for (const { id, metrics } of this.#partitions) yield [id, metrics];
  }

  reseed(seed: number): void {
    this.#seed = seed;
    for (const partition of this.#partitions) partition.reseedLatency(seed, this.#name);
  }

  #create(interval: HashInterval, index: number, parents: readonly string[]): PhysicalPartition {
    const id = String(this.#nextId++);
    return new PhysicalPartition({
      id,
      interval,
      scheme: this.scheme,
      parents,
      budget: this.#budgets.at(index),
      latency: new LatencyStream(this.#seed, `${this.#name}/${id}`),
    });
  }

  #splitWidest(): void {
    let index = 0;
    let widest = 0n;
    for (const [candidate, { interval }] of this.#partitions.entries()) {
      const width = interval.high - interval.low;
      if (width > widest) {
        index = candidate;
        widest = width;
      }
    }
    this.#split(index);
  }

  #split(index: number): void {
    const parent = this.#partitions[index] as PhysicalPartition;
    const parents = [...parent.parents, parent.id];
    const [low, high] = halves(parent.interval);
    const children = [this.#create(low, index, parents), this.#create(high, index, parents)] as const;
    for (const child of children) child.lsn = parent.lsn;
    for (const logical of parent.logicalPartitions.values()) {
      const child = contains(children[0].range, logical.key.effective) ? children[0] : children[1];
      child.logicalPartitions.set(logical.key.text, logical);
    }
    for (const item of parent.items.list) {
      const { effective } = item.logicalPartition.key;
      (contains(children[0].range, effective) ? children[0] : children[1]).adopt(item);
    }
    this.#replaced.set(parent.id, { range: parent.range, metrics: parent.metrics });
    this.#partitions.splice(index, 1, ...children);
  }
}
