import { CosmosClient } from '@azure/cosmos';
import {
  CONTAINERS,
  DATABASE,
  type PackagesDocument,
  packagesDocumentId,
  type UtilizationDocument,
} from '@bottleneck-lab/contracts';
import { type CosmosEmulator, startCosmosEmulator } from '@bottleneck-lab/cosmos-emulator';

export interface TestAccount extends AsyncDisposable {
  emulator: CosmosEmulator;
  client: CosmosClient;
  /** For a service's environment. */
  env: Record<string, string>;
  /** Makes the account answer as told, for example with 429. */
  injectFault(rule: object): Promise<void>;
}

/** 54,000 RU/s make nine physical partitions, as in the lab. */
const THROUGHPUT = 54_000;

export async function startAccount(options: { port?: number; create?: boolean } = {}): Promise<TestAccount> {
  const emulator = await startCosmosEmulator({ port: options.port ?? 0 });
  const { endpoint, key, controlToken } = emulator;
  const client = new CosmosClient({ endpoint, key, connectionPolicy: { enableEndpointDiscovery: false } });
  if (options.create !== false) await createContainers(client);
  return {
    emulator,
    client,
    env: { COSMOS_ENDPOINT: endpoint.replace(/\/$/, ''), COSMOS_KEY: key },
    async injectFault(rule) {
      const response = await fetch(`${endpoint}_emulator/faults`, {
        method: 'POST',
        headers: { 'x-emulator-token': controlToken, 'content-type': 'application/json' },
        body: JSON.stringify(rule),
      });
      if (!response.ok) throw new Error(`faults: ${response.status} ${await response.text()}`);
    },
    async [Symbol.asyncDispose]() {
      client.dispose();
      await emulator.stop();
    },
  };
}

export async function createContainers(
  client: CosmosClient,
  { databaseId = DATABASE, throughput = THROUGHPUT } = {},
): Promise<void> {
  const { database } = await client.databases.createIfNotExists({ id: databaseId });
  for (const { id, partitionKeyPath } of Object.values(CONTAINERS)) {
    const partitionKey = { paths: [partitionKeyPath], version: 2 };
    await database.containers.create({ id, partitionKey, throughput });
  }
}

export async function writeUtilization(
  client: CosmosClient,
  document: Pick<UtilizationDocument, 'id' | 'deliveryId' | 'ownerId' | 'traveledMiles' | 'assignedHours'> & {
    month?: number;
  },
  databaseId = DATABASE,
): Promise<void> {
  const full = { type: 'DroneUtilization', year: 2019, month: 7, notes: 'clear sky', ...document };
  for (const { id } of [CONTAINERS.utilizationByDelivery, CONTAINERS.utilizationByOwner]) {
    await client.database(databaseId).container(id).items.create(full);
  }
}

export async function writePackages(
  client: CosmosClient,
  document: Omit<PackagesDocument, 'id' | 'type'>,
): Promise<void> {
  const full = { ...document, id: packagesDocumentId(document), type: 'Packages' };
  await client.database(DATABASE).container(CONTAINERS.packages.id).items.create(full);
}
