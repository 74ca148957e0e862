import { expect } from 'vitest';
import type { ConformanceCase } from './case.js';

const area = 'Items';

export const ITEM_CASES: ConformanceCase[] = [
  {
    area,
    feature: 'create, read, replace, upsert, delete',
    run: async ({ container: create }) => {
      const container = await create();
      expect((await container.items.create({ id: '1', pk: 'a', n: 1 })).statusCode).toBe(201);
      await expect(container.items.create({ id: '1', pk: 'a' })).rejects.toMatchObject({ code: 409 });
      const item = container.item('1', 'a');
      expect((await item.read()).resource).toMatchObject({ id: '1', pk: 'a', n: 1 });
      expect((await item.replace({ id: '1', pk: 'a', n: 2 })).resource?.n).toBe(2);
      expect((await container.items.upsert({ id: '1', pk: 'a', n: 3 })).statusCode).toBe(200);
      expect((await container.items.upsert({ id: '2', pk: 'a' })).statusCode).toBe(201);
      expect((await item.delete()).statusCode).toBe(204);
      expect((await item.read()).statusCode).toBe(404);
    },
  },
  {
    area,
    feature: 'system properties, request charge, session token',
    run: async ({ container: create }) => {
      const container = await create();
      const { resource, headers, requestCharge } = await container.items.create({ id: '1', pk: 'a' });
      expect(resource).toMatchObject({
        _rid: expect.any(String),
        _self: expect.stringMatching(/^dbs\/.*\/colls\/.*\/docs\/.*\/$/),
        _etag: expect.stringMatching(/^".+"$/),
        _ts: expect.any(Number),
      });
      expect(headers.etag).toBe(resource?._etag);
      expect(headers['x-ms-session-token']).toMatch(/^\d+:/);
      expect(requestCharge).toBeGreaterThan(4);
      expect((await container.item('1', 'a').read()).requestCharge).toBe(1);
    },
  },
  {
    area,
    feature: 'If-Match and If-None-Match',
    run: async ({ container: create }) => {
      const container = await create();
      const { resource } = await container.items.create({ id: '1', pk: 'a' });
      const condition = resource?._etag as string;
      const item = container.item('1', 'a');
      expect((await item.read({ accessCondition: { type: 'IfNoneMatch', condition } })).statusCode).toBe(304);
      const match = { accessCondition: { type: 'IfMatch', condition } };
      await item.replace({ id: '1', pk: 'a', n: 1 }, match);
      await expect(item.replace({ id: '1', pk: 'a', n: 2 }, match)).rejects.toMatchObject({ code: 412 });
    },
  },
  {
    area,
    feature: 'patch: add, set, replace, remove, incr, move, condition',
    run: async ({ container: create }) => {
      const container = await create();
      await container.items.create({ id: '1', pk: 'a', n: 1, list: [1, 2], gone: true, from: 'x' });
      const item = container.item('1', 'a');
      const { resource } = await item.patch([
        { op: 'add', path: '/list/-', value: 3 },
        { op: 'set', path: '/m', value: { a: 1 } },
        { op: 'replace', path: '/list/0', value: 9 },
        { op: 'remove', path: '/gone' },
        { op: 'incr', path: '/n', value: 4 },
        { op: 'move', from: '/from', path: '/to' } as never,
      ]);
      expect(resource).toMatchObject({ n: 5, list: [9, 2, 3], m: { a: 1 }, to: 'x' });
      expect(resource).not.toHaveProperty('gone');
      const conditional = {
        condition: 'from c where c.n = 0',
        operations: [{ op: 'incr' as const, path: '/n', value: 1 }],
      };
      await expect(item.patch(conditional)).rejects.toMatchObject({ code: 412 });
    },
  },
  {
    area,
    feature: 'transactional batch, all or nothing',
    run: async ({ container: create }) => {
      const container = await create();
      const done = await container.items.batch(
        [
          { operationType: 'Create', resourceBody: { id: '1', pk: 'a' } },
          { operationType: 'Upsert', resourceBody: { id: '2', pk: 'a' } },
          { operationType: 'Read', id: '1' },
          { operationType: 'Delete', id: '2' },
        ],
        'a',
      );
      expect(done.result?.map(({ statusCode }) => statusCode)).toEqual([201, 201, 200, 204]);
      const undone = await container.items.batch(
        [
          { operationType: 'Create', resourceBody: { id: '3', pk: 'a' } },
          { operationType: 'Create', resourceBody: { id: '1', pk: 'a' } },
        ],
        'a',
      );
      expect(undone.result?.map(({ statusCode }) => statusCode)).toEqual([424, 409]);
      expect((await container.item('3', 'a').read()).statusCode).toBe(404);
    },
  },
  {
    area,
    feature: 'bulk over partitions',
    run: async ({ container: create }) => {
      const container = await create({ throughput: 12_000 });
      const operations = Array.from({ length: 120 }, (_, i) => ({
        operationType: 'Create' as const,
        partitionKey: `p${i % 17}`,
        resourceBody: { id: `${i}`, pk: `p${i % 17}` },
      }));
      const results = await container.items.executeBulkOperations(operations);
      expect(results.filter(({ response }) => response?.statusCode !== 201)).toEqual([]);
      expect((await container.items.query('SELECT VALUE COUNT(1) FROM c').fetchAll()).resources).toEqual([
        120,
      ]);
    },
  },
  {
    area,
    feature: 'time to live, of the container and of an item',
    run: async ({ container: create }) => {
      const container = await create({ defaultTtl: 1 });
      await container.items.create({ id: 'short', pk: 'a' });
      await container.items.create({ id: 'long', pk: 'a', ttl: -1 });
      await expect
        .poll(async () => (await container.item('short', 'a').read()).statusCode, { timeout: 20_000 })
        .toBe(404);
      expect((await container.item('long', 'a').read()).statusCode).toBe(200);
    },
  },
  {
    area,
    feature: 'unique keys within a logical partition',
    run: async ({ container: create }) => {
      const container = await create({ uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }] } });
      await container.items.create({ id: '1', pk: 'a', email: 'x' });
      await expect(container.items.create({ id: '2', pk: 'a', email: 'x' })).rejects.toMatchObject({
        code: 409,
      });
      expect((await container.items.create({ id: '2', pk: 'b', email: 'x' })).statusCode).toBe(201);
    },
  },
  {
    area,
    feature: 'items without a partition key, and with null',
    run: async ({ container: create }) => {
      const container = await create();
      await container.items.create({ id: '1' });
      await container.items.create({ id: '1', pk: null });
      expect((await container.item('1', undefined).read()).resource).not.toHaveProperty('pk');
      expect((await container.item('1', null).read()).resource).toHaveProperty('pk', null);
    },
  },
];
