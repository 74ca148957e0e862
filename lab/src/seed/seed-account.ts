import { BulkOperationType, type Container, type CosmosClient } from '@azure/cosmos';
import { DATABASE } from '@bottleneck-lab/contracts';
import { StackError } from '../stack/errors.js';
import {
  countPartitions,
  createContainers,
  LAB_CONTAINER_NAMES,
  type LabContainerName,
  type LabContainers,
  labContainers,
  PACKAGES_RU,
} from './containers.js';
import { isCurrent, readMarker, writeMarker } from './dataset-marker.js';
import { generateDocuments } from './documents.js';
import { OFFERS, type ThroughputControl } from './throughput.js';

export interface SeedOptions {
  /** Opens a client; it is disposed of afterwards. */
  connect: () => CosmosClient;
  seed: number;
  physicalPartitions: number;
  /** RU/s of the utilization containers after seeding. */
  ruPerSecond: number;
  /** How throughput is read and set; by the account's own offers when absent, which needs its key. */
  throughput?: ThroughputControl;
  /** Called when all containers exist and before the first document is written. */
  onContainersCreated?: () => Promise<void>;
}

export interface SeedResult {
  /** Documents written; 0 when the data was there already. */
  written: number;
}

/**
 * Makes the account hold the data of `seed`, through the public protocol only: the same on Azure and on the
 * stand-in. Does nothing when the data is there. Never touches documents that the lab did not write.
 */
export async function seedAccount(options: SeedOptions): Promise<SeedResult> {
  const stale = await withClient(options.connect, (client) => prepareContainers(client, options));
  // The SDK keeps what it knows of a container for the life of a client, so new containers need a new one.
  return withClient(options.connect, async (client) => {
    const containers = labContainers(client);
    const written = stale ? await writeAll(containers, options.seed) : 0;
    await setRunningThroughput(containers, options);
    return { written };
  });
}

async function withClient<Result>(
  connect: () => CosmosClient,
  use: (client: CosmosClient) => Promise<Result>,
): Promise<Result> {
  const client = connect();
  try {
    return await use(client);
  } finally {
    client.dispose();
  }
}

/** Leaves empty or complete containers with the right partitions; returns whether documents have to be written. */
async function prepareContainers(client: CosmosClient, options: SeedOptions): Promise<boolean> {
  const { seed, physicalPartitions } = options;
  const containers = labContainers(client);
  const { created } = await createContainers(client, physicalPartitions);
  await options.onContainersCreated?.();

  const marker = created.has('packages') ? null : await readMarker(containers.packages);
  if (marker === null) await refuseForeignDocuments(containers, created);
  // Throws for containers whose throughput the lab can't set, before anything is written.
  const { throughput = OFFERS } = options;
  await Promise.all(LAB_CONTAINER_NAMES.map((name) => throughput.read(containers[name])));
  const stale = await containersToRecreate({ containers, created, physicalPartitions });
  if (isCurrent(marker, seed) && stale.length === 0 && created.size === 0) return false;

  const recreate = marker !== null && !isCurrent(marker, seed) ? LAB_CONTAINER_NAMES : stale;
  if (recreate.length > 0) {
    await Promise.all(recreate.map((name) => containers[name].delete()));
    await createContainers(client, physicalPartitions);
    await options.onContainersCreated?.();
  }
  return true;
}

async function writeAll(containers: LabContainers, seed: number): Promise<number> {
  await writeMarker(containers.packages, { state: 'writing', seed });
  const written = await writeDocuments(containers, seed);
  await writeMarker(containers.packages, { state: 'complete', seed });
  return written;
}

async function refuseForeignDocuments(containers: LabContainers, created: Set<LabContainerName>) {
  for (const name of LAB_CONTAINER_NAMES) {
    if (created.has(name)) continue;
    const { resources } = await containers[name].items
      .query('SELECT TOP 1 c.id FROM c', { forceQueryPlan: true, maxItemCount: 1 })
      .fetchAll();
    if (resources.length === 0) continue;
    throw new StackError(
      'ACCOUNT_NOT_OURS',
      `container ${DATABASE}/${containers[name].id} holds documents that the lab did not write; use another account, or delete the container yourself`,
    );
  }
}

/** Containers whose number of physical partitions differs: it can only be chosen at creation. */
async function containersToRecreate(options: {
  containers: LabContainers;
  created: Set<LabContainerName>;
  physicalPartitions: number;
}): Promise<LabContainerName[]> {
  const { containers, created, physicalPartitions } = options;
  const utilization = LAB_CONTAINER_NAMES.filter((name) => name !== 'packages' && !created.has(name));
  const counts = await Promise.all(utilization.map((name) => countPartitions(containers[name])));
  return utilization.filter((_, index) => counts[index] !== physicalPartitions);
}

async function writeDocuments(containers: LabContainers, seed: number): Promise<number> {
  const { utilization, packages } = generateDocuments(seed);
  const byOwner = utilization.map((document) => ({ key: document.ownerId, document }));
  const byDelivery = utilization.map((document) => ({ key: document.deliveryId, document }));
  const packagesByOwner = packages.map((document) => ({ key: document.ownerId, document }));
  await Promise.all([
    upsertAll(containers.utilizationByDelivery, byDelivery),
    upsertAll(containers.utilizationByOwner, byOwner),
    upsertAll(containers.packages, packagesByOwner),
  ]);
  return byOwner.length + byDelivery.length + packagesByOwner.length;
}

async function upsertAll(container: Container, entries: { key: string; document: object }[]): Promise<void> {
  const results = await container.items.executeBulkOperations(
    entries.map(({ key, document }) => ({
      operationType: BulkOperationType.Upsert,
      partitionKey: key,
      resourceBody: document as never,
    })),
  );
  const failed = results.find((result) => (result.response?.statusCode ?? 0) >= 300 || result.error);
  if (failed === undefined) return;
  const status = failed.error?.code ?? failed.response?.statusCode;
  throw new StackError('SEED_FAILED', `writing to container ${container.id} failed with status ${status}`, {
    cause: failed.error,
  });
}

async function setRunningThroughput(containers: LabContainers, options: SeedOptions): Promise<void> {
  const { ruPerSecond, throughput = OFFERS } = options;
  await Promise.all([
    throughput.set(containers.utilizationByDelivery, ruPerSecond),
    throughput.set(containers.utilizationByOwner, ruPerSecond),
    throughput.set(containers.packages, PACKAGES_RU.running),
  ]);
}
