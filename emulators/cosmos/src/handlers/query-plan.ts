import type { Exchange } from '../http/exchange.js';
import { jsonReply } from '../http/exchange.js';
import type { Operation } from '../http/operation.js';
import { effectivePartitionKey } from '../partitioning/effective-partition-key.js';
import type { PartitionKeyValue } from '../partitioning/partition-key.js';
import { QuerySpec } from '../query/query-spec.js';
import { prefixRange } from '../query/target.js';
import type { QueryDescription } from '../sql/index.js';
import type { Container } from '../store/container.js';
import { containerOf, type RequestContext } from './request-context.js';

/** Tells a client how to spread a query over partition key ranges and how to merge what they answer. */
export function planQuery(exchange: Exchange, context: RequestContext): Operation {
  const container = containerOf(context, exchange);
  const [first] = container.partitions;
  return {
    kind: 'queryPlan',
    container,
    ...(first === undefined ? {} : { partition: first }),
    latency: 'metadata',
    execute: () => {
      const spec = QuerySpec.of(exchange, context.queries);
      return jsonReply(planDocument(container, spec.describe(container.definition.partitionKey.paths)));
    },
  };
}

export function planDocument(container: Container, description: QueryDescription): Record<string, unknown> {
  return {
    partitionedQueryExecutionInfoVersion: 2,
    queryInfo: description.queryInfo,
    queryRanges: queryRangesOf(container, description),
  };
}

interface QueryRange {
  min: string;
  max: string;
  isMinInclusive: boolean;
  isMaxInclusive: boolean;
}

/**
 * Points for pinned partition keys, one partition for a query that reads no documents, otherwise everything. Sorted and
 * without repetition, or the client refuses them.
 */
function queryRangesOf(
  container: Container,
  { partitionKeyValues, readsDocuments }: QueryDescription,
): QueryRange[] {
  const [first] = container.partitions;
  if (!readsDocuments && first !== undefined)
    return [{ min: '', max: first.range.maxExclusive, isMinInclusive: true, isMaxInclusive: false }];
  // Filters that contradict each other pin nothing; the client needs a range all the same.
  if (partitionKeyValues === null || partitionKeyValues.length === 0)
    return [{ min: '', max: 'FF', isMinInclusive: true, isMaxInclusive: false }];
  const { keys } = container;
  const effective = partitionKeyValues.map((values) => {
    const key = effectivePartitionKey(values as PartitionKeyValue[], keys.scheme);
    return { key, complete: values.length === keys.paths.length };
  });
  effective.sort((a, b) => (a.key < b.key ? -1 : 1));
  return effective
    .filter(({ key }, index) => key !== effective[index - 1]?.key)
    .map(({ key, complete }) =>
      complete
        ? { min: key, max: key, isMinInclusive: true, isMaxInclusive: true }
        : { min: key, max: prefixRange(key).maxExclusive, isMinInclusive: true, isMaxInclusive: false },
    );
}
