import { CosmosError } from '../errors.js';
import type { Exchange, Reply } from '../http/exchange.js';
import type { Operation, OperationKind } from '../http/operation.js';
import { effectivePartitionKey } from '../partitioning/effective-partition-key.js';
import type { KeyRange } from '../partitioning/key-range.js';
import type { PartitionKeyValue } from '../partitioning/partition-key.js';
import { type Candidates, candidatesOf, ItemCursor } from '../query/candidates.js';
import { type Continuation, formatContinuation, parseContinuation } from '../query/continuation.js';
import { DEFAULT_PAGE_ITEMS, type Page, runPage } from '../query/page.js';
import { queryMetricsHeader } from '../query/query-metrics.js';
import { QuerySpec } from '../query/query-spec.js';
import { translated } from '../query/sql-errors.js';
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
      const nowMs = context.clock.now();
      const page: PageRequest = { exchange, container, query, target, from, maxItems, nowMs };
      const count = query.streaming ? partitionsOfOnePage(partitions, from) : partitions.length;
      return runPartitions(page, partitions.slice(0, count), partitions[count]);
    },
  };
}

/**
 * One page reads one physical partition, except when the page before it was read from a range that has been split
 * since: its position counts in all the children, so they are read together.
 */
function partitionsOfOnePage(partitions: readonly PhysicalPartition[], from: Continuation | null): number {
  if (from === null || from.sequence === 0) return 1;
  return Math.max(1, partitions.filter(({ range }) => range.minInclusive < from.range.maxExclusive).length);
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
  // Without FROM there is one answer, not one per partition.
  const partitions = description.readsDocuments
    ? pinnedPartitions(container, description.partitionKeyValues)
    : container.partitions.slice(0, 1);
  const single =
    partitions.length === 1 && (!description.readsDocuments || description.partitionKeyValues?.length === 1);
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

const START = { sequence: 0, skip: 0, offset: 0 } as const;

/**
 * Reads one page. Several partitions are read together when a query with state is asked of a range that was split,
 * or of a prefix of hierarchical keys: there has to be one sorted or aggregated answer. Each is charged for its visit.
 */
function runPartitions(
  request: PageRequest,
  partitions: readonly PhysicalPartition[],
  next: PhysicalPartition | undefined,
): Reply {
  const { container, query, target, nowMs, maxItems } = request;
  for (const partition of partitions) admit(container, partition, nowMs);
  const from = request.from ?? START;
  const { range } = target.scope;
  const cursor = new ItemCursor(candidates(request, partitions), {
    nowMs,
    range,
    fromSequence: from.sequence,
  });
  const page = translated(() => runPage(query, cursor, { maxItems, from }));
  const requestUnits = queryCharge(page, container.model.queryBaseRu * partitions.length);
  const share = partitions.length === 1 ? requestUnits : roundCharge(requestUnits / partitions.length);
  for (const partition of partitions) charge(container, partition, { nowMs, requestUnits: share });
  const [partition] = partitions as [PhysicalPartition];
  let continuation: Continuation | null = null;
  if (page.next !== null) continuation = { range: rangeOf(partitions), ...page.next };
  else if (next !== undefined) continuation = { range: next.range, ...START };
  return pageReply(request, { page, partition, continuation, requestUnits });
}

function candidates(
  { container, query, target }: PageRequest,
  partitions: readonly PhysicalPartition[],
): Candidates {
  const found = partitions.map((partition) =>
    candidatesOf(container, partition, query.equalityFilters, target.scope),
  );
  const [first, ...others] = found as [Candidates];
  if (others.length === 0) return first;
  return { list: found.flatMap(({ list }) => list).sort((a, b) => a.sequence - b.sequence) };
}

function rangeOf(partitions: readonly PhysicalPartition[]): KeyRange {
  const [first] = partitions as [PhysicalPartition];
  const last = partitions.at(-1) as PhysicalPartition;
  return { minInclusive: first.range.minInclusive, maxExclusive: last.range.maxExclusive };
}

/** Asked for index metrics, it says that it has none; clients decode the header as JSON. */
const NO_INDEX_METRICS = [
  'x-ms-cosmos-index-utilization',
  encodeURIComponent(JSON.stringify({ Unsupported: 'The emulator does not compute index metrics.' })),
];

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
  if (exchange.flag('x-ms-cosmos-populateindexmetrics-v2')) headers.push(...NO_INDEX_METRICS);
  const body = `{"_rid":"${container.rid}","Documents":[${page.results.join(',')}],"_count":${count}}`;
  return { status: 200, headers, body, requestCharge: requestUnits };
}
