import { ChangeFeedStartFrom, type Resource } from '@azure/cosmos';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fixture, startFixture } from './fixture.js';

const OWNER = { paths: ['/ownerId'], version: 2 };

/** A clock that can be set ahead. */
const clock = { ms: 1_700_000_000_000, now: () => clock.ms };
let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture({ emulator: { clock, throttling: false } });
});
afterAll(() => fixture[Symbol.asyncDispose]());

describe('time to live', () => {
  test('removes items when their time has come, from reads, queries and counts', async () => {
    const container = await fixture.container({ id: 'ttl', partitionKey: OWNER, defaultTtl: 60 });
    await container.items.create({ id: 'default', ownerId: 'o' });
    await container.items.create({ id: 'short', ownerId: 'o', ttl: 10 });
    await container.items.create({ id: 'never', ownerId: 'o', ttl: -1 });
    const left = async () =>
      (await container.items.query('SELECT VALUE c.id FROM c', { partitionKey: 'o' }).fetchAll()).resources;
    expect(await left()).toEqual(['default', 'short', 'never']);
    clock.ms += 11_000;
    expect(await left()).toEqual(['default', 'never']);
    expect((await container.item('short', 'o').read()).statusCode).toBe(404);
    await container.items.upsert({ id: 'default', ownerId: 'o' });
    await container.items.create({ id: 'short', ownerId: 'o' });
    clock.ms += 50_000;
    expect(await left()).toEqual(['default', 'never', 'short']);
    clock.ms += 11_000;
    expect(await left()).toEqual(['never']);
    await expect(container.items.create({ id: 'x', ownerId: 'o', ttl: 0 })).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining('ttl'),
    });
  });

  test('means nothing where the container does not expire items', async () => {
    const container = await fixture.container({ id: 'no-ttl', partitionKey: OWNER });
    await container.items.create({ id: '1', ownerId: 'o', ttl: 1 });
    clock.ms += 5000;
    expect((await container.item('1', 'o').read()).statusCode).toBe(200);
  });
});

describe('the change feed', () => {
  test('gives the latest version of what changed, over all partitions, and goes on from a token', async () => {
    const container = await fixture.container({ id: 'feed', partitionKey: OWNER, throughput: 18_000 });
    const ids = async (iterator: ReturnType<typeof container.items.getChangeFeedIterator>) => {
      const seen: string[] = [];
      let token = '';
      for (;;) {
        const response = await iterator.readNext();
        token = response.continuationToken;
        if (response.statusCode === 304) return { seen: seen.sort(), token };
        seen.push(...response.result.map((item: Resource & { n?: number }) => `${item.id}=${item.n}`));
      }
    };
    for (let i = 0; i < 12; i++) await container.items.create({ id: `i${i}`, ownerId: `o${i}`, n: 0 });
    const beginning = { changeFeedStartFrom: ChangeFeedStartFrom.Beginning(), maxItemCount: 3 };
    const first = await ids(container.items.getChangeFeedIterator(beginning));
    expect(first.seen).toEqual(Array.from({ length: 12 }, (_, i) => `i${i}=0`).sort());
    await container.items.upsert({ id: 'i3', ownerId: 'o3', n: 1 });
    await container.items.upsert({ id: 'i3', ownerId: 'o3', n: 2 });
    await container.item('i4', 'o4').delete();
    await container.items.create({ id: 'i99', ownerId: 'o99', n: 0 });
    const later = { changeFeedStartFrom: ChangeFeedStartFrom.Continuation(first.token) };
    expect((await ids(container.items.getChangeFeedIterator(later))).seen).toEqual(['i3=2', 'i99=0']);
  });

  test('of one partition key, from now on, and from a time', async () => {
    const container = await fixture.container({ id: 'feed-key', partitionKey: OWNER, throughput: 18_000 });
    await container.items.create({ id: 'old', ownerId: 'a' });
    clock.ms += 10_000;
    const since = new Date(clock.ms);
    const now = container.items.getChangeFeedIterator({ changeFeedStartFrom: ChangeFeedStartFrom.Now('a') });
    expect((await now.readNext()).statusCode).toBe(304);
    await container.items.create({ id: 'new', ownerId: 'a' });
    await container.items.create({ id: 'other', ownerId: 'b' });
    expect((await now.readNext()).result.map(({ id }: { id: string }) => id)).toEqual(['new']);
    const timed = container.items.getChangeFeedIterator({
      changeFeedStartFrom: ChangeFeedStartFrom.Time(since, 'a'),
    });
    expect((await timed.readNext()).result.map(({ id }: { id: string }) => id)).toEqual(['new']);
  });

  test('loses nothing when a partition is split in between', async () => {
    const container = await fixture.container({ id: 'feed-split', partitionKey: OWNER, throughput: 400 });
    for (let i = 0; i < 20; i++) await container.items.create({ id: `i${i}`, ownerId: `o${i}` });
    const iterator = container.items.getChangeFeedIterator({
      changeFeedStartFrom: ChangeFeedStartFrom.Beginning(),
      maxItemCount: 6,
    });
    const seen: string[] = (await iterator.readNext()).result.map(({ id }: { id: string }) => id);
    await fixture.control('containers/db/feed-split/model', {
      method: 'PATCH',
      body: { physicalPartitions: 3 },
    });
    for (;;) {
      const { result, statusCode } = await iterator.readNext();
      if (statusCode === 304) break;
      seen.push(...result.map(({ id }: { id: string }) => id));
    }
    expect(seen.sort()).toEqual(Array.from({ length: 20 }, (_, i) => `i${i}`).sort());
  });

  test('of all versions is refused by name', async () => {
    const container = await fixture.container({ id: 'feed-all', partitionKey: OWNER });
    const iterator = container.items.getChangeFeedIterator({ changeFeedMode: 'Full-Fidelity Feed' as never });
    await expect(iterator.readNext()).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining('Full-Fidelity'),
    });
  });
});
