import { CosmosError } from '../errors.js';
import type { Exchange, Reply } from '../http/exchange.js';
import type { Operation } from '../http/operation.js';
import { ItemCursor } from '../query/candidates.js';
import { type Target, targetOf } from '../query/target.js';
import type { CompiledQuery } from '../sql/index.js';
import type { Container } from '../store/container.js';
import type { Item } from '../store/item.js';
import type { PhysicalPartition } from '../store/physical-partition.js';
import { admit, charge } from '../throughput/admission.js';
import { CHARGES, queryCharge } from '../throughput/request-charge.js';
import { maxItemsOf, pageOperation } from './query.js';
import { containerOf, partitionHeaders, type RequestContext } from './request-context.js';

const EVERYTHING: CompiledQuery = { equalityFilters: [], streaming: true, run: (documents) => documents };

/** GET on a container's items: all of them page by page, or with `A-IM` those that changed. */
export function readItemFeed(exchange: Exchange, context: RequestContext): Operation {
  const container = containerOf(context, exchange);
  const target = targetOf(exchange, container) ?? { partitions: container.partitions, scope: {} };
  const mode = exchange.header('a-im');
  if (mode === undefined) {
    return pageOperation({ exchange, context, container, query: EVERYTHING, target, kind: 'readFeed' });
  }
  return changeFeed(exchange, context, { container, target, mode });
}

interface ChangeFeed {
  container: Container;
  target: Target;
  mode: string;
}

/** Latest versions in order of change; answered 304 when there is nothing new. The `etag` is where to go on. */
function changeFeed(
  exchange: Exchange,
  context: RequestContext,
  { container, target, mode }: ChangeFeed,
): Operation {
  if (mode.toLowerCase() !== 'incremental feed') {
    throw new CosmosError(
      'badRequest',
      `Change feed mode ${JSON.stringify(mode)} is not supported: the emulator keeps the latest version of items only (A-IM: Incremental Feed).`,
    );
  }
  const [partition] = target.partitions;
  if (partition === undefined) throw new CosmosError('badRequest', 'The feed range is empty.');
  const maxItems = maxItemsOf(exchange);
  return {
    kind: 'changeFeed',
    container,
    partition,
    latency: 'query',
    execute: () => {
      const nowMs = context.clock.now();
      admit(container, partition, nowMs);
      const newest = Math.max(...target.partitions.map(({ lsn }) => lsn));
      const since = startOf(exchange, newest);
      const changed = changesIn(target, since, nowMs).slice(0, maxItems);
      const bytes = changed.reduce((sum, item) => sum + item.bytes, 0);
      const requestUnits =
        changed.length === 0
          ? CHARGES.readBase
          : queryCharge(
              {
                documentsLoaded: changed.length,
                bytesLoaded: bytes,
                documentsReturned: changed.length,
                bytesReturned: bytes,
              },
              container.model.queryBaseRu,
            );
      charge(container, partition, { nowMs, requestUnits });
      const last = changed.length === maxItems ? changed.at(-1) : undefined;
      return feedReply({ container, partition, changed, continuation: last?.lsn ?? newest, requestUnits });
    },
  };
}

interface Start {
  /** Log sequence number of the newest change that the reader knows. */
  lsn: number;
  /** Seconds since 1970. */
  time: number;
}

/** `If-None-Match: *` is from now on; without it and without `If-Modified-Since` the feed begins at the first change. */
function startOf(exchange: Exchange, newest: number): Start {
  const etag = exchange.header('if-none-match');
  const modifiedSince = exchange.header('if-modified-since');
  const time = modifiedSince === undefined ? 0 : Math.floor(Date.parse(modifiedSince) / 1000);
  if (Number.isNaN(time))
    throw new CosmosError('badRequest', `If-Modified-Since is not a date: ${modifiedSince}`);
  if (etag === undefined) return { lsn: 0, time };
  if (etag === '*') return { lsn: newest, time: 0 };
  const match = /^"?(\d+)"?$/.exec(etag);
  if (match === null)
    throw new CosmosError('badRequest', `Invalid change feed continuation in If-None-Match: ${etag}`);
  return { lsn: Number(match[1]), time: 0 };
}

function changesIn({ partitions, scope }: Target, { lsn, time }: Start, nowMs: number): Item[] {
  const changed: Item[] = [];
  for (const partition of partitions) {
    if (partition.lsn <= lsn) continue;
    const list =
      scope.key === undefined
        ? partition.items.list
        : partition.logicalPartitions.get(scope.key.text)?.items.list;
    const cursor = new ItemCursor({ list: list ?? [] }, { nowMs, range: scope.range });
    for (const _document of cursor) {
      const item = cursor.current as Item;
      if (item.lsn > lsn && item.document._ts >= time) changed.push(item);
    }
  }
  return changed.sort((a, b) => a.lsn - b.lsn);
}

interface ChangeFeedAnswer {
  container: Container;
  partition: PhysicalPartition;
  changed: Item[];
  continuation: number;
  requestUnits: number;
}

function feedReply({ container, partition, changed, continuation, requestUnits }: ChangeFeedAnswer): Reply {
  const headers = partitionHeaders(container, partition);
  headers.push('etag', `"${continuation}"`, 'x-ms-item-count', String(changed.length));
  if (changed.length === 0) return { status: 304, headers, body: null, requestCharge: requestUnits };
  const body = `{"_rid":"${container.rid}","Documents":[${changed.map(({ text }) => text).join(',')}],"_count":${changed.length}}`;
  return { status: 200, headers, body, requestCharge: requestUnits };
}
