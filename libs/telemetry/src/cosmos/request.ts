import { DEPENDENCY_TYPES, type DependencyType } from '@bottleneck-lab/contracts';

/** What an HTTP request to Cosmos DB is, from what the SDK sends. */
export interface CosmosRequest {
  type: DependencyType;
  /** Account host, and the database where the path names one. */
  target: string;
  container: string;
  /** Partition key range id, where the request is for one; else the answer tells it. */
  partition: string;
  partitionKey: string;
  /** Equal for all attempts of one request. */
  identity: string;
}

export interface OutgoingRequest {
  method: string;
  path: string;
  header(name: string): string;
}

/** The SDK names itself in two headers; nothing else tells its requests from others to the same host. */
export function isCosmosRequest(request: OutgoingRequest): boolean {
  return /azure-cosmos/i.test(request.header('x-ms-useragent') || request.header('user-agent'));
}

const PATH = /^\/dbs\/([^/?]+)(?:\/colls\/([^/?]+))?(?:\/(docs)(?:\/[^/?]+)?)?/;

export function describeCosmosRequest(request: OutgoingRequest): CosmosRequest {
  const [, database = '', container = '', documents] = PATH.exec(request.path) ?? [];
  const host = request.header('host');
  const partition = request.header('x-ms-documentdb-partitionkeyrangeid');
  const partitionKey = request.header('x-ms-documentdb-partitionkey');
  return {
    type: documents === undefined ? DEPENDENCY_TYPES.metadata : documentType(request),
    target: database === '' ? host : `${host}|${database}`,
    container,
    partition,
    partitionKey,
    identity: [
      ...[request.method, request.path, partition, partitionKey],
      request.header('x-ms-cosmos-correlated-activityid'),
      request.header('x-ms-continuation'),
      request.header('x-ms-cosmos-is-query-plan-request'),
    ].join('\n'),
  };
}

function documentType(request: OutgoingRequest): DependencyType {
  // The query plan goes to the same address as the query and differs in this header only.
  if (request.header('x-ms-cosmos-is-query-plan-request')) return DEPENDENCY_TYPES.metadata;
  if (request.header('x-ms-documentdb-isquery')) return DEPENDENCY_TYPES.documentQuery;
  if (request.method !== 'GET') return DEPENDENCY_TYPES.write;
  return /\/docs\/[^/?]+/.test(request.path) ? DEPENDENCY_TYPES.pointRead : DEPENDENCY_TYPES.metadata;
}

/** The partition key range that answered, from a session token `rangeId:version#lsn`. */
export function partitionOfSessionToken(token: string): string {
  const end = token.indexOf(':');
  return end > 0 ? token.slice(0, end) : '';
}
