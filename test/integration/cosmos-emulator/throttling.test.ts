import type { Container } from '@azure/cosmos';
import { describe, expect, test } from 'vitest';
import { control, type Fixture, kindOf, startFixture } from './fixture.js';

const OWNER = { paths: ['/ownerId'], version: 2 };

/** A clock that stands still: a second ends only when a test says so. */
function manualClock(startMs = 1_700_000_000_000) {
  const clock = { ms: startMs, now: () => clock.ms };
  return clock;
}

async function fill(container: Container, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await container.items.create({ id: `i${i}`, ownerId: `o${i}` });
}

async function metrics({ emulator }: Fixture, since = 0) {
  return (await control(emulator, `metrics?since=${since}`)).body;
}

interface PartitionSecond {
  partitionKeyRangeId: string;
  throttled: number;
  requestUnits: number;
  provisionedRuPerSecond: number;
}

const NO_RETRY = { connectionPolicy: { retryOptions: { maxRetryAttemptCount: 0 } } };

describe('a request over the budget', () => {
  test('is refused as the service does it', async () => {
    const clock = manualClock();
    await using fixture = await startFixture({ emulator: { clock }, client: NO_RETRY as never });
    const container = await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 400 });
    await container.items.create({ id: '1', ownerId: 'o1' });
    clock.ms += 1250;
    const read = () => container.item('1', 'o1').read();
    for (let i = 0; i < 400; i++) expect((await read()).statusCode).toBe(200);
    const error = await read().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 429, substatus: 3200, retryAfterInMs: 750 });
    expect(error).toMatchObject({
      body: { code: '429', message: expect.stringContaining('Request rate is large.') },
    });
    expect((error as { headers: Record<string, string> }).headers['x-ms-request-charge']).toBe('0.38');
    clock.ms += 749;
    await expect(read()).rejects.toMatchObject({ code: 429, retryAfterInMs: 1 });
    clock.ms += 1;
    expect((await read()).statusCode).toBe(200);
  });

  test('is not charged: the next second has its whole budget', async () => {
    const clock = manualClock();
    await using fixture = await startFixture({ emulator: { clock }, client: NO_RETRY as never });
    const container = await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 400 });
    await container.items.create({ id: '1', ownerId: 'o1' });
    const admitted = async () => {
      let count = 0;
      for (let i = 0; i < 450; i++) {
        const done = await container
          .item('1', 'o1')
          .read()
          .then(
            () => true,
            () => false,
          );
        if (done) count += 1;
      }
      return count;
    };
    clock.ms += 1000;
    expect(await admitted()).toBe(400);
    clock.ms += 1000;
    expect(await admitted()).toBe(400);
  });

  test('is repeated by the client after the wait, and counted', async () => {
    await using fixture = await startFixture();
    const container = await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 400 });
    await container.items.create({ id: '1', ownerId: 'o1' });
    let retried: Record<string, unknown> | undefined;
    for (let i = 0; i < 3000 && retried === undefined; i++) {
      const { headers } = await container.item('1', 'o1').read();
      if (Number(headers['x-ms-throttle-retry-count']) > 0) retried = headers;
    }
    expect(Number(retried?.['x-ms-throttle-retry-count'])).toBeGreaterThan(0);
    expect(Number(retried?.['x-ms-throttle-retry-wait-time-ms'])).toBeGreaterThan(0);
    expect(fixture.sent.some(({ status }) => status === 429)).toBe(true);
  });

  test('fails in the end: the error says how often it was tried', async () => {
    const clock = manualClock();
    await using fixture = await startFixture({
      emulator: { clock },
      client: { connectionPolicy: { retryOptions: { fixedRetryIntervalInMilliseconds: 1 } } } as never,
    });
    const container = await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 400 });
    await fill(container, 1);
    while (!fixture.sent.some(({ status }) => status === 429))
      await container
        .item('i0', 'o0')
        .read()
        .catch(() => undefined);
    fixture.sent.length = 0;
    const error = await container
      .item('i0', 'o0')
      .read()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 429, headers: { 'x-ms-throttle-retry-count': 9 } });
    expect(fixture.sent).toHaveLength(10);
  });
});

