import type { Clock } from '../clock.js';
import { CosmosError } from '../errors.js';
import type { Exchange } from '../http/exchange.js';
import type { PartitionKey } from '../partitioning/partition-key.js';
import type { QueryCache } from '../sql/index.js';
import type { Account } from '../store/account.js';
import type { Container } from '../store/container.js';
import type { PhysicalPartition } from '../store/physical-partition.js';

/** What handlers of data-plane requests work on. */
export interface RequestContext {
  account: Account;
  clock: Clock;
  queries: QueryCache;
}

export const PARTITION_KEY_HEADER = 'x-ms-documentdb-partitionkey';
export const RANGE_ID_HEADER = 'x-ms-documentdb-partitionkeyrangeid';

export function containerOf({ account }: RequestContext, { route }: Exchange): Container {
  return account.container(route.databaseId, route.containerId, true);
}

/** The partition key that operations on single items have to carry. */
export function requiredKey(exchange: Exchange, container: Container): PartitionKey {
  const header = exchange.header(PARTITION_KEY_HEADER);
  if (header !== undefined) return container.keys.fromHeader(header);
  throw new CosmosError('badRequest', 'PartitionKey value must be supplied for this operation.');
}

/** Partitions behind `x-ms-documentdb-partitionkeyrangeid`: one, or the children of one that was split. Never 410. */
export function partitionsOfRangeId(container: Container, header: string): PhysicalPartition[] {
  // Some clients put the container's resource id in front.
  const id = header.slice(header.lastIndexOf(',') + 1);
  const partitions = container.layout.byRangeId(id);
  if (partitions !== null) return partitions;
  const known = container.partitions.map((partition) => partition.id).join(', ');
  throw new CosmosError(
    'badRequest',
    `Partition key range ${JSON.stringify(id)} does not exist in ${container.link}; there are ${known}.`,
  );
}

/** Headers that data-plane answers of one partition share. */
export function partitionHeaders(container: Container, partition: PhysicalPartition): string[] {
  return [
    'x-ms-session-token',
    partition.sessionToken,
    'x-ms-alt-content-path',
    container.encodedLink,
    'x-ms-content-path',
    container.rid,
    'lsn',
    String(partition.lsn),
  ];
}
