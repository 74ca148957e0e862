import { CosmosError } from '../errors.js';
import { readAccount } from '../handlers/account.js';
import { runBatch } from '../handlers/batch.js';
import { runBulk } from '../handlers/bulk.js';
import {
  createContainer,
  deleteContainer,
  listContainers,
  readContainer,
  replaceContainer,
} from '../handlers/containers.js';
import { createDatabase, deleteDatabase, listDatabases, readDatabase } from '../handlers/databases.js';
import { createOne, deleteOne, patchOne, readItem, replaceOne, upsertOne } from '../handlers/items.js';
import { listOffers, readOffer, replaceOffer } from '../handlers/offers.js';
import { listPartitionKeyRanges } from '../handlers/partition-key-ranges.js';
import { queryItems } from '../handlers/query.js';
import { planQuery } from '../handlers/query-plan.js';
import { readItemFeed } from '../handlers/read-feed.js';
import type { RequestContext } from '../handlers/request-context.js';
import type { Exchange } from './exchange.js';
import type { Operation } from './operation.js';
import type { RouteKind } from './routes.js';

export type Handler = (exchange: Exchange, context: RequestContext) => Operation;

/** What each method does to each kind of resource. */
const HANDLERS: Record<Exclude<RouteKind, 'control'>, Record<string, Handler>> = {
  account: { GET: readAccount },
  databases: { GET: listDatabases, POST: queryOr(listDatabases, createDatabase) },
  database: { GET: readDatabase, DELETE: deleteDatabase },
  containers: { GET: listContainers, POST: queryOr(listContainers, createContainer) },
  container: { GET: readContainer, PUT: replaceContainer, DELETE: deleteContainer },
  items: { GET: readItemFeed, POST: postItems },
  item: { GET: readItem, PUT: replaceOne, PATCH: patchOne, DELETE: deleteOne },
  partitionKeyRanges: { GET: listPartitionKeyRanges },
  offers: { GET: listOffers, POST: listOffers },
  offer: { GET: readOffer, PUT: replaceOffer },
};

export function handlerOf(exchange: Exchange): Handler {
  const { kind } = exchange.route;
  const methods = HANDLERS[kind as Exclude<RouteKind, 'control'>];
  const handler = methods[exchange.method];
  if (handler !== undefined) return handler;
  throw new CosmosError(
    'methodNotAllowed',
    `${exchange.method} is not allowed at ${exchange.request.url}; allowed are ${Object.keys(methods).join(', ')}.`,
  );
}

function isQuery(exchange: Exchange): boolean {
  return (
    exchange.flag('x-ms-documentdb-isquery') ||
    exchange.header('content-type')?.startsWith('application/query+json') === true
  );
}

function queryOr(query: Handler, create: Handler): Handler {
  return (exchange, context) => (isQuery(exchange) ? query : create)(exchange, context);
}

/** A POST of items is whatever its headers say. */
function postItems(exchange: Exchange, context: RequestContext): Operation {
  if (exchange.flag('x-ms-cosmos-is-query-plan-request')) return planQuery(exchange, context);
  if (isQuery(exchange)) return queryItems(exchange, context);
  if (exchange.flag('x-ms-cosmos-is-batch-request')) {
    return exchange.flag('x-ms-cosmos-batch-atomic')
      ? runBatch(exchange, context)
      : runBulk(exchange, context);
  }
  if (exchange.flag('x-ms-documentdb-is-upsert')) return upsertOne(exchange, context);
  return createOne(exchange, context);
}