describe('a fan-out', () => {
  test('repeats only the partition that refused', async () => {
    const clock = manualClock();
    await using fixture = await startFixture({
      emulator: { clock },
      client: {
        connectionPolicy: { retryOptions: { fixedRetryIntervalInMilliseconds: 1, maxRetryAttemptCount: 3 } },
      } as never,
    });
    const container = await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 1000 }, 4);
    await fill(container, 40);
    clock.ms += 1000;
    // Exhausts one partition: 250 RU in this second.
    const hot = 'o1';
    for (let i = 0; i < 300; i++)
      await container
        .item('i1', hot)
        .read()
        .catch(() => undefined);
    const { resources: ranges } = await container.readPartitionKeyRanges().fetchAll();
    fixture.sent.length = 0;
    const error = await container.items
      .query('SELECT * FROM c WHERE c.n = 1', { forceQueryPlan: true, maxItemCount: 100 })
      .fetchAll()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 429 });
    const queries = fixture.sent.filter((request) => kindOf(request) === 'query');
    const refused = new Set(queries.filter(({ status }) => status === 429).map(({ rangeId }) => rangeId));
    expect(refused.size).toBe(1);
    expect(queries.filter(({ status }) => status === 429)).toHaveLength(4);
    for (const { id } of ranges)
      if (!refused.has(id)) expect(queries.filter(({ rangeId }) => rangeId === id)).toHaveLength(1);
  });
});

describe('the accounting', () => {
  test('ten saturated seconds admit the provisioned request units to within one percent', async () => {
    const clock = manualClock();
    await using fixture = await startFixture({ emulator: { clock }, client: NO_RETRY as never });
    const container = await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 400 }, 2);
    // Reads of 20 KB cost about 3 RU: few of them saturate, and what is left over at the end is small.
    const big = 'x'.repeat(20_000);
    for (let i = 0; i < 16; i++) {
      await container.items.create({ id: `i${i}`, ownerId: `o${i}`, big });
      clock.ms += 1000;
    }
    const { body: first } = await fixture.control('metrics');
    // About 330 reads a second of the account's clock, however fast this machine is.
    for (let i = 0; i < 4000; i += 16) {
      const read = (n: number) => container.item(`i${n}`, `o${n}`).read();
      await Promise.allSettled(Array.from({ length: 16 }, (_, n) => read(n)));
      clock.ms += 48;
    }
    const saturated = async (id: string): Promise<PartitionSecond[]> =>
      (await metrics(fixture, first.second + 1)).partitions.filter(
        (row: PartitionSecond) => row.partitionKeyRangeId === id && row.throttled > 0,
      );
    for (const id of ['0', '1']) {
      const seconds = (await saturated(id)).slice(0, 10);
      expect(seconds).toHaveLength(10);
      const total = seconds.reduce((sum, { requestUnits }) => sum + requestUnits, 0);
      expect(Math.abs(total / 2000 - 1)).toBeLessThan(0.01);
      expect(seconds[0]?.provisionedRuPerSecond).toBe(200);
    }
  });

  test('the sum over all seconds is what was sent', async () => {
    const clock = manualClock();
    await using fixture = await startFixture({ emulator: { clock }, client: NO_RETRY as never });
    const container = await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 400 }, 3);
    await fill(container, 30);
    fixture.sent.length = 0;
    await fixture.control('reset', { method: 'POST', body: {} });
    let charged = 0;
    for (let i = 0; i < 500; i++) {
      clock.ms += 7;
      const reply = await container
        .item(`i${i % 40}`, `o${i % 40}`)
        .read()
        .catch(() => null);
      charged += Number(reply?.headers['x-ms-request-charge'] ?? 0);
    }
    clock.ms += 1000;
    const { partitions, operations } = await metrics(fixture);
    const sum = (name: string) =>
      partitions.reduce((total: number, row: Record<string, number>) => total + (row[name] as number), 0);
    expect(sum('requests') + sum('throttled')).toBe(500);
    expect(sum('throttled')).toBe(fixture.sent.filter(({ status }) => status === 429).length);
    expect(sum('requestUnits')).toBeCloseTo(charged, 1);
    expect(operations.read).toMatchObject({ requests: 500, throttled: sum('throttled') });
    expect(operations.read.requestUnits).toBeCloseTo(charged, 1);
  });

  test('only finished seconds are reported, and since continues where the last answer ended', async () => {
    const clock = manualClock();
    await using fixture = await startFixture({ emulator: { clock } });
    const container = await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 400 });
    await fill(container, 1);
    expect((await metrics(fixture)).partitions).toEqual([]);
    clock.ms += 1000;
    const first = await metrics(fixture);
    expect(first.partitions).toHaveLength(1);
    expect(first.partitions[0]).toMatchObject({
      database: 'db',
      container: 'c',
      partitionKeyRangeId: '0',
      requests: 1,
      throttled: 0,
    });
    expect((await metrics(fixture, first.second)).partitions).toEqual([]);
  });

  test('plans, key ranges and the account cost nothing', async () => {
    const clock = manualClock();
    await using fixture = await startFixture({ emulator: { clock } });
    const container = await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 400 });
    for (let i = 0; i < 600; i++) await container.readPartitionKeyRanges().fetchAll();
    await fixture.client.getDatabaseAccount();
    clock.ms += 1000;
    const { partitions, operations } = await metrics(fixture);
    expect(partitions).toEqual([]);
    expect(operations.partitionKeyRanges).toMatchObject({ requests: 600, throttled: 0, requestUnits: 0 });
  });
});

