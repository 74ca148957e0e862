import { startCosmosEmulator } from '@bottleneck-lab/cosmos-emulator';
import { describe, expect, test } from 'vitest';
import { startFixture } from './fixture.js';
import { request } from './raw-request.js';

const OWNER = { paths: ['/ownerId'], version: 2 };

describe('control routes', () => {
  test('health needs no token, everything else does', async () => {
    await using emulator = await startCosmosEmulator();
    expect((await request(emulator, { path: '/_emulator/health' })).body).toMatchObject({ status: 'ok' });
    for (const headers of [{}, { 'x-emulator-token': 'wrong' }] as Record<string, string>[]) {
      const answer = await request(emulator, { path: '/_emulator/metrics', headers });
      expect(answer.status).toBe(401);
      expect(answer.body.message).toMatch(/x-emulator-token/);
    }
  });

  test('can be called through the library', async () => {
    await using emulator = await startCosmosEmulator();
    expect(await emulator.control('metrics')).toMatchObject({ partitions: [] });
    const rule = { method: 'POST', body: { action: '503' } } as const;
    expect(await emulator.control('faults', rule)).toMatchObject({ id: 1, hits: 0 });
    await expect(emulator.control('containers/a/b/model')).rejects.toThrow(
      /'b' of database 'a' does not exist/,
    );
  });

  test('an unknown one names those there are', async () => {
    await using fixture = await startFixture();
    const { status, body } = await fixture.control('budget');
    expect(status).toBe(404);
    expect(body.message).toMatch(/GET \/_emulator\/budget[\s\S]*GET metrics/);
  });

  test('the model of a container is read and changed while it runs', async () => {
    await using fixture = await startFixture();
    await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 12_000 });
    const { body: model } = await fixture.control('containers/db/c/model');
    expect(model).toMatchObject({
      throttling: true,
      burstSeconds: 0,
      queryBaseRu: 2.5,
      latency: { query: null, pointRead: null, write: null, metadata: null },
      seed: 1,
      provisionedRuPerSecond: 12_000,
      physicalPartitions: 2,
    });
    expect(model.partitions[1]).toMatchObject({
      partitionKeyRangeId: '1',
      items: 0,
      ruPerSecond: 6000,
      ruLeft: 6000,
    });
    const change = {
      burstSeconds: 1.25,
      queryBaseRu: 3.15,
      latency: { query: { meanMs: 65, coefficientOfVariation: 1.3 } },
      seed: 7,
    };
    const { body: changed } = await fixture.control('containers/db/c/model', {
      method: 'PATCH',
      body: change,
    });
    expect(changed).toMatchObject({ ...change, throttling: true });
    const { body: added } = await fixture.control('containers/db/c/model', {
      method: 'PATCH',
      body: { latency: { pointRead: { meanMs: 2 } } },
    });
    expect(added.latency).toMatchObject({
      ...change.latency,
      pointRead: { meanMs: 2, coefficientOfVariation: 0 },
    });
    const { body: off } = await fixture.control('containers/db/c/model', {
      method: 'PATCH',
      body: { latency: { query: null } },
    });
    expect(off.latency).toMatchObject({ query: null, pointRead: { meanMs: 2 } });
    expect(off.burstSeconds).toBe(1.25);
  });

  test('the query base is charged', async () => {
    await using fixture = await startFixture();
    const container = await fixture.container({ id: 'c', partitionKey: OWNER });
    await fixture.control('containers/db/c/model', { method: 'PATCH', body: { queryBaseRu: 3.15 } });
    const { requestCharge } = await container.items
      .query('SELECT * FROM c', { partitionKey: 'o' })
      .fetchAll();
    expect(requestCharge).toBe(3.15);
  });

  test.each([
    [{ burst: 1 }, /burst/],
    [{ burstSeconds: -1 }, /burstSeconds/],
    [{ burstSeconds: 301 }, /burstSeconds/],
    [{ throttling: 'off' }, /throttling/],
    [{ latency: { queries: { meanMs: 1 } } }, /latency[\s\S]*queries/],
    [{ latency: { query: { meanMs: 0 } } }, /latency\.query\.meanMs/],
    [{ latency: { query: { mean: 5 } } }, /mean/],
    [{ seed: 1.5 }, /seed/],
    [{ physicalPartitions: 0 }, /physicalPartitions/],
  ])('a wrong model is refused by name: %j', async (body, message) => {
    await using fixture = await startFixture();
    await fixture.container({ id: 'c', partitionKey: OWNER });
    const before = (await fixture.control('containers/db/c/model')).body;
    const answer = await fixture.control('containers/db/c/model', { method: 'PATCH', body });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(message);
    expect((await fixture.control('containers/db/c/model')).body).toEqual(before);
  });

  test('an unknown container is a 404', async () => {
    await using fixture = await startFixture();
    expect((await fixture.control('containers/db/none/model')).status).toBe(404);
    expect((await fixture.control('containers/db/none')).status).toBe(404);
  });

  test('the number of physical partitions can be set: anew when empty, by splits when not', async () => {
    await using fixture = await startFixture();
    const container = await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 400 });
    const set = (physicalPartitions: number) =>
      fixture.control('containers/db/c/model', { method: 'PATCH', body: { physicalPartitions } });
    const ids = (body: { partitions: { partitionKeyRangeId: string }[] }) =>
      body.partitions.map((row) => row.partitionKeyRangeId);
    expect(ids((await set(4)).body)).toEqual(['0', '1', '2', '3']);
    expect(ids((await set(2)).body)).toEqual(['0', '1']);
    await container.items.create({ id: '1', ownerId: 'a' });
    expect(ids((await set(3)).body)).toEqual(['2', '3', '1']);
    expect((await set(2)).body.message).toMatch(/never merged/);
  });

  test('reset empties counters, budgets and, if asked, everything', async () => {
    await using fixture = await startFixture();
    const container = await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 400 });
    await container.items.create({ id: '1', ownerId: 'a', big: 'x'.repeat(100_000) });
    expect((await fixture.control('containers/db/c/model')).body.partitions[0].ruLeft).toBeLessThan(370);
    await fixture.control('reset', { method: 'POST' });
    expect((await fixture.control('containers/db/c/model')).body.partitions[0].ruLeft).toBe(400);
    expect((await fixture.control('metrics')).body.operations.create.requests).toBe(0);
    expect((await container.item('1', 'a').read()).statusCode).toBe(200);
    await fixture.control('reset', { method: 'POST', body: { data: true } });
    expect((await fixture.client.databases.readAll().fetchAll()).resources).toEqual([]);
    expect((await fixture.control('reset', { method: 'POST', body: { all: true } })).body.message).toMatch(
      /all/,
    );
  });

  test('reports its own process while requests come in', async () => {
    await using fixture = await startFixture();
    const container = await fixture.container({ id: 'c', partitionKey: OWNER });
    const endMs = Date.now() + 2200;
    while (Date.now() < endMs) await container.item('1', 'a').read();
    const { process: rows } = (await fixture.control('metrics')).body;
    expect(rows.length).toBeGreaterThan(0);
    expect(rows[0].cpuMs).toBeGreaterThan(0);
    expect(rows[0].residentBytes).toBeGreaterThan(10_000_000);
    expect(rows[0].eventLoopUtilization).toBeGreaterThan(0);
    expect(rows[0].eventLoopUtilization).toBeLessThanOrEqual(1);
  });
});

