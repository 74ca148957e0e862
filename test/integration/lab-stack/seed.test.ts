import { CosmosClient } from '@azure/cosmos';
import { CONTAINERS, DATABASE, DATASET, type UtilizationDocument } from '@bottleneck-lab/contracts';
import { type CosmosEmulator, startCosmosEmulator } from '@bottleneck-lab/cosmos-emulator';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countPartitions, labContainers } from '../../../lab/src/seed/containers.js';
import { generateDocuments } from '../../../lab/src/seed/documents.js';
import { readThroughput, seedAccount, setThroughput } from '../../../lab/src/seed/index.js';

const DOCUMENTS = DATASET.owners * DATASET.months;
let emulator: CosmosEmulator;
let client: CosmosClient;
beforeEach(async () => {
  emulator = await startCosmosEmulator({ throttling: false });
  client = new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key });
});
afterEach(async () => {
  client.dispose();
  await emulator.stop();
});

const seed = (overrides: { seed?: number; physicalPartitions?: number } = {}) =>
  seedAccount({
    connect: () => new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key }),
    seed: 1,
    physicalPartitions: 9,
    ruPerSecond: 900,
    ...overrides,
  });

async function count(containerId: string): Promise<number> {
  const { resources } = await client
    .database(DATABASE)
    .container(containerId)
    .items.query<number>('SELECT VALUE COUNT(1) FROM c', { forceQueryPlan: true })
    .fetchAll();
  return resources[0] as number;
}

async function ownersMonth(containerId: string): Promise<UtilizationDocument[]> {
  const { resources } = await client
    .database(DATABASE)
    .container(containerId)
    .items.query<UtilizationDocument>(
      {
        query: 'SELECT * FROM c WHERE c.ownerId = @ownerId AND c.year = @year AND c.month = @month',
        parameters: [
          { name: '@ownerId', value: 'o000042' },
          { name: '@year', value: 2019 },
          { name: '@month', value: 7 },
        ],
      },
      { forceQueryPlan: true, maxItemCount: 100 },
    )
    .fetchAll();
  return resources;
}

describe('seedAccount', () => {
  it('writes every document to containers of nine physical partitions and lowers the offers', async () => {
    expect(await seed()).toEqual({ written: 3 * DOCUMENTS });
    const containers = labContainers(client);
    expect(await count(CONTAINERS.utilizationByDelivery.id)).toBe(DOCUMENTS);
    expect(await count(CONTAINERS.utilizationByOwner.id)).toBe(DOCUMENTS);
    // One more: the marker that says whose data it is.
    expect(await count(CONTAINERS.packages.id)).toBe(DOCUMENTS + 1);
    expect(await countPartitions(containers.utilizationByDelivery)).toBe(9);
    expect(await countPartitions(containers.utilizationByOwner)).toBe(9);
    expect(await readThroughput(containers.utilizationByDelivery)).toBe(900);
    expect(await readThroughput(containers.utilizationByOwner)).toBe(900);
    expect(await readThroughput(containers.packages)).toBe(400);

    const expected = generateDocuments(1).utilization.find(
      (one) => one.ownerId === 'o000042' && one.month === 7,
    );
    for (const { id } of [CONTAINERS.utilizationByDelivery, CONTAINERS.utilizationByOwner]) {
      expect(await ownersMonth(id)).toMatchObject([expected]);
    }
  });

  it('writes nothing the second time, and sets the throughput all the same', async () => {
    await seed();
    await setThroughput(labContainers(client).utilizationByDelivery, 2_500);
    expect(await seed()).toEqual({ written: 0 });
    expect(await readThroughput(labContainers(client).utilizationByDelivery)).toBe(900);
  });

  it('replaces the data of another seed', async () => {
    await seed();
    const [before] = await ownersMonth(CONTAINERS.utilizationByOwner.id);
    expect(await seed({ seed: 2 })).toEqual({ written: 3 * DOCUMENTS });
    const after = await ownersMonth(CONTAINERS.utilizationByOwner.id);
    expect(after).toHaveLength(1);
    expect(after[0]?.deliveryId).not.toBe(before?.deliveryId);
  });

  it('repeats a seeding that broke off', async () => {
    await seed();
    const { packages } = labContainers(client);
    const marker = packages.item('bottleneck-lab-dataset', 'bottleneck-lab');
    const { resource } = await marker.read();
    await marker.replace({ ...resource, state: 'writing' });
    expect(await seed()).toEqual({ written: 3 * DOCUMENTS });
  });

  it('creates the utilization containers anew for another number of physical partitions', async () => {
    await seed();
    await seed({ physicalPartitions: 3 });
    const { utilizationByDelivery, utilizationByOwner } = labContainers(client);
    expect(await countPartitions(utilizationByDelivery)).toBe(3);
    expect(await countPartitions(utilizationByOwner)).toBe(3);
    expect(await count(CONTAINERS.utilizationByDelivery.id)).toBe(DOCUMENTS);
    expect(await readThroughput(utilizationByDelivery)).toBe(900);
  });

  it('does not touch documents that the lab did not write', async () => {
    const { database } = await client.databases.createIfNotExists({ id: DATABASE });
    const { container } = await database.containers.createIfNotExists({
      id: CONTAINERS.utilizationByDelivery.id,
      partitionKey: { paths: ['/deliveryId'] },
    });
    await container.items.create({ id: 'theirs', deliveryId: 'theirs' });
    await expect(seed()).rejects.toMatchObject({
      code: 'ACCOUNT_NOT_OURS',
      message: expect.stringContaining('invoicing/utilization'),
    });
    expect((await container.item('theirs', 'theirs').read()).statusCode).toBe(200);
  });

  it('refuses a container that scales automatically, as scenarios fix its throughput', async () => {
    const { database } = await client.databases.createIfNotExists({ id: DATABASE });
    await database.containers.createIfNotExists({
      id: CONTAINERS.utilizationByDelivery.id,
      partitionKey: { paths: ['/deliveryId'] },
      maxThroughput: 54_000,
    });
    await expect(seed({ physicalPartitions: 6 })).rejects.toMatchObject({
      code: 'SEED_FAILED',
      message: expect.stringContaining('scales automatically'),
    });
    expect(await count(CONTAINERS.utilizationByDelivery.id)).toBe(0);
  });
});
