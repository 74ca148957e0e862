import { DEPENDENCY_TYPES, type DependencyType } from '@bottleneck-lab/contracts';

/** The part of the SDK's request context that tells requests apart. */
export interface CosmosRequest {
  path?: string;
  operationType?: string;
  resourceType?: string;
  partitionKeyRangeId?: string;
  headers?: Record<string, unknown>;
}

/** Which kind of dependency an attempt is. Only document queries count as partition queries. */
export function dependencyTypeOf({ operationType, resourceType, headers }: CosmosRequest): DependencyType {
  if (resourceType !== 'docs') return DEPENDENCY_TYPES.metadata;
  // To the SDK a query plan is a read of documents; only this header tells it from a point read.
  if (headers?.['x-ms-cosmos-is-query-plan-request']) return DEPENDENCY_TYPES.metadata;
  if (operationType === 'read') return DEPENDENCY_TYPES.pointRead;
  return operationType === 'query' ? DEPENDENCY_TYPES.documentQuery : DEPENDENCY_TYPES.metadata;
}

/** The container in `/dbs/{database}/colls/{container}/...`; the whole account has none. */
export function containerOf({ path = '' }: CosmosRequest): string {
  return path.match(/^\/?dbs\/[^/]+\/colls\/([^/]+)/)?.[1] ?? 'account';
}

/**
 * The partition key range that answered. Fan-out queries carry it; for requests by partition key the service picks the
 * range and tells it in the session token, `rangeId:version#lsn`.
 */
export function partitionOf(request: CosmosRequest, answerHeaders: Record<string, unknown>): string {
  const asked = request.partitionKeyRangeId ?? request.headers?.['x-ms-documentdb-partitionkeyrangeid'];
  if (asked !== undefined) return String(asked);
  const token = String(answerHeaders['x-ms-session-token'] ?? '');
  const end = token.indexOf(':');
  return end > 0 ? token.slice(0, end) : '';
}