describe('start and stop', () => {
  test('wrong options are all named at once', async () => {
    const start = startCosmosEmulator({ port: 70_000, key: '!', burstSeconds: -1 });
    await expect(start).rejects.toThrow(/port[\s\S]*key[\s\S]*burstSeconds/);
    await expect(startCosmosEmulator({ prot: 1 } as never)).rejects.toThrow(/prot/);
  });

  test('a port that is taken rejects', async () => {
    await using first = await startCosmosEmulator();
    await expect(startCosmosEmulator({ port: first.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('stop answers what has been accepted', async () => {
    const fixture = await startFixture();
    const container = await fixture.container({ id: 'c', partitionKey: OWNER });
    const latency = { query: { meanMs: 30_000, coefficientOfVariation: 0 } };
    await fixture.control('containers/db/c/model', { method: 'PATCH', body: { latency } });
    const query = container.items.query('SELECT * FROM c', { partitionKey: 'o' }).fetchAll();
    // Until the server has it: the client has sent it by then.
    await expect.poll(async () => (await fixture.control('health')).body.waiting).toBeGreaterThan(0);
    await fixture.emulator.stop();
    expect((await query).resources).toEqual([]);
    await fixture[Symbol.asyncDispose]();
  });

  test('stopping twice is fine', async () => {
    const emulator = await startCosmosEmulator();
    await Promise.all([emulator.stop(), emulator.stop()]);
    await expect(request(emulator)).rejects.toThrow();
  });
});
