import { randomUUID } from 'node:crypto';
import { ChangeFeedStartFrom, PartitionKeyDefinitionVersion, PartitionKeyKind } from '@azure/cosmos';
import { expect } from 'vitest';
import type { ConformanceCase } from './case.js';

export const CONTAINER_CASES: ConformanceCase[] = [
  {
    area: 'Databases and containers',
    feature: 'create, read, list, replace, delete, createIfNotExists',
    run: async ({ database, container: create }) => {
      const container = await create({ defaultTtl: -1 });
      const { resource } = await container.read();
      expect(resource).toMatchObject({
        id: container.id,
        defaultTtl: -1,
        partitionKey: { paths: ['/pk'], version: 2 },
      });
      const all = (await database.containers.readAll().fetchAll()).resources.map(({ id }) => id);
      expect(all).toContain(container.id);
      const { resource: replaced } = await container.replace({ ...resource, defaultTtl: 30 } as never);
      expect(replaced?.defaultTtl).toBe(30);
      const again = await database.containers.createIfNotExists({ id: container.id, partitionKey: '/pk' });
      expect(again.statusCode).toBe(200);
      expect((await container.delete()).statusCode).toBe(204);
      await expect(container.read()).rejects.toMatchObject({ code: 404 });
    },
  },
  {
    area: 'Databases and containers',
    feature: 'throughput: read and replace offers, minimum and increments',
    run: async ({ container: create }) => {
      const container = await create({ throughput: 400 });
      const { offer, resource } = await container.readOffer();
      if (offer === undefined || resource?.content === undefined)
        throw new Error('The container has no offer.');
      expect(resource.content.offerThroughput).toBe(400);
      resource.content.offerThroughput = 500;
      expect((await offer.replace(resource)).resource?.content?.offerThroughput).toBe(500);
      resource.content.offerThroughput = 300;
      await expect(offer.replace(resource)).rejects.toMatchObject({ code: 400 });
      resource.content.offerThroughput = 450;
      await expect(offer.replace(resource)).rejects.toMatchObject({ code: 400 });
    },
  },
  {
    area: 'Databases and containers',
    feature: 'autoscale throughput',
    run: async ({ container: create }) => {
      const container = await create({ maxThroughput: 1000 });
      const { resource } = await container.readOffer();
      expect(resource?.content?.offerAutopilotSettings).toMatchObject({ maxThroughput: 1000 });
    },
  },
  {
    area: 'Databases and containers',
    feature: 'throughput shared by the containers of a database',
    run: async ({ client }) => {
      const { database } = await client.databases.create({
        id: `conformance-shared-${randomUUID()}`,
        throughput: 400,
      });
      try {
        const { resource } = await database.readOffer();
        expect(resource?.content?.offerThroughput).toBe(400);
        const { container } = await database.containers.create({ id: 'c', partitionKey: '/pk' });
        expect((await container.readOffer()).resource).toBeUndefined();
        expect((await container.items.create({ id: '1', pk: 'a' })).statusCode).toBe(201);
      } finally {
        await database.delete();
      }
    },
  },
  {
    area: 'Partitioning',
    feature: 'partition key ranges; the client and the account hash alike',
    run: async ({ container: create }) => {
      const container = await create({ throughput: 18_000 });
      const { resources } = await container.readPartitionKeyRanges().fetchAll();
      expect(resources.length).toBeGreaterThan(1);
      expect(resources[0]?.minInclusive).toBe('');
      expect(resources.at(-1)?.maxExclusive).toBe('FF');
    },
  },
  {
    area: 'Partitioning',
    feature: 'hierarchical keys: complete and by prefix',
    run: async ({ container: create }) => {
      const container = await create({
        partitionKey: {
          paths: ['/tenant', '/user'],
          kind: PartitionKeyKind.MultiHash,
          version: PartitionKeyDefinitionVersion.V2,
        },
      });
      for (const [tenant, user] of [
        ['t1', 'u1'],
        ['t1', 'u2'],
        ['t2', 'u1'],
      ]) {
        await container.items.create({ id: `${tenant}${user}`, tenant, user });
      }
      expect((await container.item('t1u2', ['t1', 'u2']).read()).statusCode).toBe(200);
      const { resources } = await container.items
        .query('SELECT VALUE c.id FROM c', { partitionKey: ['t1'] })
        .fetchAll();
      expect(resources.toSorted()).toEqual(['t1u1', 't1u2']);
    },
  },
  {
    area: 'Partitioning',
    feature: 'keys of version 1',
    run: async ({ container: create }) => {
      const container = await create({ partitionKey: { paths: ['/pk'] } });
      for (const pk of ['a', 'b', 'ü', 'x'.repeat(150)]) await container.items.create({ id: '1', pk });
      expect((await container.item('1', 'ü').read()).statusCode).toBe(200);
    },
  },
  {
    area: 'Change feed',
    feature: 'latest versions from the beginning, from now, from a continuation, of one key',
    run: async ({ container: create }) => {
      const container = await create();
      const from = (start: ChangeFeedStartFrom) =>
        container.items.getChangeFeedIterator({ changeFeedStartFrom: start });
      await container.items.create({ id: '1', pk: 'a' });
      const now = from(ChangeFeedStartFrom.Now());
      expect((await now.readNext()).statusCode).toBe(304);
      const beginning = from(ChangeFeedStartFrom.Beginning());
      const first = await beginning.readNext();
      expect(first.result.map(({ id }: { id: string }) => id)).toEqual(['1']);
      await container.items.create({ id: '2', pk: 'b' });
      await container.item('1', 'a').patch([{ op: 'add', path: '/n', value: 1 }]);
      const rest = await from(ChangeFeedStartFrom.Continuation(first.continuationToken)).readNext();
      expect(rest.result.map(({ id }: { id: string }) => id).sort()).toEqual(['1', '2']);
      const ofKey = await from(ChangeFeedStartFrom.Beginning('b') as never).readNext();
      expect(ofKey.result.map(({ id }: { id: string }) => id)).toEqual(['2']);
    },
  },
  {
    area: 'Errors',
    feature: 'status and substatus: 400/1001, 404/1003, 409, 412',
    run: async ({ client, database, container: create }) => {
      const container = await create();
      await expect(container.items.create({ pk: 'a', id: 'a/b' })).rejects.toThrow();
      const none = database.container('none');
      await expect(none.items.query('SELECT * FROM c').fetchAll()).rejects.toMatchObject({ code: 404 });
      await expect(client.database('none').read()).rejects.toMatchObject({ code: 404 });
      await container.items.create({ id: '1', pk: 'a' });
      await expect(container.item('1', 'a').replace({ id: '1', pk: 'b' })).rejects.toMatchObject({
        code: 400,
      });
    },
  },
];
