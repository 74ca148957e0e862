import { CosmosError } from '../errors.js';
import type { Exchange, Reply } from '../http/exchange.js';
import type { Operation, OperationKind } from '../http/operation.js';
import { effectivePartitionKey } from '../partitioning/effective-partition-key.js';
import type { PartitionKeyValue } from '../partitioning/partition-key.js';
import { candidatesOf, ItemCursor } from '../query/candidates.js';
import { type Continuation, formatContinuation, parseContinuation } from '../query/continuation.js';
import { DEFAULT_PAGE_ITEMS, type Page, runPage } from '../query/page.js';
import { queryMetricsHeader } from '../query/query-metrics.js';
import { QuerySpec, translated } from '../query/query-spec.js';
import { type Target, targetOf } from '../query/target.js';
import type { CompiledQuery } from '../sql/index.js';
import type { Container } from '../store/container.js';
import type { PhysicalPartition } from '../store/physical-partition.js';
import { admit, charge } from '../throughput/admission.js';
import { queryCharge, roundCharge } from '../throughput/request-charge.js';
import { planDocument } from './query-plan.js';
import { containerOf, partitionHeaders, type RequestContext } from './request-context.js';

/** One page of a document query. */
export function queryItems(exchange: Exchange, context: RequestContext): Operation {
  const container = containerOf(context, exchange);
  const spec = QuerySpec.of(exchange, context.queries);
  const query = spec.compile();
  const target = targetOf(exchange, container) ?? gatewayTarget(exchange, container, spec);
  return pageOperation({ exchange, context, container, query, target, kind: 'query' });
}

export interface PageOperation {
  exchange: Exchange;
  context: RequestContext;
  container: Container;
  query: CompiledQuery;
  target: Target;
  kind: OperationKind;
}

export function pageOperation({
  exchange,
  context,
  container,
  query,
  target,
  kind,
}: PageOperation): Operation {
  const maxItems = maxItemsOf(exchange);
  const token = exchange.header('x-ms-continuation');
  const from = token === undefined || token === '' ? null : parseContinuation(token);
  const partitions = remaining(target.partitions, from);
  const [partition] = partitions;
  if (partition === undefined) throw new CosmosError('badRequest', `Invalid continuation token: ${token}`);
  return {
    kind,
    container,
    partition,
    latency: 'query',
    execute: () => {
      const page: PageRequest = {
        exchange,
        container,
        query,
        target,
        from,
        maxItems,
        nowMs: context.clock.now(),
      };
      const joined = !query.streaming && partitions.length > 1;
      return joined ? joinedPage(page, partitions) : partitionPage(page, partition, partitions[1]);
    },
  };
}

interface PageRequest {
  exchange: Exchange;
  container: Container;
  query: CompiledQuery;
  target: Target;
  from: Continuation | null;
  maxItems: number;
  nowMs: number;
}

/** `x-ms-max-item-count`: -1 leaves the size of a page to its limit in bytes. */
export function maxItemsOf(exchange: Exchange): number {
  const header = exchange.header('x-ms-max-item-count');
  if (header === undefined) return DEFAULT_PAGE_ITEMS;
  const count = Number(header);
  if (count === -1) return Number.POSITIVE_INFINITY;
  if (Number.isInteger(count) && count > 0) return count;
  throw new CosmosError(
    'badRequest',
    `x-ms-max-item-count has to be -1 or a positive integer, not ${header}.`,
  );
}

function remaining(
  partitions: readonly PhysicalPartition[],
  from: Continuation | null,
): readonly PhysicalPartition[] {
  if (from === null) return partitions;
  return partitions.filter(({ range }) => range.maxExclusive > from.range.minInclusive);
}

/**
 * A query without partition key. The service's gateway answers filters and projections itself, page by page, and
 * leaves everything that has to be merged to the client, along with the plan.
 */
function gatewayTarget(exchange: Exchange, container: Container, spec: QuerySpec): Target {
  if (!exchange.flag('x-ms-documentdb-query-enablecrosspartition')) {
    throw new CosmosError(
      'badRequest',
      'Cross partition query is required but disabled. Please set x-ms-documentdb-query-enablecrosspartition to true, ' +
        'specify x-ms-documentdb-partitionkey, or revise your query to avoid this exception.',
    );
  }
  const description = spec.describe(container.definition.partitionKey.paths);
  const partitions = pinnedPartitions(container, description.partitionKeyValues);
  const single = description.partitionKeyValues?.length === 1 && partitions.length === 1;
  if (!description.servableByGateway && !single) {
    throw new CosmosError(
      'crossPartitionQueryNotServable',
      'The provided cross partition query can not be directly served by the gateway. This is a first chance (internal) ' +
        'exception that all newer clients will know how to handle gracefully. This exception is traced, but unless you ' +
        'see it bubble up as an exception (which only happens on older SDK clients), then you can safely ignore this message.',
      { body: { additionalErrorInfo: planDocument(container, description) } },
    );
  }
  return { partitions, scope: {} };
}

