import { CosmosError } from '../errors.js';
import { type Exchange, jsonReply, type Reply } from '../http/exchange.js';
import { QuerySpec } from '../query/query-spec.js';
import { CHARGES } from '../throughput/request-charge.js';
import { maxItemsOf } from './query.js';
import type { RequestContext } from './request-context.js';

/** A listing of databases, containers or offers, or a query over them. */
export interface Feed {
  /** Resource id of the parent. */
  rid: string;
  /** Name of the array in the answer. */
  name: string;
  documents: Record<string, unknown>[];
}

/** GET lists everything, POST carries a query. */
export function feedReply(
  exchange: Exchange,
  context: RequestContext,
  { rid, name, documents }: Feed,
): Reply {
  const isQuery = exchange.method === 'POST';
  const all = isQuery ? [...QuerySpec.of(exchange, context.queries).compile().run(documents)] : documents;
  const offset = offsetOf(exchange.header('x-ms-continuation'));
  const end = Math.min(all.length, offset + maxItemsOf(exchange));
  const page = all.slice(offset, end);
  const headers = ['x-ms-item-count', String(page.length)];
  if (end < all.length) headers.push('x-ms-continuation', String(end));
  const body = { _rid: rid, [name]: page, _count: page.length };
  return jsonReply(body, { headers, requestCharge: CHARGES.metadataRead });
}

function offsetOf(token: string | undefined): number {
  if (token === undefined || token === '') return 0;
  const offset = Number(token);
  if (Number.isInteger(offset) && offset >= 0) return offset;
  throw new CosmosError('badRequest', `Invalid continuation token: ${token}`);
}
