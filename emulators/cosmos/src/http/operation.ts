import type { LatencyKind } from '../latency/latency-model.js';
import type { Container } from '../store/container.js';
import type { PhysicalPartition } from '../store/physical-partition.js';
import type { Reply } from './exchange.js';

/** What a request is, for counters and for fault rules. */
export const OPERATION_KINDS = [
  'account',
  'metadata',
  'partitionKeyRanges',
  'queryPlan',
  'query',
  'read',
  'readFeed',
  'changeFeed',
  'create',
  'upsert',
  'replace',
  'patch',
  'delete',
  'batch',
  'bulk',
] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];

/** A request that has been understood and is ready to be executed, at once or after its latency. */
export interface Operation {
  kind: OperationKind;
  /** Absent outside containers: such requests have no modelled latency. */
  container?: Container;
  /** Whose latency stream is drawn from. */
  partition?: PhysicalPartition;
  latency?: LatencyKind;
  /** Throws `CosmosError` for every answer that is not a success. */
  execute(): Reply;
}
