import { type ConfigOf, choice, SERVICE_SETTINGS } from '@bottleneck-lab/service-kit';
import { COSMOS_SETTINGS } from '@bottleneck-lab/service-kit/cosmos';

export const settings = {
  ...SERVICE_SETTINGS,
  ...COSMOS_SETTINGS,
  /** How a query over several physical partitions is sent: one partition after another, or all at once. */
  queryFanout: choice('QUERY_FANOUT', ['serial', 'parallel'], 'serial'),
  /** The container's partition key, and so which container is queried; `ownerId` needs no fan-out. */
  partitionKey: choice('PARTITION_KEY', ['deliveryId', 'ownerId'], 'deliveryId'),
} as const;

export type DroneUtilizationConfig = ConfigOf<typeof settings>;
