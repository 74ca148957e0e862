import { randomUUID } from 'node:crypto';
import { type Container, type ContainerRequest, CosmosClient, type Database } from '@azure/cosmos';
import { startCosmosEmulator } from '@bottleneck-lab/cosmos-emulator';

/** The account that a conformance case runs against: the emulator, or a real one named by the environment. */
export interface Target {
  /** Whether answers may be compared with what only the emulator promises. */
  isEmulator: boolean;
  client: CosmosClient;
  database: Database;
  /** A new container with a name of its own. */
  container(definition?: Omit<ContainerRequest, 'id'>): Promise<Container>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * `COSMOS_PARITY_ENDPOINT` and `COSMOS_PARITY_KEY` name a real account. One database is created there and deleted
 * at the end; its containers have 400 RU/s unless a case needs more.
 */
export async function openTarget(): Promise<Target> {
  const { COSMOS_PARITY_ENDPOINT: endpoint, COSMOS_PARITY_KEY: key } = process.env;
  if (endpoint && key) return await connect({ endpoint, key, isEmulator: false });
  if (endpoint || key)
    throw new Error('COSMOS_PARITY_ENDPOINT and COSMOS_PARITY_KEY are needed both, or neither');
  const emulator = await startCosmosEmulator();
  const target = await connect({ ...emulator, isEmulator: true });
  return {
    ...target,
    [Symbol.asyncDispose]: async () => {
      await target[Symbol.asyncDispose]();
      await emulator.stop();
    },
  };
}

async function connect({
  endpoint,
  key,
  isEmulator,
}: {
  endpoint: string;
  key: string;
  isEmulator: boolean;
}): Promise<Target> {
  const client = new CosmosClient({ endpoint, key });
  const { database } = await client.databases.create({ id: `conformance-${randomUUID()}` });
  return {
    isEmulator,
    client,
    database,
    container: async (definition = {}) => {
      const partitionKey = { paths: ['/pk'], version: 2 };
      const { container } = await database.containers.create({
        partitionKey,
        ...definition,
        id: randomUUID(),
      });
      return container;
    },
    [Symbol.asyncDispose]: async () => {
      await database.delete();
      client.dispose();
    },
  };
}
