import type { Query } from './ast.js';
import { resolveEqualities } from './compiled-query.js';
import { SqlError } from './errors.js';
import type { AggregateName } from './functions/registry.js';
import { isGrouped } from './grouping.js';
import { pinPartitionKeys } from './partition-keys.js';
import type { AggregateType, QueryInfo } from './plan.js';
import { printExpression } from './printer.js';
import { rewriteQuery } from './rewriting.js';
import type { QueryParameter, RowWindow } from './template.js';
import { bindParameters, isStreaming, resolveWindow, templateOf } from './template.js';
import { findAggregate, isAggregateCall, projectedExpressions } from './traversal.js';

export interface QueryDescription {
  /** As the SDKs read it from a query plan. */
  queryInfo: QueryInfo;
  /** Full partition keys pinned by equality or IN on all partition key paths; null: every partition. */
  partitionKeyValues: readonly (readonly unknown[])[] | null;
  /** Only projections and filters: served page by page with a continuation; anything else is answered 400, substatus 1004, with the plan. */
  servableByGateway: boolean;
  /** False for a query without FROM: it has one answer, and any one partition gives it. */
  readsDocuments: boolean;
}

const AGGREGATE_TYPES: Readonly<Record<AggregateName, AggregateType>> = {
  AVG: 'Average',
  COUNT: 'Count',
  MAX: 'Max',
  MIN: 'Min',
  SUM: 'Sum',
};

const fixedInfos = new WeakMap<Query, QueryInfo>();

/**
 * Plans a query over all partitions.
 *
 * @param partitionKeyPaths as in the container's definition: `/ownerId`, `/a/b`
 * @throws {SqlError} PARAMETER; UNSUPPORTED, for what cannot be merged from partitions
 */
export function describeQuery(
  query: Query,
  parameters: readonly QueryParameter[],
  partitionKeyPaths: readonly string[],
): QueryDescription {
  const template = templateOf(query);
  const values = bindParameters(template, parameters);
  return {
    queryInfo: queryInfoOf(query, resolveWindow(template, values)),
    partitionKeyValues: pinPartitionKeys(resolveEqualities(template, values), partitionKeyPaths),
    servableByGateway: isStreaming(query),
    readsDocuments: query.sources.length > 0,
  };
}

/** The plan depends on the parameters only where they give TOP, OFFSET or LIMIT. */
function queryInfoOf(query: Query, window: RowWindow): QueryInfo {
  const isFixed = [query.top, query.offset, query.limit].every((count) => count?.kind !== 'parameter');
  const known = isFixed ? fixedInfos.get(query) : undefined;
  if (known) return known;
  const info = buildQueryInfo(query, window);
  if (isFixed) fixedInfos.set(query, info);
  return info;
}

function buildQueryInfo(query: Query, window: RowWindow): QueryInfo {
  const { projection } = query;
  const grouped = isGrouped(query);
  if (grouped) refuseCompositions(query);
  const orderBy = grouped ? [] : query.orderBy;
  const items = grouped && projection.kind === 'list' ? projection.items : [];
  const value = projection.kind === 'value' ? projection.expression : null;
  return {
    distinctType: distinctType(query),
    ...window,
    orderBy: orderBy.map(({ descending }) => (descending ? 'Descending' : 'Ascending')),
    orderByExpressions: orderBy.map(({ expression }) => printExpression(expression)),
    groupByExpressions: query.groupBy.map(printExpression),
    groupByAliases: items.map(({ name }) => name),
    aggregates: value && isAggregateCall(value) ? [AGGREGATE_TYPES[value.name as AggregateName]] : [],
    groupByAliasToAggregateType: Object.fromEntries(
      items.map(({ name, expression }) => [
        name,
        isAggregateCall(expression) ? AGGREGATE_TYPES[expression.name as AggregateName] : null,
      ]),
    ),
    rewrittenQuery: rewriteQuery(query, window),
    hasSelectValue: value !== null,
    dCountInfo: null,
    hasNonStreamingOrderBy: false,
  };
}

/** Partial results of `1 + COUNT(1)` cannot be merged; the service refuses them too. */
function refuseCompositions(query: Query): void {
  for (const expression of projectedExpressions(query.projection)) {
    const aggregate = isAggregateCall(expression) ? undefined : findAggregate(expression);
    if (!aggregate) continue;
    const message = 'Compositions of aggregates and other expressions are not allowed across partitions';
    throw new SqlError({ code: 'UNSUPPORTED', message, text: query.text, span: aggregate.span });
  }
}

/** Ordered: equal results are neighbours, because exactly what is projected is sorted by. */
function distinctType(query: Query): QueryInfo['distinctType'] {
  if (!query.distinct) return 'None';
  if (isGrouped(query) || query.projection.kind === 'star') return 'Unordered';
  const projected = new Set(projectedExpressions(query.projection).map(printExpression));
  const sorted = new Set(query.orderBy.map(({ expression }) => printExpression(expression)));
  const isSame = projected.size === sorted.size && [...projected].every((text) => sorted.has(text));
  return isSame ? 'Ordered' : 'Unordered';
}
