import { CosmosError } from '../errors.js';
import { PARTITION_KEY_HEADER, partitionsOfRangeId, RANGE_ID_HEADER } from '../handlers/request-context.js';
import type { Exchange } from '../http/exchange.js';
import { effectivePartitionKey } from '../partitioning/effective-partition-key.js';
import { type KeyRange, overlaps } from '../partitioning/key-range.js';
import type { Container } from '../store/container.js';
import type { PhysicalPartition } from '../store/physical-partition.js';
import type { Scope } from './candidates.js';

/** The physical partitions that a request asks for, in key order, and what it may see of them. */
export interface Target {
  partitions: readonly PhysicalPartition[];
  scope: Scope;
}

/** @returns null when the request names neither a key nor a range: it is for the gateway to find the partitions */
export function targetOf(exchange: Exchange, container: Container): Target | null {
  const keyHeader = exchange.header(PARTITION_KEY_HEADER);
  if (keyHeader !== undefined) return targetOfKey(container, keyHeader);
  const range = feedRangeOf(exchange);
  const rangeId = exchange.header(RANGE_ID_HEADER);
  if (rangeId !== undefined) {
    const partitions = partitionsOfRangeId(container, rangeId);
    if (range === undefined) return { partitions, scope: {} };
    return {
      partitions: partitions.filter((partition) => overlaps(partition.range, range)),
      scope: { range },
    };
  }
  return range === undefined ? null : { partitions: container.layout.overlapping(range), scope: { range } };
}

function targetOfKey(container: Container, header: string): Target {
  const values = container.keys.componentsOf(header);
  if (values.length === container.keys.paths.length) {
    const key = container.keys.of(values);
    return { partitions: [container.layout.owning(key.effective)], scope: { key } };
  }
  const range = prefixRange(effectivePartitionKey(values, container.keys.scheme));
  return { partitions: container.layout.overlapping(range), scope: { range } };
}

/** All keys that begin with the given levels of a hierarchical key. */
export function prefixRange(effective: string): KeyRange {
  return { minInclusive: effective, maxExclusive: `${effective}FF` };
}

/** `x-ms-start-epk` and `x-ms-end-epk` narrow a range, for example after a split or for a prefix key. */
function feedRangeOf(exchange: Exchange): KeyRange | undefined {
  const minInclusive = exchange.header('x-ms-start-epk');
  const maxExclusive = exchange.header('x-ms-end-epk');
  if (minInclusive === undefined && maxExclusive === undefined) return undefined;
  if (minInclusive === undefined || maxExclusive === undefined || minInclusive >= maxExclusive) {
    throw new CosmosError(
      'badRequest',
      `x-ms-start-epk (${minInclusive}) and x-ms-end-epk (${maxExclusive}) have to be given together, the first before the second.`,
    );
  }
  return { minInclusive, maxExclusive };
}
