import { LATENCY_KINDS } from '../latency/latency-model.js';
import type { Container } from '../store/container.js';

/** The model of a container, and what its physical partitions hold. */
export function describeContainer(container: Container) {
  const { id, database, model, offer, partitions } = container;
  const nowMs = database.account.clock.now();
  return {
    database: database.id,
    container: id,
    ...model,
    latency: Object.fromEntries(LATENCY_KINDS.map((kind) => [kind, model.latency[kind] ?? null])),
    provisionedRuPerSecond: (offer ?? database.offer)?.throughput.ruPerSecond ?? 0,
    throughputMode: (offer ?? database.offer)?.throughput.mode ?? 'manual',
    sharedThroughput: offer === null,
    physicalPartitions: partitions.length,
    partitions: partitions.map(({ id: rangeId, range, parents, items, bytes, budget }) => ({
      partitionKeyRangeId: rangeId,
      minInclusive: range.minInclusive,
      maxExclusive: range.maxExclusive,
      parents,
      items: items.size,
      bytes,
      ruPerSecond: budget.ruPerSecond,
      ruLeft: budget.left(nowMs),
      ruSaved: budget.saved(nowMs),
    })),
  };
}
