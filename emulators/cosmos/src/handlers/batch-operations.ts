import { CosmosError } from '../errors.js';
import type { Exchange, Reply } from '../http/exchange.js';
import type { Container } from '../store/container.js';
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
import {
  CHARGES,
  createCharge,
  deleteCharge,
  readCharge,
  replaceCharge,
} from '../throughput/request-charge.js';
import { type ItemResult, upserted, wantsMinimal, written } from './items.js';
import { partitionHeaders, type RequestContext } from './request-context.js';

/** Published limit of one batch. */
const BATCH_OPERATIONS_LIMIT = 100;

export interface BatchOperation {
  operationType: string;
  id?: string;
  /** JSON text; in bulk requests only. */
  partitionKey?: string;
  resourceBody?: JsonObject;
  ifMatch?: string;
}

export interface BatchResult {
  statusCode: number;
  subStatusCode?: number;
  requestCharge: number;
  eTag?: string;
  resourceBody?: unknown;
  retryAfterMilliseconds?: number;
  message?: string;
}

export function runOperation(
  place: ItemPlace,
  operation: BatchOperation,
  context: RequestContext,
): BatchResult {
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

export function failure({ status, substatus, message }: CosmosError, requestCharge: number): BatchResult {
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

/** Leaves out the items that were written, if the client has asked for that. */
function withoutWritten(results: BatchResult[], operations: readonly BatchOperation[]): BatchResult[] {
  return results.map(({ resourceBody, ...result }, index) =>
    resourceBody !== undefined && operations[index]?.operationType === 'Read'
      ? { ...result, resourceBody }
      : result,
  );
}

export function operationsOf(exchange: Exchange): BatchOperation[] {
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

export interface BatchAnswer {
  exchange: Exchange;
  operations: readonly BatchOperation[];
  container: Container;
  partition: PhysicalPartition;
  results: BatchResult[];
  requestUnits: number;
}

/** 207 as soon as one operation has failed. */
export function batchReply(answer: BatchAnswer): Reply {
  const { exchange, operations, container, partition, results, requestUnits } = answer;
  const failed = results.some(({ statusCode }) => statusCode >= 400);
  const shown = wantsMinimal(exchange) ? withoutWritten(results, operations) : results;
  return {
    status: failed ? 207 : 200,
    headers: partitionHeaders(container, partition),
    body: JSON.stringify(shown),
    requestCharge: requestUnits,
  };
}
