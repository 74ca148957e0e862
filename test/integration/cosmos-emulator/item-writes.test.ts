import type { Container } from '@azure/cosmos';
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

describe('patch', () => {
  let container: Container;
  beforeAll(async () => {
    container = await fixture.container({ id: 'patch', partitionKey: OWNER });
  });
  const start = { id: '1', ownerId: 'o', n: 1, list: [1, 2, 3], nested: { a: 1, b: 'x' } };
  const item = () => container.item('1', 'o');

  test.each<[string, object[], object]>([
    ['add', [{ op: 'add', path: '/m', value: 5 }], { m: 5 }],
    ['add into an array', [{ op: 'add', path: '/list/1', value: 9 }], { list: [1, 9, 2, 3] }],
    ['add at the end', [{ op: 'add', path: '/list/-', value: 9 }], { list: [1, 2, 3, 9] }],
    ['set', [{ op: 'set', path: '/nested/c', value: null }], { nested: { a: 1, b: 'x', c: null } }],
    ['set in an array', [{ op: 'set', path: '/list/0', value: 7 }], { list: [7, 2, 3] }],
    ['replace', [{ op: 'replace', path: '/nested/a', value: 2 }], { nested: { a: 2, b: 'x' } }],
    ['remove', [{ op: 'remove', path: '/list/0' }], { list: [2, 3] }],
    ['incr', [{ op: 'incr', path: '/n', value: -3 }], { n: -2 }],
    ['incr of nothing', [{ op: 'incr', path: '/fresh', value: 4 }], { fresh: 4 }],
    ['move', [{ op: 'move', from: '/nested/b', path: '/b' }], { nested: { a: 1 }, b: 'x' }],
    [
      'several in order',
      [
        { op: 'set', path: '/x', value: { y: 1 } },
        { op: 'incr', path: '/x/y', value: 1 },
      ],
      { x: { y: 2 } },
    ],
  ])('%s', async (_name, operations, expected) => {
    await container.items.upsert({ ...start });
    const { resource } = await item().patch(operations as never);
    expect(resource).toMatchObject(expected);
    expect((await item().read()).resource).toEqual(resource);
  });

  test.each<[string, object[], RegExp]>([
    ['replace', [{ op: 'replace', path: '/none', value: 1 }], /\/none does not exist/],
    ['remove', [{ op: 'remove', path: '/list/9' }], /\/list\/9 does not exist/],
    ['incr', [{ op: 'incr', path: '/nested/b', value: 1 }], /needs numbers/],
    ['below nothing', [{ op: 'set', path: '/none/x', value: 1 }], /\/none\/x does not exist/],
    ['of the id', [{ op: 'set', path: '/id', value: '2' }], /cannot change the id/],
    ['of the partition key', [{ op: 'set', path: '/ownerId', value: 'p' }], /doesn't match/],
    ['that is unknown', [{ op: 'swap', path: '/n', value: 1 }], /"swap" is unknown/],
    [
      'eleven',
      Array.from({ length: 11 }, () => ({ op: 'incr', path: '/n', value: 1 })),
      /1 to 10 operations/,
    ],
  ])('a wrong one changes nothing: %s', async (_name, operations, message) => {
    const before = (await container.items.upsert({ ...start })).resource;
    await expect(item().patch(operations as never)).rejects.toMatchObject({
      code: 400,
      message: expect.stringMatching(message),
    });
    expect((await item().read()).resource).toEqual(before);
  });

  test('with a condition', async () => {
    await container.items.upsert({ ...start });
    const patch = (condition: string) =>
      item().patch({ condition, operations: [{ op: 'incr', path: '/n', value: 1 }] });
    expect((await patch('from c where c.n = 1')).resource?.n).toBe(2);
    await expect(patch('from c where c.n = 1')).rejects.toMatchObject({ code: 412 });
    await expect(patch('from c whre c.n')).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining('location'),
    });
  });
});

describe('entity tags', () => {
  let container: Container;
  beforeAll(async () => {
    container = await fixture.container({ id: 'etag', partitionKey: OWNER });
  });
  const stale = (etag: string) => ({ accessCondition: { type: 'IfMatch', condition: etag } });

  test('If-Match lets only the first of two writers through', async () => {
    const { resource } = await container.items.create({ id: '1', ownerId: 'o', n: 0 });
    const etag = resource?._etag as string;
    const item = container.item('1', 'o');
    await item.replace({ id: '1', ownerId: 'o', n: 1 }, stale(etag));
    for (const attempt of [
      () => item.replace({ id: '1', ownerId: 'o', n: 2 }, stale(etag)),
      () => container.items.upsert({ id: '1', ownerId: 'o', n: 2 }, stale(etag)),
      () => item.patch([{ op: 'set', path: '/n', value: 2 }], stale(etag)),
      () => item.delete(stale(etag)),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 412 });
    }
    expect((await item.read()).resource?.n).toBe(1);
    expect((await item.delete(stale('*'))).statusCode).toBe(204);
  });

  test('If-None-Match answers 304 while nothing has changed', async () => {
    const { resource } = await container.items.create({ id: '2', ownerId: 'o' });
    const known = { accessCondition: { type: 'IfNoneMatch', condition: resource?._etag as string } };
    expect((await container.item('2', 'o').read(known)).statusCode).toBe(304);
    await container.item('2', 'o').patch([{ op: 'add', path: '/n', value: 1 }]);
    expect((await container.item('2', 'o').read(known)).statusCode).toBe(200);
  });
});

