import { CosmosClient } from '@azure/cosmos';
import { type CosmosEmulator, startCosmosEmulator } from '@bottleneck-lab/cosmos-emulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RawRequest, request, signedHeaders } from './raw-request.js';

let emulator: CosmosEmulator;
let client: CosmosClient;

beforeAll(async () => {
  emulator = await startCosmosEmulator({ onError: (error) => expect.fail(String(error)) });
  client = new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key });
  const { database } = await client.databases.create({ id: 'db' });
  await database.containers.create({ id: 'c', partitionKey: { paths: ['/ownerId'], version: 2 } });
});
afterAll(async () => {
  client.dispose();
  await emulator.stop();
});

const container = () => client.database('db').container('c');
const DOCS = '/dbs/db/colls/c/docs';

function docs(body: string, headers: Record<string, string> = {}, more: Partial<RawRequest> = {}) {
  const signed = signedHeaders(emulator, { method: 'post', type: 'docs', link: 'dbs/db/colls/c' });
  return request(emulator, { method: 'POST', path: DOCS, headers: { ...signed, ...headers }, body, ...more });
}

describe('authorization', () => {
  test('a wrong key is a 401 that shows what was expected to be signed', async () => {
    const other = new CosmosClient({
      endpoint: emulator.endpoint,
      key: Buffer.from('another key').toString('base64'),
    });
    await expect(other.database('db').read()).rejects.toMatchObject({
      code: 401,
      body: {
        code: 'Unauthorized',
        message: expect.stringMatching(
          /The wrong key is being used[\s\S]*following payload to sign: 'get\n\n\n\w{3}, /,
        ),
      },
    });
    other.dispose();
  });

  test.each<[string, Record<string, string>, number, RegExp]>([
    ['none', {}, 401, /authorization is missing/],
    ['no date', { authorization: 'type%3Dmaster%26ver%3D1.0%26sig%3Dabc' }, 401, /x-ms-date is missing/],
    [
      'Entra ID',
      { authorization: 'type=aad&ver=1.0&sig=token', 'x-ms-date': new Date().toUTCString() },
      401,
      /"aad" is not supported/,
    ],
    [
      'resource token',
      { authorization: 'type%3Dresource%26ver%3D1%26sig%3Dx', 'x-ms-date': new Date().toUTCString() },
      401,
      /"resource" is not supported/,
    ],
    ['garbage', { authorization: '%%%', 'x-ms-date': 'today' }, 401, /not supported/],
  ])('%s', async (_name, headers, status, message) => {
    const answer = await request(emulator, { headers });
    expect(answer.status).toBe(status);
    expect(answer.body.message).toMatch(message);
  });

  test.each([-16, 16])('a date that is %i minutes off is refused', async (minutes) => {
    const date = new Date(Date.now() + minutes * 60_000);
    const answer = await request(emulator, { headers: signedHeaders(emulator, { date }) });
    expect(answer.status).toBe(403);
    expect(answer.body.message).toMatch(/not valid at the current time/);
  });

  test.each([-14, 14])('a date that is %i minutes off is accepted', async (minutes) => {
    const date = new Date(Date.now() + minutes * 60_000);
    expect((await request(emulator, { headers: signedHeaders(emulator, { date }) })).status).toBe(200);
  });

  test('a signature is for its resource only', async () => {
    const headers = signedHeaders(emulator, { type: 'dbs', link: 'dbs/other' });
    expect((await request(emulator, { path: '/dbs/db', headers })).status).toBe(401);
  });

  test('other ways of URL encoding the same signature are accepted', async () => {
    const headers = signedHeaders(emulator);
    const authorization = (headers.authorization as string).replace(/%[0-9A-F]{2}/g, (code) =>
      code.toLowerCase(),
    );
    expect((await request(emulator, { headers: { ...headers, authorization } })).status).toBe(200);
    expect(
      (await request(emulator, { headers: { ...headers, authorization: decodeURIComponent(authorization) } }))
        .status,
    ).toBe(200);
  });

  test('clients may sign with the Date header alone', async () => {
    const date = new Date().toUTCString();
    const { createHmac } = await import('node:crypto');
    const sig = createHmac('sha256', Buffer.from(emulator.key, 'base64'))
      .update(`get\n\n\n\n${date.toLowerCase()}\n`)
      .digest('base64');
    const authorization = encodeURIComponent(`type=master&ver=1.0&sig=${sig}`);
    expect((await request(emulator, { headers: { authorization, date } })).status).toBe(200);
  });
});

describe('addresses', () => {
  test.each([
    ['GET', '/nothing', 404],
    ['GET', '/dbs/db/colls/c/sprocs', 404],
    ['POST', '/dbs/db/users', 404],
    ['PATCH', '/dbs/db', 405],
    ['DELETE', '/dbs', 405],
    ['PUT', '/dbs/db/colls/c/pkranges', 405],
    ['GET', '/dbs/%E0%A4%A', 400],
  ])('%s %s is a %i that names method and path', async (method, path, status) => {
    const answer = await request(emulator, { method, path });
    expect(answer.status).toBe(status);
    expect(answer.body.code).toBeTypeOf('string');
    expect(answer.body.message).toContain(path);
    expect(answer.body.message).toContain(method);
  });

  test('a missing owner has its own substatus', async () => {
    await expect(
      client.database('db').container('none').items.query('SELECT * FROM c').fetchAll(),
    ).rejects.toMatchObject({
      code: 404,
      substatus: 1003,
    });
    await expect(client.database('none').containers.create({ id: 'c' })).rejects.toMatchObject({
      code: 404,
      substatus: 1003,
    });
  });
});

