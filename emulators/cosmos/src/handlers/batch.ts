import { CosmosError } from '../errors.js';
import type { Exchange, Reply } from '../http/exchange.js';
import type { Operation } from '../http/operation.js';
import type { PartitionKey } from '../partitioning/partition-key.js';
import type { Container } from '../store/container.js';
import { ItemJournal } from '../store/item-journal.js';
import {
  createItem,
  deleteItem,
  type ItemPlace,
  type JsonObject,
  replaceItem,
  requireItem,
  upsertItem,
} from '../store/item-writes.js';
import { applyPatch, parsePatch } from '../store/patch.js';
import type { PhysicalPartition } from '../store/physical-partition.js';
import { admit, charge, requestRateTooLarge } from '../throughput/admission.js';
import {
  CHARGES,
  createCharge,
  deleteCharge,
  readCharge,
  replaceCharge,
  roundCharge,
} from '../throughput/request-charge.js';
import { type ItemResult, upserted, written } from './items.js';
import {
  containerOf,
  PARTITION_KEY_HEADER,
  partitionHeaders,
  partitionsOfRangeId,
  RANGE_ID_HEADER,
  type RequestContext,
  requiredKey,
} from './request-context.js';

/** Published limit of one batch. */
const BATCH_OPERATIONS_LIMIT = 100;

interface BatchOperation {
  operationType: string;
  id?: string;
  /** JSON text; in bulk requests only. */
  partitionKey?: string;
  resourceBody?: JsonObject;
  ifMatch?: string;
}

interface BatchResult {
  statusCode: number;
  subStatusCode?: number;
  requestCharge: number;
  eTag?: string;
  resourceBody?: unknown;
  retryAfterMilliseconds?: number;
  message?: string;
}

/** A transactional batch within one logical partition: everything or nothing. */
export function runBatch(exchange: Exchange, context: RequestContext): Operation {
  const container = containerOf(context, exchange);
  const operations = operationsOf(exchange);
  const key = requiredKey(exchange, container);
  return {
    kind: 'batch',
    container,
    partition: container.layout.owning(key.effective),
    latency: 'write',
    execute: () => {
      const partition = container.layout.owning(key.effective);
      const place: ItemPlace = { container, partition, key, nowMs: context.clock.now() };
      admit(container, partition, place.nowMs);
      const results = allOrNothing(place, operations, context);
      const requestUnits = roundCharge(results.reduce((sum, { requestCharge }) => sum + requestCharge, 0));
      charge(container, partition, { nowMs: place.nowMs, requestUnits });
      const failed = results.some(({ statusCode }) => statusCode >= 400);
      return batchReply({ container, partition, results, requestUnits, status: failed ? 207 : 200 });
    },
  };
}

/** On the first failure everything before it is undone, and everything else is answered 424. */
function allOrNothing(
  place: ItemPlace,
  operations: readonly BatchOperation[],
  context: RequestContext,
): BatchResult[] {
  const journal = new ItemJournal(place);
  const results: BatchResult[] = [];
  for (const [index, operation] of operations.entries()) {
    journal.remember(operation.id ?? operation.resourceBody?.id);
    const result = runOperation(place, operation, context);
    results.push(result);
    if (result.statusCode < 400) continue;
    journal.undo();
    return operations.map((_, other) => (other === index ? result : { statusCode: 424, requestCharge: 0 }));
  }
  return results;
}

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
      const failed = results.some(({ statusCode }) => statusCode >= 400);
      return batchReply({
        container,
        partition,
        results,
        requestUnits: roundCharge(total),
        status: failed ? 207 : 200,
      });
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

function runOperation(place: ItemPlace, operation: BatchOperation, context: RequestContext): BatchResult {
  try {
    const { status, item, etag, requestUnits } = execute(place, operation, context);
    return {
      statusCode: status,
      requestCharge: requestUnits,
      ...(etag === null ? {} : { eTag: etag }),
      ...(item === null ? {} : { resourceBody: item.document }),
    };
  } catch (error) {
    if (error instanceof CosmosError) return failure(error, CHARGES.readBase);
    throw error;
  }
}

function failure({ status, substatus, message }: CosmosError, requestCharge: number): BatchResult {
  return {
    statusCode: status,
    ...(substatus === 0 ? {} : { subStatusCode: substatus }),
    requestCharge,
    message,
  };
}

function execute(place: ItemPlace, operation: BatchOperation, { queries }: RequestContext): ItemResult {
  const { operationType, resourceBody, ifMatch } = operation;
  const id = operation.id ?? '';
  const when = { ifMatch };
  switch (operationType) {
    case 'Create': {
      const item = createItem(place, bodyOf(operation));
      return written(item, 201, createCharge(item.bytes, item.indexedPaths));
    }
    case 'Upsert':
      return upserted(upsertItem(place, bodyOf(operation), when));
    case 'Replace': {
      const item = replaceItem(place, id, bodyOf(operation), when);
      return written(item, 200, replaceCharge(item.bytes, item.indexedPaths));
    }
    case 'Read': {
      const item = requireItem(place, id);
      return written(item, 200, readCharge(item.bytes));
    }
    case 'Delete': {
      const item = deleteItem(place, id, when);
      return {
        status: 204,
        item: null,
        etag: null,
        requestUnits: deleteCharge(item.bytes, item.indexedPaths),
      };
    }
    case 'Patch': {
      const item = applyPatch(place, { id, patch: parsePatch(resourceBody), when, queries });
      return written(item, 200, replaceCharge(item.bytes, item.indexedPaths));
    }
    default:
      throw new CosmosError(
        'badRequest',
        `Batch operation ${JSON.stringify(operationType)} is unknown; there are Create, Upsert, Replace, Read, Delete and Patch.`,
      );
  }
}

function bodyOf({ operationType, resourceBody }: BatchOperation): JsonObject {
  if (typeof resourceBody === 'object' && resourceBody !== null && !Array.isArray(resourceBody))
    return resourceBody;
  throw new CosmosError('badRequest', `Batch operation ${operationType} needs an item as its resourceBody.`);
}

function operationsOf(exchange: Exchange): BatchOperation[] {
  const operations = exchange.json();
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > BATCH_OPERATIONS_LIMIT) {
    const count = Array.isArray(operations) ? operations.length : 'no array';
    throw new CosmosError(
      'badRequest',
      `A batch needs an array of 1 to ${BATCH_OPERATIONS_LIMIT} operations, not ${count}.`,
    );
  }
  for (const operation of operations) {
    if (typeof operation === 'object' && operation !== null) continue;
    throw new CosmosError(
      'badRequest',
      `A batch operation has to be an object, not ${JSON.stringify(operation)}.`,
    );
  }
  return operations;
}

interface BatchAnswer {
  container: Container;
  partition: PhysicalPartition;
  results: BatchResult[];
  requestUnits: number;
  status: number;
}

function batchReply({ container, partition, results, requestUnits, status }: BatchAnswer): Reply {
  const headers = partitionHeaders(container, partition);
  return { status, headers, body: JSON.stringify(results), requestCharge: requestUnits };
}
