import type { Container } from '@azure/cosmos';
import { describe, expect, test } from 'vitest';
import { startFixture } from './fixture.js';

const OWNER = { paths: ['/ownerId'], version: 2 };

async function fill(container: Container, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await container.items.create({ id: `i${i}`, ownerId: `o${i}` });
}

describe('after a split', () => {
  test('a range that is gone is served from its children: never 410', async () => {
    await using fixture = await startFixture({ emulator: { throttling: false } });
    const container = await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 12_000 });
    await fill(container, 60);
    const all = Array.from({ length: 60 }, (_, i) => `i${i}`).toSorted();
    const options = { forceQueryPlan: true, maxItemCount: 7 };
    const iterator = container.items.query('SELECT VALUE c.id FROM c', {
      ...options,
      maxDegreeOfParallelism: 1,
    });
    const seen: string[] = [...((await iterator.fetchNext()).resources ?? [])];
    const { offer, resource } = await container.readOffer();
    if (offer === undefined || resource?.content === undefined) throw new Error('no offer');
    resource.content.offerThroughput = 40_000;
    await offer.replace(resource);
    while (iterator.hasMoreResults()) seen.push(...((await iterator.fetchNext()).resources ?? []));
    expect(seen.toSorted()).toEqual(all);
    expect(fixture.sent.filter(({ status }) => status === 410)).toEqual([]);
    const { resources: ranges } = await container.readPartitionKeyRanges().fetchAll();
    expect(ranges).toHaveLength(4);
    expect(ranges.flatMap(({ parents }) => parents)).toContain('0');
    const later = await container.items.query('SELECT VALUE c.id FROM c ORDER BY c.id', options).fetchAll();
    expect(later.resources).toEqual(all);
    expect((await container.item('i7', 'o7').read()).resource?.id).toBe('i7');
  });

  test('sorted and aggregated queries for a parent range are answered over all its children', async () => {
    await using fixture = await startFixture({ emulator: { throttling: false } });
    const container = await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 400 });
    await fill(container, 30);
    // A client that keeps the old ranges: its requests are changed on their way.
    const stale = (query: string) =>
      fixture.client
        .database('db')
        .container('c')
        .items.query(query, {
          initialHeaders: { 'x-ms-documentdb-partitionkeyrangeid': '0' },
          maxItemCount: 100,
        } as never)
        .fetchAll();
    await fixture.control('containers/db/c/model', { method: 'PATCH', body: { physicalPartitions: 3 } });
    const { resources } = await stale('SELECT VALUE c.id FROM c ORDER BY c.id');
    expect(resources).toEqual(Array.from({ length: 30 }, (_, i) => `i${i}`).toSorted());
    expect((await stale('SELECT VALUE COUNT(1) FROM c')).resources).toEqual([30]);
  });

  test('an unknown range is a 400 that names the ones there are', async () => {
    await using fixture = await startFixture();
    const container = await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 400 });
    const query = container.items.query('SELECT * FROM c', {
      initialHeaders: { 'x-ms-documentdb-partitionkeyrangeid': '17' },
    } as never);
    await expect(query.fetchAll()).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining('"17"'),
    });
  });
});
