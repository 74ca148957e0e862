import { type Exchange, jsonReply } from '../http/exchange.js';
import type { Operation } from '../http/operation.js';

/**
 * Clients ignore the locations of an account that is called `localhost`, and read the account before every request.
 */
const ACCOUNT_ID = 'bottleneck-lab';
const REGION = 'Local';

/** The account's document; clients send all further requests to the endpoint that it names. */
export function readAccount(exchange: Exchange): Operation {
  return { kind: 'account', execute: () => jsonReply(accountDocument(endpointOf(exchange))) };
}

/** The address by which the client came: it is right behind port mappings and in container networks too. */
function endpointOf({ request }: Exchange): string {
  const { localAddress = '127.0.0.1', localPort } = request.socket;
  const host = request.headers.host ?? `${localAddress}:${localPort}`;
  return `http://${host}/`;
}

function accountDocument(endpoint: string): Record<string, unknown> {
  const locations = [{ name: REGION, databaseAccountEndpoint: endpoint }];
  return {
    _self: '',
    id: ACCOUNT_ID,
    _rid: ACCOUNT_ID,
    media: '//media/',
    addresses: '//addresses/',
    _dbs: '//dbs/',
    writableLocations: locations,
    readableLocations: locations,
    enableMultipleWriteLocations: false,
    userReplicationPolicy: { asyncReplication: false, minReplicaSetSize: 1, maxReplicasetSize: 4 },
    userConsistencyPolicy: { defaultConsistencyLevel: 'Session' },
    systemReplicationPolicy: { minReplicaSetSize: 1, maxReplicasetSize: 4 },
    readPolicy: { primaryReadCoefficient: 1, secondaryReadCoefficient: 1 },
    queryEngineConfiguration: JSON.stringify({
      maxSqlQueryInputLength: 524_288,
      maxJoinsPerSqlQuery: 10,
      maxLogicalAndPerSqlQuery: 2000,
      maxLogicalOrPerSqlQuery: 2000,
      enableSpatialIndexing: false,
    }),
  };
}
