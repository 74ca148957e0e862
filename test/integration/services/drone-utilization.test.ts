import { droneUtilization, OPERATIONS } from '@bottleneck-lab/contracts';
import { createApp, settings } from '@bottleneck-lab/drone-utilization';
import { startService } from '@bottleneck-lab/service-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../service-kit/eventually.js';
import { testConfig } from '../service-kit/service-under-test.js';
import { startAccount, type TestAccount, writeUtilization } from './cosmos-account.js';
import { dependencyTotals } from './dependencies.js';

const PATH = '/api/dronedeliveries/utilization?ownerId=o000042&year=2019&month=7';
const ALL_PARTITIONS = ['0', '1', '2', '3', '4', '5', '6', '7', '8'];
const QUERY = 'Azure DocumentDB 200';
const THROTTLED = 'Azure DocumentDB 429';
const METADATA = 'Azure DocumentDB (metadata) 200';
const operation = OPERATIONS.getDroneUtilization;

let account: TestAccount;
beforeAll(async () => {
  account = await startAccount();
  const mine = { ownerId: 'o000042' };
  await writeUtilization(account.client, {
    ...mine,
    id: 'a',
    deliveryId: 'd1',
    traveledMiles: 10.5,
    assignedHours: 3,
  });
  await writeUtilization(account.client, {
    ...mine,
    id: 'b',
    deliveryId: 'd2',
    traveledMiles: 20,
    assignedHours: 4,
  });
  await writeUtilization(account.client, {
    ...mine,
    id: 'c',
    deliveryId: 'd3',
    traveledMiles: 0.25,
    assignedHours: 1,
  });
  const others = { deliveryId: 'd4', traveledMiles: 1_000, assignedHours: 1_000 };
  await writeUtilization(account.client, { ...mine, ...others, id: 'd', month: 8 });
  await writeUtilization(account.client, { ...others, id: 'e', ownerId: 'o000043' });
});
afterAll(() => account[Symbol.asyncDispose]());

async function start(env: Record<string, string>) {
  const config = testConfig(settings, { ...account.env, ...env });
  const service = await startService({ name: 'drone-utilization', createApp, config });
  await eventually(async () => (await fetch(`${service.url}/-/ready`)).status === 200);
  return {
    ...service,
    async get(path = PATH) {
      const response = await fetch(service.url + path);
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
    async [Symbol.asyncDispose]() {
      await service.stop();
    },
  };
}

describe('GET /api/dronedeliveries/utilization', () => {
  it.each([
    ['serial', 'deliveryId'],
    ['parallel', 'deliveryId'],
    ['serial', 'ownerId'],
  ])('sums the documents of the owner and month: %s, %s', async (queryFanout, partitionKey) => {
    await using service = await start({ QUERY_FANOUT: queryFanout, PARTITION_KEY: partitionKey });
    const { status, body } = await service.get();
    expect(status).toBe(200);
    expect(droneUtilization.parse(body)).toEqual({ traveledMiles: 30.75, assignedHours: 8 });
  });

  it.each(['serial', 'parallel'])(
    'queries every physical partition once by deliveryId, %s',
    async (queryFanout) => {
      await using service = await start({ QUERY_FANOUT: queryFanout });
      await service.get();
      await service.get();
      const totals = await dependencyTotals(service, { operation, requests: 2 });
      expect(totals[QUERY]).toMatchObject({ count: 18, retries: 0, retryWaitMs: 0 });
      expect(totals[QUERY]?.partitions.sort()).toEqual(ALL_PARTITIONS);
      expect(totals[QUERY]?.requestCharge).toBeGreaterThan(9 * 2.3);
      // The query plan and the partition key ranges of each query.
      expect(totals[METADATA]).toMatchObject({ count: 4, requestCharge: 0 });
      expect(Object.keys(totals).sort()).toEqual([METADATA, QUERY].sort());
    },
  );

  it('queries one physical partition by ownerId', async () => {
    await using service = await start({ PARTITION_KEY: 'ownerId' });
    await service.get();
    const totals = await dependencyTotals(service, { operation, requests: 1 });
    expect(totals[QUERY]).toMatchObject({ count: 1, retries: 0 });
    expect(totals[QUERY]?.partitions[0]).toMatch(/^[0-8]$/);
  });

  it('is a 404 when the owner has no document in the month', async () => {
    await using service = await start({ QUERY_FANOUT: 'parallel' });
    const { status, body } = await service.get(
      '/api/dronedeliveries/utilization?ownerId=o000042&year=2019&month=9',
    );
    expect(status).toBe(404);
    expect(body).toMatchObject({
      code: 'UTILIZATION_NOT_FOUND',
      detail: 'There is no document of o000042 in 2019-9',
    });
  });
});

describe('throttling', () => {
  const throttle = (container: string, count: number) =>
    account.injectFault({ action: '429', operations: ['query'], container, count, retryAfterMs: 30 });

  it('is counted attempt by attempt, with its waits and retries, and hidden from the caller', async () => {
    await using service = await start({ QUERY_FANOUT: 'serial' });
    await throttle('utilization', 3);
    expect((await service.get()).body).toEqual({ traveledMiles: 30.75, assignedHours: 8 });
    const totals = await dependencyTotals(service, { operation, requests: 1 });
    expect(totals[THROTTLED]).toMatchObject({ count: 3, retries: 2, retryWaitMs: 90, partitions: ['0'] });
    expect(totals[QUERY]).toMatchObject({ count: 9, retries: 1 });
  });

  it('that does not end is a 503 that says so and when to come back', async () => {
    await using service = await start({ PARTITION_KEY: 'ownerId', COSMOS_MAX_RETRIES: '2' });
    await throttle('utilization-by-owner', 3);
    const { status, headers, body } = await service.get();
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1');
    expect(body).toMatchObject({ code: 'COSMOS_THROTTLED', container: 'utilization-by-owner' });
    const totals = await dependencyTotals(service, { operation, requests: 1 });
    expect(totals[THROTTLED]).toMatchObject({ count: 3, retries: 2 });
  });
});

describe('a failing account', () => {
  it.each([
    ['query', 'serial', 1],
    ['query', 'parallel', 9],
    ['queryPlan', 'parallel', 1],
    ['partitionKeyRanges', 'parallel', 1],
  ])('that answers a %s with 503 (%s) makes it a 503, and the next request is answered', async (...given) => {
    const [kind, queryFanout, count] = given;
    await using service = await start({ QUERY_FANOUT: queryFanout });
    await account.injectFault({ action: '503', operations: [kind], container: 'utilization', count });
    expect(await service.get()).toMatchObject({ status: 503, body: { code: 'COSMOS_UNREACHABLE' } });
    expect(await service.get()).toMatchObject({ status: 200 });
  });
});

describe('a caller who leaves', () => {
  it.each(['serial', 'parallel'])('ends a %s query', async (queryFanout) => {
    await using service = await start({ QUERY_FANOUT: queryFanout });
    const slow = { action: 'delay', operations: ['query'], container: 'utilization', delayMs: 100, count: 9 };
    await account.injectFault(slow);
    const leaving = AbortSignal.timeout(queryFanout === 'serial' ? 150 : 50);
    await expect(fetch(service.url + PATH, { signal: leaving })).rejects.toThrow();
    const totals = await dependencyTotals(service, { operation, requests: 1 });
    expect(totals['Azure DocumentDB CANCELLED']?.count).toBeGreaterThan(0);
    expect(totals[QUERY]?.count ?? 0).toBeLessThan(9);
    // What was cancelled must neither crash the process nor leave faults behind for others.
    await eventually(async () => (await service.get()).status === 200);
  });
});
