import { CosmosError } from '../errors.js';
import { type Exchange, jsonReply } from '../http/exchange.js';
import type { Operation } from '../http/operation.js';
import { parsePath } from '../partitioning/partition-key.js';
import type { Container, ContainerDefinition } from '../store/container.js';
import { CHARGES } from '../throughput/request-charge.js';
import { metadata, resourceIdOf } from './databases.js';
import { feedReply } from './feed.js';
import type { RequestContext } from './request-context.js';
import { throughputOf } from './throughput-headers.js';

/** Not part of Azure: sets the number of physical partitions of a new container, whatever its throughput. */
const PHYSICAL_PARTITIONS_HEADER = 'x-emulator-physical-partitions';
/** More would help nobody and cost memory. */
export const PHYSICAL_PARTITIONS_LIMIT = 1000;
const HIERARCHY_LIMIT = 3;

export function listContainers(exchange: Exchange, context: RequestContext): Operation {
  return metadata(() => {
    const database = context.account.database(exchange.route.databaseId, true);
    const documents = [...database.containers.values()].map((container) => container.toDocument());
    return feedReply(exchange, context, { rid: database.rid, name: 'DocumentCollections', documents });
  });
}

export function createContainer(exchange: Exchange, { account }: RequestContext): Operation {
  return metadata(() => {
    const database = account.database(exchange.route.databaseId, true);
    const container = database.createContainer({
      definition: definitionOf(exchange.jsonObject()),
      throughput: throughputOf(exchange),
      physicalPartitions: physicalPartitionsOf(exchange),
    });
    return jsonReply(container.toDocument(), {
      status: 201,
      headers: containerHeaders(container),
      requestCharge: CHARGES.metadataWrite,
    });
  });
}

export function readContainer(exchange: Exchange, { account }: RequestContext): Operation {
  return metadata(() => {
    const container = account.container(exchange.route.databaseId, exchange.route.containerId);
    const headers = containerHeaders(container);
    if (exchange.flag('x-ms-documentdb-populatequotainfo')) headers.push(...quotaHeaders(container));
    return jsonReply(container.toDocument(), { headers, requestCharge: CHARGES.metadataRead });
  });
}

export function replaceContainer(exchange: Exchange, { account }: RequestContext): Operation {
  return metadata(() => {
    const container = account.container(exchange.route.databaseId, exchange.route.containerId);
    container.replace(withoutSystemProperties(definitionOf(exchange.jsonObject())));
    return jsonReply(container.toDocument(), {
      headers: containerHeaders(container),
      requestCharge: CHARGES.metadataWrite,
    });
  });
}

export function deleteContainer({ route }: Exchange, { account }: RequestContext): Operation {
  return metadata(() => {
    const container = account.container(route.databaseId, route.containerId);
    container.database.deleteContainer(container);
    return { status: 204, headers: [], body: null, requestCharge: CHARGES.metadataWrite };
  });
}

function containerHeaders(container: Container): string[] {
  return [
    'etag',
    container.etag,
    'x-ms-alt-content-path',
    container.database.encodedLink,
    'x-ms-content-path',
    container.database.rid,
  ];
}

/** Sizes in KB, as the service reports them. */
function quotaHeaders(container: Container): string[] {
  const kilobytes = Math.ceil(container.storedBytes / 1024);
  const limit = container.partitions.length * 50 * 1024 * 1024;
  return [
    'x-ms-resource-quota',
    `documentsSize=${limit};documentsCount=-1;collectionSize=${limit};`,
    'x-ms-resource-usage',
    `documentsSize=${kilobytes};documentsCount=${container.itemCount};collectionSize=${kilobytes};`,
  ];
}

function physicalPartitionsOf(exchange: Exchange): number | undefined {
  const header = exchange.header(PHYSICAL_PARTITIONS_HEADER);
  if (header === undefined) return undefined;
  const count = Number(header);
  if (Number.isInteger(count) && count >= 1 && count <= PHYSICAL_PARTITIONS_LIMIT) return count;
  throw new CosmosError(
    'badRequest',
    `${PHYSICAL_PARTITIONS_HEADER} has to be an integer from 1 to ${PHYSICAL_PARTITIONS_LIMIT}, not ${header}.`,
  );
}

function definitionOf(body: Record<string, unknown>): ContainerDefinition {
  const id = resourceIdOf(body, 'container');
  const { partitionKey, defaultTtl } = body as {
    partitionKey?: { paths?: unknown; kind?: unknown; version?: unknown };
    defaultTtl?: unknown;
  };
  const { paths, kind = 'Hash', version } = partitionKey ?? {};
  if (!Array.isArray(paths) || paths.length === 0 || !paths.every((path) => typeof path === 'string')) {
    throw new CosmosError(
      'badRequest',
      'partitionKey.paths has to be an array of paths such as ["/ownerId"].',
    );
  }
  if (kind !== 'Hash' && kind !== 'MultiHash') {
    throw new CosmosError(
      'badRequest',
      `partitionKey.kind has to be Hash or MultiHash, not ${JSON.stringify(kind)}.`,
    );
  }
  const most = kind === 'Hash' ? 1 : HIERARCHY_LIMIT;
  if (paths.length > most) {
    throw new CosmosError(
      'badRequest',
      `A ${kind} partition key has at most ${most} paths, not ${paths.length}.`,
    );
  }
  if (version !== undefined && version !== 1 && version !== 2) {
    throw new CosmosError(
      'badRequest',
      `partitionKey.version has to be 1 or 2, not ${JSON.stringify(version)}.`,
    );
  }
  for (const path of paths) parsePath(path);
  assertTimeToLive(defaultTtl);
  return { ...body, id } as ContainerDefinition;
}

function assertTimeToLive(defaultTtl: unknown): void {
  if (defaultTtl === undefined || defaultTtl === null || defaultTtl === -1) return;
  if (Number.isInteger(defaultTtl) && (defaultTtl as number) > 0) return;
  throw new CosmosError(
    'badRequest',
    `defaultTtl has to be -1 or a positive integer, not ${JSON.stringify(defaultTtl)}.`,
  );
}

/** Clients send back what they read. */
function withoutSystemProperties(definition: ContainerDefinition): ContainerDefinition {
  const entries = Object.entries(definition).filter(([name]) => !name.startsWith('_'));
  return Object.fromEntries(entries) as ContainerDefinition;
}
