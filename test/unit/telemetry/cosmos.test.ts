import { DEPENDENCY_TYPES } from '@bottleneck-lab/contracts';
import { describe, expect, it } from 'vitest';
import { CosmosAttempts } from '../../../libs/telemetry/src/cosmos/attempts.js';
import {
  describeCosmosRequest,
  isCosmosRequest,
  type OutgoingRequest,
  partitionOfSessionToken,
} from '../../../libs/telemetry/src/cosmos/request.js';

function request(method: string, path: string, headers: Record<string, string> = {}): OutgoingRequest {
  const all: Record<string, string> = { host: '127.0.0.1:8081', ...headers };
  return { method, path, header: (name) => all[name] ?? '' };
}

const DOCS = '/dbs/invoicing/colls/utilization/docs';
const QUERY = { 'x-ms-documentdb-isquery': 'true' };

describe('describeCosmosRequest', () => {
  it.each([
    ['a query', request('POST', DOCS, QUERY), DEPENDENCY_TYPES.documentQuery],
    [
      'a query plan',
      request('POST', DOCS, { 'x-ms-cosmos-is-query-plan-request': 'True' }),
      DEPENDENCY_TYPES.metadata,
    ],
    ['a point read', request('GET', `${DOCS}/o000042-2019-07`), DEPENDENCY_TYPES.pointRead],
    ['a feed of documents', request('GET', DOCS), DEPENDENCY_TYPES.metadata],
    ['a create', request('POST', DOCS), DEPENDENCY_TYPES.write],
    ['a replace', request('PUT', `${DOCS}/x`), DEPENDENCY_TYPES.write],
    ['a delete', request('DELETE', `${DOCS}/x`), DEPENDENCY_TYPES.write],
    [
      'partition key ranges',
      request('GET', '/dbs/invoicing/colls/utilization/pkranges'),
      DEPENDENCY_TYPES.metadata,
    ],
    ['the container', request('GET', '/dbs/invoicing/colls/utilization'), DEPENDENCY_TYPES.metadata],
    ['the account', request('GET', '/'), DEPENDENCY_TYPES.metadata],
    ['offers', request('POST', '/offers', QUERY), DEPENDENCY_TYPES.metadata],
  ])('%s', (_, outgoing, type) => {
    expect(describeCosmosRequest(outgoing).type).toBe(type);
  });

  it('reads database, container, partition and key', () => {
    const headers = { 'x-ms-documentdb-partitionkeyrangeid': '4', 'x-ms-documentdb-partitionkey': '["o1"]' };
    expect(describeCosmosRequest(request('POST', DOCS, headers))).toMatchObject({
      target: '127.0.0.1:8081|invoicing',
      container: 'utilization',
      partition: '4',
      partitionKey: '["o1"]',
    });
    expect(describeCosmosRequest(request('GET', '/'))).toMatchObject({
      target: '127.0.0.1:8081',
      container: '',
    });
  });

  it('is the same request only with the same range, page and query', () => {
    const identity = (headers: Record<string, string>) =>
      describeCosmosRequest(request('POST', DOCS, headers)).identity;
    const base = {
      ...QUERY,
      'x-ms-documentdb-partitionkeyrangeid': '4',
      'x-ms-cosmos-correlated-activityid': 'a',
    };
    expect(identity({ ...base, 'x-ms-date': 'later' })).toBe(identity(base));
    const changes: Record<string, string>[] = [
      { 'x-ms-documentdb-partitionkeyrangeid': '5' },
      { 'x-ms-continuation': 'x' },
      { 'x-ms-cosmos-correlated-activityid': 'b' },
    ];
    for (const change of changes) {
      expect(identity({ ...base, ...change })).not.toBe(identity(base));
    }
  });

  it('knows the SDK by its user agent', () => {
    expect(
      isCosmosRequest(request('GET', '/', { 'user-agent': 'Node.js/20 (linux; x64) azure-cosmos-js/4.9.3' })),
    ).toBe(true);
    expect(isCosmosRequest(request('GET', '/', { 'user-agent': 'curl' }))).toBe(false);
    expect(isCosmosRequest(request('GET', '/'))).toBe(false);
  });

  it('takes the partition from a session token', () => {
    expect(['3:-1#12', '12:1#5#1=2', '', 'nonsense'].map(partitionOfSessionToken)).toEqual([
      '3',
      '12',
      '',
      '',
    ]);
  });
});

describe('CosmosAttempts', () => {
  it('numbers attempts and tells the wait before each', () => {
    const attempts = new CosmosAttempts();
    expect(attempts.begin('a')).toEqual({ attempt: 1, wait: null });
    attempts.throttled('a', { attempt: 1, answeredAtMs: 1000, retryAfterMs: 40 });
    expect(attempts.begin('b')).toEqual({ attempt: 1, wait: null });
    expect(attempts.begin('a')).toEqual({ attempt: 2, wait: { startedAtMs: 1000, retryAfterMs: 40 } });
    attempts.throttled('a', { attempt: 2, answeredAtMs: 1100, retryAfterMs: 50 });
    expect(attempts.begin('a')).toEqual({ attempt: 3, wait: { startedAtMs: 1100, retryAfterMs: 50 } });
    expect(attempts.begin('a')).toEqual({ attempt: 1, wait: null });
  });

  it('forgets requests that were given up, the oldest first', () => {
    const attempts = new CosmosAttempts();
    const answered = { attempt: 1, answeredAtMs: 0, retryAfterMs: 0 };
    for (let i = 0; i <= 10_000; i += 1) attempts.throttled(`r${i}`, answered);
    expect(attempts.begin('r0').attempt).toBe(1);
    expect(attempts.begin('r10000').attempt).toBe(2);
  });
});
