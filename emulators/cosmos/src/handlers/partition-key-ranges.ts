import { type Exchange, jsonReply } from '../http/exchange.js';
import type { Operation } from '../http/operation.js';
import { containerOf, type RequestContext } from './request-context.js';

/** The physical partitions of a container. Ids are texts; ranges touch each other from "" to "FF". */
export function listPartitionKeyRanges(exchange: Exchange, context: RequestContext): Operation {
  const container = containerOf(context, exchange);
  const [first] = container.partitions;
  return {
    kind: 'partitionKeyRanges',
    container,
    ...(first === undefined ? {} : { partition: first }),
    latency: 'metadata',
    execute: () => {
      const { partitions, rid, self, etag, modifiedSeconds } = container;
      const ranges = partitions.map(({ id, range, parents }) => ({
        _rid: `${rid}${id}`,
        id,
        _etag: etag,
        minInclusive: range.minInclusive,
        maxExclusive: range.maxExclusive,
        ridPrefix: Number(id),
        _self: `${self}pkranges/${id}/`,
        throughputFraction: 1 / partitions.length,
        status: 'online',
        parents,
        _ts: modifiedSeconds,
      }));
      return jsonReply(
        { _rid: rid, PartitionKeyRanges: ranges, _count: ranges.length },
        { headers: ['x-ms-item-count', String(ranges.length), 'etag', etag] },
      );
    },
  };
}
