import { CosmosError } from '../errors.js';
import type { Exchange } from '../http/exchange.js';
import type { Operation } from '../http/operation.js';
import type { PartitionKey } from '../partitioning/partition-key.js';
import type { Container } from '../store/container.js';
import type { PhysicalPartition } from '../store/physical-partition.js';
import { requestRateTooLarge } from '../throughput/admission.js';
import { roundCharge } from '../throughput/request-charge.js';
import {
  type BatchOperation,
  type BatchResult,
  batchReply,
  failure,
  operationsOf,
  runOperation,
} from './batch-operations.js';
import {
  containerOf,
  PARTITION_KEY_HEADER,
  partitionsOfRangeId,
  RANGE_ID_HEADER,
  type RequestContext,
} from './request-context.js';

/** Bulk: independent operations of one partition key range, each admitted and charged on its own. */
export function runBulk(exchange: Exchange, context: RequestContext): Operation {
  const container = containerOf(context, exchange);
  const operations = operationsOf(exchange);
  const rangeId = exchange.header(RANGE_ID_HEADER);
  if (rangeId === undefined) {
    throw new CosmosError(
      'badRequest',
      `A bulk request needs ${RANGE_ID_HEADER} or ${PARTITION_KEY_HEADER}.`,
    );
  }
  const [partition] = partitionsOfRangeId(container, rangeId) as [PhysicalPartition];
  return {
    kind: 'bulk',
    container,
    partition,
    latency: 'write',
    execute: () => {
      const nowMs = context.clock.now();
      const bulk: BulkRun = { container, context, nowMs, drawn: new Map(), refusedBy: null };
      const results = operations.map((operation) => bulkOperation(bulk, operation));
      if (bulk.drawn.size === 0 && bulk.refusedBy !== null) {
        bulk.refusedBy.metrics.refused(nowMs, bulk.refusedBy.budget.ruPerSecond);
        throw requestRateTooLarge(results[0]?.retryAfterMilliseconds ?? 1);
      }
      let total = 0;
      for (const [owner, requestUnits] of bulk.drawn) {
        owner.metrics.admitted(nowMs, requestUnits, owner.budget.ruPerSecond);
        total += requestUnits;
      }
      const requestUnits = roundCharge(total);
      return batchReply({ exchange, operations, container, partition, results, requestUnits });
    },
  };
}

interface BulkRun {
  container: Container;
  context: RequestContext;
  nowMs: number;
  /** Request units drawn so far, per partition. */
  drawn: Map<PhysicalPartition, number>;
  refusedBy: PhysicalPartition | null;
}

function bulkOperation(bulk: BulkRun, operation: BatchOperation): BatchResult {
  const { container, context, nowMs, drawn } = bulk;
  const key = keyOfOperation(container, operation);
  if (key instanceof CosmosError) return failure(key, 0);
  const partition = container.layout.owning(key.effective);
  const { throttling } = container.model;
  const refusal = throttling ? partition.budget.admit(nowMs) : null;
  if (refusal !== null) {
    bulk.refusedBy ??= partition;
    return {
      statusCode: 429,
      subStatusCode: 3200,
      requestCharge: 0,
      retryAfterMilliseconds: refusal.retryAfterMs,
    };
  }
  const result = runOperation({ container, partition, key, nowMs }, operation, context);
  if (throttling) partition.budget.charge(result.requestCharge);
  drawn.set(partition, (drawn.get(partition) ?? 0) + result.requestCharge);
  return result;
}

function keyOfOperation(
  container: Container,
  { partitionKey, resourceBody }: BatchOperation,
): PartitionKey | CosmosError {
  try {
    if (typeof partitionKey === 'string') return container.keys.fromHeader(partitionKey);
    return container.keys.fromDocument(resourceBody ?? {});
  } catch (error) {
    if (error instanceof CosmosError) return error;
    throw error;
  }
}
