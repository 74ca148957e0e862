import { randomUUID } from 'node:crypto';
import { CosmosClient } from '@azure/cosmos';
import { droneUtilization, OPERATIONS } from '@bottleneck-lab/contracts';
import { createApp, settings } from '@bottleneck-lab/drone-utilization';
import { startService } from '@bottleneck-lab/service-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../integration/service-kit/eventually.js';
import { testConfig } from '../integration/service-kit/service-under-test.js';
import { createContainers, writeUtilization } from '../integration/services/cosmos-account.js';
import { dependencyTotals } from '../integration/services/dependencies.js';

const { COSMOS_PARITY_ENDPOINT: endpoint = '', COSMOS_PARITY_KEY: key = '' } = process.env;
if ((endpoint === '') !== (key === '')) {
  throw new Error('COSMOS_PARITY_ENDPOINT and COSMOS_PARITY_KEY are needed both, or neither');
}
const given = endpoint !== '' && key !== '';
const title = given
  ? `drone-utilization on ${endpoint}`
  : 'drone-utilization on another account (skipped: COSMOS_PARITY_ENDPOINT and COSMOS_PARITY_KEY are not set)';

const PATH = '/api/dronedeliveries/utilization?ownerId=o000042&year=2019&month=';
const LEAST_THROUGHPUT = 400;
const operation = OPERATIONS.getDroneUtilization;

/**
 * The service on Azure, or on Microsoft's emulator: what does not depend on the number of partitions or on faults that only
 * our stand-in can be told to have. Makes a database of its own and deletes it.
 */
describe.skipIf(!given)(title, () => {
  const databaseId = `drone-utilization-${randomUUID()}`;
  let client: CosmosClient;

  beforeAll(async () => {
    client = new CosmosClient({ endpoint, key });
    await createContainers(client, { databaseId, throughput: LEAST_THROUGHPUT });
    const mine = { ownerId: 'o000042', traveledMiles: 10.5, assignedHours: 3 };
    await writeUtilization(client, { ...mine, id: 'a', deliveryId: 'd1' }, databaseId);
    await writeUtilization(client, { ...mine, id: 'b', deliveryId: 'd2' }, databaseId);
    await writeUtilization(client, { ...mine, id: 'c', deliveryId: 'd3', month: 8 }, databaseId);
    await writeUtilization(client, { ...mine, id: 'd', deliveryId: 'd4', ownerId: 'o000043' }, databaseId);
  }, 120_000);
  afterAll(async () => {
    await client?.database(databaseId).delete();
    client?.dispose();
  });

  async function start(env: Record<string, string>) {
    const account = {
      COSMOS_ENDPOINT: new URL(endpoint).origin,
      COSMOS_KEY: key,
      COSMOS_DATABASE: databaseId,
    };
    const config = testConfig(settings, { ...account, ...env });
    const service = await startService({ name: 'drone-utilization', createApp, config });
    await eventually(async () => (await fetch(`${service.url}/-/ready`)).status === 200, 60_000);
    return {
      ...service,
      async get(month: number) {
        const response = await fetch(service.url + PATH + month);
        return { status: response.status, body: await response.json() };
      },
      async [Symbol.asyncDispose]() {
        await service.stop();
      },
    };
  }

  it.each([
    ['serial', 'deliveryId'],
    ['parallel', 'deliveryId'],
    ['serial', 'ownerId'],
  ])(
    'sums the documents of the owner and month, and counts each query: %s, %s',
    async (fanout, partitionKey) => {
      await using service = await start({ QUERY_FANOUT: fanout, PARTITION_KEY: partitionKey });
      const { status, body } = await service.get(7);
      expect(status).toBe(200);
      expect(droneUtilization.parse(body)).toEqual({ traveledMiles: 21, assignedHours: 6 });
      const totals = await dependencyTotals(service, { operation, requests: 1 });
      const queries = totals['Azure DocumentDB 200'];
      expect(queries?.requestCharge).toBeGreaterThan(0);
      expect(queries?.count).toBe(queries?.partitions.length);
    },
  );

  it('is a 404 when the owner has no document in the month', async () => {
    await using service = await start({ QUERY_FANOUT: 'parallel' });
    expect(await service.get(9)).toMatchObject({ status: 404, body: { code: 'UTILIZATION_NOT_FOUND' } });
  });
});