describe('transactional batches', () => {
  let container: Container;
  beforeAll(async () => {
    container = await fixture.container({
      id: 'batch',
      partitionKey: OWNER,
      throughput: 18_000,
      uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }] },
    });
    await container.items.create({ id: 'old', ownerId: 'o', n: 1, email: 'old' });
  });

  test('do everything', async () => {
    const { result, code } = await container.items.batch(
      [
        { operationType: 'Create', resourceBody: { id: 'a', ownerId: 'o', email: 'a' } },
        { operationType: 'Upsert', resourceBody: { id: 'b', ownerId: 'o', email: 'b' } },
        {
          operationType: 'Patch',
          id: 'old',
          resourceBody: { operations: [{ op: 'incr', path: '/n', value: 1 }] },
        },
        { operationType: 'Read', id: 'old' },
        { operationType: 'Replace', id: 'a', resourceBody: { id: 'a', ownerId: 'o', email: 'c' } },
        { operationType: 'Delete', id: 'b' },
      ],
      'o',
    );
    expect(code).toBe(200);
    expect(result?.map(({ statusCode }) => statusCode)).toEqual([201, 201, 200, 200, 200, 204]);
    expect(result?.[3]?.resourceBody?.n).toBe(2);
    expect(result?.every(({ requestCharge }) => requestCharge > 0)).toBe(true);
  });

  test('leave the written items out of the answer on request', async () => {
    const { result } = await container.items.batch(
      [
        { operationType: 'Upsert', resourceBody: { id: 'm', ownerId: 'minimal', email: 'm' } },
        { operationType: 'Read', id: 'm' },
      ],
      'minimal',
      { contentResponseOnWriteEnabled: false },
    );
    expect(result?.map(({ resourceBody }) => resourceBody?.id)).toEqual([undefined, 'm']);
  });

  test('or nothing', async () => {
    const all = async () =>
      (await container.items.query('SELECT * FROM c', { partitionKey: 'o' }).fetchAll()).resources;
    const before = await all();
    const { result, code } = await container.items.batch(
      [
        { operationType: 'Create', resourceBody: { id: 'new', ownerId: 'o', email: 'new' } },
        {
          operationType: 'Patch',
          id: 'old',
          resourceBody: { operations: [{ op: 'incr', path: '/n', value: 1 }] },
        },
        { operationType: 'Delete', id: 'a' },
        { operationType: 'Create', resourceBody: { id: 'old', ownerId: 'o', email: 'x' } },
        { operationType: 'Read', id: 'old' },
      ],
      'o',
    );
    expect(code).toBe(207);
    expect(result?.map(({ statusCode }) => statusCode)).toEqual([424, 424, 424, 409, 424]);
    expect(await all()).toEqual(before);
    // The index and the unique keys were put back too.
    const find = (email: string) =>
      container.items
        .query(`SELECT VALUE c.id FROM c WHERE c.email = "${email}"`, { partitionKey: 'o' })
        .fetchAll();
    expect((await find('new')).resources).toEqual([]);
    await container.items.create({ id: 'free', ownerId: 'o', email: 'new' });
    expect((await find('new')).resources).toEqual(['free']);
    await expect(container.items.create({ id: 'taken', ownerId: 'o', email: 'c' })).rejects.toMatchObject({
      code: 409,
    });
  });
});

describe('unique keys', () => {
  test('hold within a logical partition, through updates and deletes', async () => {
    const container = await fixture.container({
      id: 'unique',
      partitionKey: OWNER,
      uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }, { paths: ['/a', '/b/c'] }] },
    });
    const create = (id: string, more: object, ownerId = 'o') =>
      container.items.create({ id, ownerId, ...more });
    await create('1', { email: 'x', a: 1, b: { c: 1 } });
    await expect(create('2', { email: 'x' })).rejects.toMatchObject({
      code: 409,
      message: expect.stringContaining('Unique index'),
    });
    await create('2', { email: 'x' }, 'other');
    await expect(create('3', { email: 'y', a: 1, b: { c: 1 } })).rejects.toMatchObject({ code: 409 });
    await create('3', { email: 'y', a: 1, b: { c: 2 } });
    await expect(
      container.item('3', 'o').patch([{ op: 'set', path: '/email', value: 'x' }]),
    ).rejects.toMatchObject({ code: 409 });
    await container.item('1', 'o').replace({ id: '1', ownerId: 'o', email: 'z' });
    await container.item('3', 'o').patch([{ op: 'set', path: '/email', value: 'x' }]);
    await container.item('3', 'o').delete();
    await create('4', { email: 'x', a: 9 });
    // A missing value counts as null, and there is one such item already.
    await expect(create('5', { email: 'free' })).rejects.toMatchObject({ code: 409 });
  });
});
