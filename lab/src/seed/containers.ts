import type { Container, CosmosClient, Database } from '@azure/cosmos';
import { CONTAINERS, DATABASE } from '@bottleneck-lab/contracts';

export interface LabContainers {
  utilizationByDelivery: Container;
  utilizationByOwner: Container;
  packages: Container;
}
export type LabContainerName = keyof LabContainers;
export const LAB_CONTAINER_NAMES = Object.keys(CONTAINERS) as LabContainerName[];

/** A new container with manual throughput gets about one physical partition per 6,000 RU/s. */
const RU_PER_NEW_PARTITION = 6_000;

/**
 * Throughput of the packages container. Its documents cost about 38,000 RU to write; with less, the SDK's bulk
 * backs off for up to ten seconds after each second. 400 is Azure's floor after that: a hundredth of the highest ever.
 */
export const PACKAGES_RU = { seeding: 40_000, running: 400 } as const;

/** The throughput at creation that gives `physicalPartitions`. */
export function creationThroughput(physicalPartitions: number): number {
  return physicalPartitions * RU_PER_NEW_PARTITION;
}

/** Containers by name without asking the account. */
export function labContainers(client: CosmosClient): LabContainers {
  const database = client.database(DATABASE);
  return Object.fromEntries(
    LAB_CONTAINER_NAMES.map((name) => [name, database.container(CONTAINERS[name].id)]),
  ) as unknown as LabContainers;
}

/** Creates what is missing. `created` names the containers that did not exist. */
export async function createContainers(
  client: CosmosClient,
  physicalPartitions: number,
): Promise<{ created: Set<LabContainerName> }> {
  const { database } = await client.databases.createIfNotExists({ id: DATABASE });
  const created = new Set<LabContainerName>();
  await Promise.all(
    LAB_CONTAINER_NAMES.map(async (name) => {
      const { statusCode } = await createContainer(database, name, physicalPartitions);
      if (statusCode === 201) created.add(name);
    }),
  );
  return { created };
}

function createContainer(database: Database, name: LabContainerName, physicalPartitions: number) {
  const { id, partitionKeyPath } = CONTAINERS[name];
  return database.containers.createIfNotExists({
    id,
    partitionKey: { paths: [partitionKeyPath], version: 2 },
    throughput: name === 'packages' ? PACKAGES_RU.seeding : creationThroughput(physicalPartitions),
  });
}

/** Physical partitions as the account reports them. */
export async function countPartitions(container: Container): Promise<number> {
  const { resources } = await container.readPartitionKeyRanges().fetchAll();
  return resources.length;
}