describe('bodies', () => {
  const key = { 'x-ms-documentdb-partitionkey': '["o1"]' };

  test.each([
    ['{"id":', /not valid JSON/],
    ['', /not valid JSON/],
    ['[1]', /has to be a JSON object/],
    ['null', /has to be a JSON object/],
    ['{"ownerId":"o1"}', /required properties - 'id; '/],
    ['{"id":5,"ownerId":"o1"}', /has to be a string, not 5/],
    ['{"id":"a/b","ownerId":"o1"}', /without \/ \\ #/],
    ['{"id":"1","ownerId":"other"}', /doesn't match the one specified in the header/],
    ['{"id":"1"}', /doesn't match the one specified in the header/],
  ])('%s', async (body, message) => {
    const answer = await docs(body, key);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'BadRequest', message: expect.stringMatching(message) });
  });

  test('a partition key that does not match has substatus 1001', async () => {
    const answer = await docs('{"id":"1","ownerId":"x"}', key);
    expect(answer.headers['x-ms-substatus']).toBe('1001');
  });

  test.each([
    ['o1', /not valid JSON/],
    ['"o1"', /has to be a JSON array/],
    ['["a","b"]', /doesn't correspond to definition/],
    ['[["a"]]', /component has to be/],
  ])('partition key header %s', async (header, message) => {
    const answer = await docs('{"id":"1","ownerId":"o1"}', { 'x-ms-documentdb-partitionkey': header });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(message);
  });

  test('without a partition key', async () => {
    const answer = await docs('{"id":"1","ownerId":"o1"}');
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/PartitionKey value must be supplied/);
  });

  test('over 2 MB is a 413 that the client gets to see', async () => {
    const answer = await docs(
      JSON.stringify({ id: '1', ownerId: 'o1', big: 'x'.repeat(2 * 1024 * 1024) }),
      key,
    );
    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({
      code: 'RequestEntityTooLarge',
      message: expect.stringContaining('2097152'),
    });
  });

  test('an item that grows over 2 MB by its system properties is refused too, and nothing is stored', async () => {
    const body = JSON.stringify({ id: 'edge', ownerId: 'o1', big: 'x'.repeat(2 * 1024 * 1024 - 60) });
    expect(Buffer.byteLength(body)).toBeLessThan(2 * 1024 * 1024);
    expect((await docs(body, key)).status).toBe(413);
    expect((await container().item('edge', 'o1').read()).statusCode).toBe(404);
  });

  test('a query without enablecrosspartition needs a partition key', async () => {
    const answer = await docs('{"query":"SELECT * FROM c"}', {
      'content-type': 'application/query+json',
      'x-ms-documentdb-isquery': 'true',
    });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/Cross partition query is required but disabled/);
  });

  test.each([
    ['{"query":5}', /query has to be the text/],
    ['{"query":"SELECT * FROM c","parameters":{}}', /parameters has to be an array/],
    ['{"query":"SELECT * FROM c","parameters":[{"name":"o"}]}', /"@\.\.\."/],
  ])('query %s', async (body, message) => {
    const answer = await docs(body, { 'x-ms-documentdb-isquery': 'true', ...key });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(message);
  });

  const batch = { 'x-ms-cosmos-is-batch-request': 'True', 'x-ms-cosmos-batch-atomic': 'True', ...key };
  test.each<[unknown, RegExp]>([
    [Array.from({ length: 101 }, () => ({ operationType: 'Read', id: '1' })), /1 to 100 operations, not 101/],
    [[], /1 to 100 operations, not 0/],
    [{ operationType: 'Read' }, /1 to 100 operations, not no array/],
    [['Read'], /has to be an object, not "Read"/],
  ])('a batch that is none', async (body, message) => {
    const answer = await docs(JSON.stringify(body), batch);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(message);
  });

  test.each<[object, RegExp]>([
    [{ operationType: 'Merge' }, /"Merge" is unknown/],
    [{ operationType: 'Create', resourceBody: 5 }, /Create needs an item/],
  ])('a batch with a wrong operation: %j', async (operation, message) => {
    const answer = await docs(JSON.stringify([operation]), batch);
    expect(answer.status).toBe(207);
    expect(answer.body[0]).toMatchObject({ statusCode: 400, message: expect.stringMatching(message) });
  });

  test('bulk without a range', async () => {
    const answer = await docs('[{"operationType":"Read"}]', {
      ...batch,
      'x-ms-cosmos-batch-atomic': 'False',
    });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/x-ms-documentdb-partitionkeyrangeid/);
  });

  test('a page size that is none', async () => {
    const answer = await docs('{"query":"SELECT * FROM c"}', {
      'x-ms-documentdb-isquery': 'true',
      'x-ms-max-item-count': 'ten',
      ...key,
    });
    expect(answer.body.message).toMatch(/x-ms-max-item-count has to be -1 or a positive integer, not ten/);
  });
});

describe('definitions', () => {
  const create = (body: object) => client.database('db').containers.create(body as never);
  test.each([
    [{ id: 'x', partitionKey: { paths: ['/a', '/b'], version: 2 } }, /at most 1 paths/],
    [{ id: 'x', partitionKey: { paths: ['a'] } }, /Path "a" is invalid/],
    [{ id: 'x', partitionKey: { paths: ['/a'], version: 3 } }, /has to be 1 or 2/],
    [{ id: 'x', partitionKey: { paths: ['/a'], kind: 'Range' } }, /Hash or MultiHash/],
    [{ id: 'x', partitionKey: '/a', throughput: 450 }, /increments of 100/],
    [{ id: 'x', partitionKey: '/a', maxThroughput: 1500 }, /increments of 1000/],
    [{ id: 'x', partitionKey: '/a', defaultTtl: 0 }, /defaultTtl/],
  ])('%j', async (body, message) => {
    await expect(create(body)).rejects.toMatchObject({ code: 400, message: expect.stringMatching(message) });
  });
});