function pinnedPartitions(
  container: Container,
  keys: readonly (readonly unknown[])[] | null,
): readonly PhysicalPartition[] {
  if (keys === null || keys.length === 0) return container.partitions;
  const owners = new Set<PhysicalPartition>();
  for (const values of keys) {
    if (values.length !== container.keys.paths.length) return container.partitions;
    owners.add(
      container.layout.owning(effectivePartitionKey(values as PartitionKeyValue[], container.keys.scheme)),
    );
  }
  return container.partitions.filter((partition) => owners.has(partition));
}

/** The usual case: one physical partition; the continuation leads on to the next one, if there is one. */
function partitionPage(request: PageRequest, partition: PhysicalPartition, next?: PhysicalPartition): Reply {
  const { container, query, target, nowMs } = request;
  admit(container, partition, nowMs);
  const from = resumePoint(request.from, partition);
  const list = candidatesOf(container, partition, query.equalityFilters, target.scope);
  const cursor = new ItemCursor(list, target.scope, nowMs, from.sequence);
  const page = translated(() =>
    runPage(query, cursor, { maxItems: request.maxItems, itemOf: container.itemOf, from }),
  );
  const requestUnits = queryCharge(page, container.model.queryBaseRu);
  charge(container, partition, { nowMs, requestUnits });
  let continuation: Continuation | null = null;
  if (page.next !== null) continuation = { range: partition.range, ...page.next };
  else if (next !== undefined) continuation = { range: next.range, ...START };
  return pageReply(request, { page, partition, continuation, requestUnits });
}

const START = { sequence: 0, skip: 0, offset: 0 } as const;

/** A token made before a split names the parent's range: its position counts in each child. */
function resumePoint(from: Continuation | null, { range }: PhysicalPartition) {
  return from !== null && range.minInclusive < from.range.maxExclusive ? from : START;
}

/**
 * A query with state over several partitions: a client still asks for a range that was split. The children are read
 * together, so that it gets one sorted or aggregated answer, and each is charged for its visit.
 */
function joinedPage(request: PageRequest, partitions: readonly PhysicalPartition[]): Reply {
  const { container, query, target, nowMs } = request;
  for (const partition of partitions) admit(container, partition, nowMs);
  const lists = partitions.map((partition) =>
    candidatesOf(container, partition, query.equalityFilters, target.scope),
  );
  const joined = lists.flat().sort((a, b) => a.sequence - b.sequence);
  const from = request.from ?? START;
  const cursor = new ItemCursor(joined, target.scope, nowMs);
  const page = translated(() =>
    runPage(query, cursor, { maxItems: request.maxItems, itemOf: container.itemOf, from }),
  );
  const total = queryCharge(page, container.model.queryBaseRu * partitions.length);
  const share = roundCharge(total / partitions.length);
  for (const partition of partitions) charge(container, partition, { nowMs, requestUnits: share });
  const [partition] = partitions as [PhysicalPartition];
  const range = {
    minInclusive: partition.range.minInclusive,
    maxExclusive: (partitions.at(-1) as PhysicalPartition).range.maxExclusive,
  };
  const continuation = page.next === null ? null : { range, ...page.next };
  return pageReply(request, { page, partition, continuation, requestUnits: total });
}

interface PageAnswer {
  page: Page;
  partition: PhysicalPartition;
  continuation: Continuation | null;
  requestUnits: number;
}

function pageReply(
  { exchange, container }: PageRequest,
  { page, partition, continuation, requestUnits }: PageAnswer,
): Reply {
  const headers = partitionHeaders(container, partition);
  const count = page.results.length;
  headers.push('x-ms-item-count', String(count));
  if (continuation !== null) headers.push('x-ms-continuation', formatContinuation(continuation));
  if (exchange.flag('x-ms-documentdb-populatequerymetrics')) {
    headers.push(
      'x-ms-documentdb-query-metrics',
      queryMetricsHeader(page, performance.now() - exchange.startedMs),
    );
  }
  const body = `{"_rid":"${container.rid}","Documents":[${page.results.join(',')}],"_count":${count}}`;
  return { status: 200, headers, body, requestCharge: requestUnits };
}
