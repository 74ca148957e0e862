import { CosmosError } from '../errors.js';
import type { Exchange, Reply } from '../http/exchange.js';
import type { Operation, OperationKind } from '../http/operation.js';
import type { LatencyKind } from '../latency/latency-model.js';
import type { Item } from '../store/item.js';
import {
  createItem,
  deleteItem,
  type ItemPlace,
  type Precondition,
  replaceItem,
  requireItem,
  upsertItem,
} from '../store/item-writes.js';
import { applyPatch, parsePatch } from '../store/patch.js';
import { admit, charge } from '../throughput/admission.js';
import {
  CHARGES,
  createCharge,
  deleteCharge,
  readCharge,
  replaceCharge,
} from '../throughput/request-charge.js';
import { containerOf, partitionHeaders, type RequestContext, requiredKey } from './request-context.js';

/** Outcome of an operation on one item. */
export interface ItemResult {
  status: number;
  /** Absent: nothing is sent back. */
  item: Item | null;
  etag: string | null;
  requestUnits: number;
}

export function readItem(exchange: Exchange, context: RequestContext): Operation {
  const { id } = exchange.route;
  const { ifNoneMatch } = preconditionOf(exchange);
  return itemOperation({ exchange, context, kind: 'read', latency: 'pointRead' }, (place) => {
    const item = requireItem(place, id);
    const unchanged = ifNoneMatch !== undefined && ifNoneMatch === item.document._etag;
    return {
      status: unchanged ? 304 : 200,
      item: unchanged ? null : item,
      etag: item.document._etag,
      requestUnits: unchanged ? CHARGES.readBase : readCharge(item.bytes),
    };
  });
}

export function createOne(exchange: Exchange, context: RequestContext): Operation {
  const body = exchange.jsonObject();
  return itemOperation({ exchange, context, kind: 'create', latency: 'write' }, (place) => {
    const item = createItem(place, body);
    return written(item, 201, createCharge(item.bytes, item.indexedPaths));
  });
}

export function upsertOne(exchange: Exchange, context: RequestContext): Operation {
  const body = exchange.jsonObject();
  const when = preconditionOf(exchange);
  return itemOperation({ exchange, context, kind: 'upsert', latency: 'write' }, (place) =>
    upserted(upsertItem(place, body, when)),
  );
}

export function upserted({ item, created }: { item: Item; created: boolean }): ItemResult {
  const charged = created ? createCharge : replaceCharge;
  return written(item, created ? 201 : 200, charged(item.bytes, item.indexedPaths));
}

export function replaceOne(exchange: Exchange, context: RequestContext): Operation {
  const body = exchange.jsonObject();
  const when = preconditionOf(exchange);
  return itemOperation({ exchange, context, kind: 'replace', latency: 'write' }, (place) => {
    const item = replaceItem(place, exchange.route.id, body, when);
    return written(item, 200, replaceCharge(item.bytes, item.indexedPaths));
  });
}

export function patchOne(exchange: Exchange, context: RequestContext): Operation {
  const patch = parsePatch(exchange.json());
  const when = preconditionOf(exchange);
  return itemOperation({ exchange, context, kind: 'patch', latency: 'write' }, (place) => {
    const item = applyPatch(place, { id: exchange.route.id, patch, when, queries: context.queries });
    return written(item, 200, replaceCharge(item.bytes, item.indexedPaths));
  });
}

export function deleteOne(exchange: Exchange, context: RequestContext): Operation {
  const when = preconditionOf(exchange);
  return itemOperation({ exchange, context, kind: 'delete', latency: 'write' }, (place) => {
    const item = deleteItem(place, exchange.route.id, when);
    return { status: 204, item: null, etag: null, requestUnits: deleteCharge(item.bytes, item.indexedPaths) };
  });
}

export function written(item: Item, status: number, requestUnits: number): ItemResult {
  return { status, item, etag: item.document._etag, requestUnits };
}

/** Clients that don't need the written item back save its bytes. */
export function wantsMinimal(exchange: Exchange): boolean {
  return exchange.header('prefer') === 'return=minimal';
}

interface ItemOperation {
  exchange: Exchange;
  context: RequestContext;
  kind: OperationKind;
  latency: LatencyKind;
}

function itemOperation(
  { exchange, context, kind, latency }: ItemOperation,
  run: (place: ItemPlace) => ItemResult,
): Operation {
  const container = containerOf(context, exchange);
  const key = requiredKey(exchange, container);
  return {
    kind,
    container,
    partition: container.layout.owning(key.effective),
    latency,
    execute: () => {
      // Looked up again: the partition may have been split while the request was on its way.
      const partition = container.layout.owning(key.effective);
      const place: ItemPlace = { container, partition, key, nowMs: context.clock.now() };
      admit(container, partition, place.nowMs);
      const result = charged(place, () => run(place));
      return itemReply(place, result, kind !== 'read' && wantsMinimal(exchange));
    },
  };
}

/** Charges an admitted operation; one that fails after admission costs a read. */
function charged(place: ItemPlace, run: () => ItemResult): ItemResult {
  const { container, partition, nowMs } = place;
  try {
    const result = run();
    charge(container, partition, { nowMs, requestUnits: result.requestUnits });
    return result;
  } catch (error) {
    if (!(error instanceof CosmosError)) throw error;
    charge(container, partition, { nowMs, requestUnits: CHARGES.readBase });
    const { kind, message, details } = error;
    throw new CosmosError(kind, message, { ...details, requestCharge: CHARGES.readBase });
  }
}

function itemReply(
  place: ItemPlace,
  { status, item, etag, requestUnits }: ItemResult,
  minimal: boolean,
): Reply {
  const headers = partitionHeaders(place.container, place.partition);
  if (etag !== null) headers.push('etag', etag);
  return { status, headers, body: item === null || minimal ? null : item.text, requestCharge: requestUnits };
}

function preconditionOf(exchange: Exchange): Precondition {
  return { ifMatch: exchange.header('if-match'), ifNoneMatch: exchange.header('if-none-match') };
}