test('a hot partition: 429 though the container as a whole is nearly idle', async () => {
  const clock = manualClock();
  await using fixture = await startFixture({ emulator: { clock }, client: NO_RETRY as never });
  const container = await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 1000 }, 10);
  await fill(container, 40);
  clock.ms += 1000;
  const statuses: number[] = [];
  for (let i = 0; i < 150; i++) {
    const status = await container
      .item('i7', 'o7')
      .read()
      .then(({ statusCode }) => statusCode)
      .catch(({ code }) => code as number);
    statuses.push(status);
  }
  for (let i = 0; i < 40; i++)
    if (i !== 7)
      await container
        .item(`i${i}`, `o${i}`)
        .read()
        .catch(() => undefined);
  clock.ms += 1000;
  const { partitions } = await metrics(fixture);
  const latest = partitions.filter(
    ({ second }: { second: number }) => second === Math.floor(clock.ms / 1000) - 1,
  );
  const shares = latest.map((row: PartitionSecond) => row.requestUnits / row.provisionedRuPerSecond);
  expect(statuses.filter((status) => status === 200)).toHaveLength(100);
  expect(statuses.filter((status) => status === 429)).toHaveLength(50);
  expect(shares.filter((share: number) => share >= 1)).toHaveLength(1);
  expect(shares.filter((share: number) => share < 0.3)).toHaveLength(latest.length - 1);
  const total = latest.reduce((sum: number, { requestUnits }: PartitionSecond) => sum + requestUnits, 0);
  expect(total).toBeLessThan(200);
});

describe('bulk', () => {
  test('refuses single operations, and the client repeats only those', async () => {
    await using fixture = await startFixture();
    const container = await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 400 });
    const operations = Array.from({ length: 150 }, (_, i) => ({
      operationType: 'Upsert' as const,
      partitionKey: 'o',
      resourceBody: { id: `i${i}`, ownerId: 'o' },
    }));
    const results = await container.items.executeBulkOperations(operations);
    expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
    const { body } = await fixture.control('containers/db/c/model');
    expect(body.partitions[0].items).toBe(150);
    const operationsSent = fixture.sent.flatMap(({ body: sentBody, headers }) =>
      headers['x-ms-cosmos-is-batch-request'] === undefined ? [] : JSON.parse(sentBody as string),
    );
    expect(operationsSent.length).toBeGreaterThan(150);
  });
});

test('throttling can be switched off and on again while it runs, without debt', async () => {
  const clock = manualClock();
  await using fixture = await startFixture({ emulator: { clock }, client: NO_RETRY as never });
  const container = await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 400 });
  await fill(container, 1);
  const read = () => container.item('i0', 'o0').read();
  const change = (throttling: boolean) =>
    fixture.control('containers/db/c/model', { method: 'PATCH', body: { throttling } });
  await change(false);
  for (let i = 0; i < 1000; i++) await read();
  clock.ms += 1000;
  await change(true);
  let admitted = 0;
  while (
    await read().then(
      () => true,
      () => false,
    )
  )
    admitted += 1;
  expect(admitted).toBe(400);
  const { partitions } = await metrics(fixture);
  expect(partitions[0].requests).toBe(1001);
});
