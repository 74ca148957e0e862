import { CosmosError } from '../errors.js';
import { type Exchange, jsonReply, type Reply } from '../http/exchange.js';
import type { Operation } from '../http/operation.js';
import { CHARGES } from '../throughput/request-charge.js';
import { feedReply } from './feed.js';
import type { RequestContext } from './request-context.js';
import { throughputOf } from './throughput-headers.js';

export function listDatabases(exchange: Exchange, context: RequestContext): Operation {
  return metadata(() => {
    const documents = [...context.account.databases.values()].map((database) => database.toDocument());
    return feedReply(exchange, context, { rid: '', name: 'Databases', documents });
  });
}

export function createDatabase(exchange: Exchange, { account }: RequestContext): Operation {
  return metadata(() => {
    const id = resourceIdOf(exchange.jsonObject(), 'database');
    const database = account.createDatabase(id, throughputOf(exchange));
    return jsonReply(database.toDocument(), {
      status: 201,
      headers: ['etag', database.etag],
      requestCharge: CHARGES.metadataWrite,
    });
  });
}

export function readDatabase({ route }: Exchange, { account }: RequestContext): Operation {
  return metadata(() => {
    const database = account.database(route.databaseId);
    const headers = ['etag', database.etag];
    return jsonReply(database.toDocument(), { headers, requestCharge: CHARGES.metadataRead });
  });
}

export function deleteDatabase({ route }: Exchange, { account }: RequestContext): Operation {
  return metadata(() => {
    account.deleteDatabase(account.database(route.databaseId));
    return { status: 204, headers: [], body: null, requestCharge: CHARGES.metadataWrite };
  });
}

/** Operations on databases, containers and offers use no container's request units and have no modelled latency. */
export function metadata(execute: () => Reply): Operation {
  return { kind: 'metadata', execute };
}

const RESOURCE_ID_CHARACTERS = 255;

export function resourceIdOf({ id }: Record<string, unknown>, resource: string): string {
  if (
    typeof id === 'string' &&
    id !== '' &&
    id.length <= RESOURCE_ID_CHARACTERS &&
    !/[/\\?#]|\p{Surrogate}/u.test(id) &&
    !id.endsWith(' ')
  ) {
    return id;
  }
  throw new CosmosError(
    'badRequest',
    `The id of a ${resource} has to be a text of 1 to ${RESOURCE_ID_CHARACTERS} characters without / \\ ? # and ` +
      `without a space at its end, not ${JSON.stringify(id)}.`,
  );
}
