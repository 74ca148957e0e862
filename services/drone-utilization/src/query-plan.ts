import type { FeedOptions, SqlQuerySpec } from '@azure/cosmos';
import { CONTAINERS, type OwnerMonth } from '@bottleneck-lab/contracts';
import type { DroneUtilizationConfig } from './config.js';

export type QueryToggles = Pick<DroneUtilizationConfig, 'queryFanout' | 'partitionKey'>;

/** The container that has the partition key asked for. */
export function containerFor({ partitionKey }: QueryToggles): string {
  return partitionKey === 'ownerId' ? CONTAINERS.utilizationByOwner.id : CONTAINERS.utilizationByDelivery.id;
}

export function utilizationQuery({ ownerId, year, month }: OwnerMonth): SqlQuerySpec {
  return {
    query: 'SELECT * FROM c WHERE c.ownerId = @ownerId AND c.year = @year AND c.month = @month',
    parameters: [
      { name: '@ownerId', value: ownerId },
      { name: '@year', value: year },
      { name: '@month', value: month },
    ],
  };
}

/**
 * The SDK's options for one query; a new object each time, because the SDK writes into it.
 *
 * Without a forced plan the SDK lets the service walk the partitions page by page, which is serial whatever the degree of
 * parallelism. With one, this SDK takes 1 as one partition after another and -1 as all at once (the .NET SDK's serial mode
 * is 0). The page size must be given, else a forced plan asks for 10 documents at a time.
 */
export function feedOptions(toggles: QueryToggles, ownerId: string): FeedOptions {
  if (toggles.partitionKey === 'ownerId') return { partitionKey: ownerId };
  const maxDegreeOfParallelism = toggles.queryFanout === 'serial' ? 1 : -1;
  return { forceQueryPlan: true, maxDegreeOfParallelism, maxItemCount: 100 };
}
