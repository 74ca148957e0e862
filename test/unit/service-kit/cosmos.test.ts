import { ErrorResponse, TimeoutError } from '@azure/cosmos';
import { DEPENDENCY_TYPES } from '@bottleneck-lab/contracts';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../libs/service-kit/src/config/load-config.js';
import {
  containerOf,
  dependencyTypeOf,
  partitionOf,
} from '../../../libs/service-kit/src/cosmos/attempt-kind.js';
import { cosmosError, isUnreachable } from '../../../libs/service-kit/src/cosmos/cosmos-error.js';
import { COSMOS_SETTINGS, cosmosCredentialRule } from '../../../libs/service-kit/src/cosmos/settings.js';

describe('dependencyTypeOf', () => {
  it.each([
    ['a document query', { resourceType: 'docs', operationType: 'query' }, DEPENDENCY_TYPES.documentQuery],
    ['a point read', { resourceType: 'docs', operationType: 'read' }, DEPENDENCY_TYPES.pointRead],
    ['partition key ranges', { resourceType: 'pkranges', operationType: 'query' }, DEPENDENCY_TYPES.metadata],
    ['the account', { resourceType: '', operationType: 'read' }, DEPENDENCY_TYPES.metadata],
    ['a container', { resourceType: 'colls', operationType: 'read' }, DEPENDENCY_TYPES.metadata],
  ])('tells %s', (_what, request, type) => {
    expect(dependencyTypeOf(request)).toBe(type);
  });

  it.each(['query', 'read'])('tells a query plan, a %s to the SDK, by its header', (operationType) => {
    const headers = { 'x-ms-cosmos-is-query-plan-request': true };
    expect(dependencyTypeOf({ resourceType: 'docs', operationType, headers })).toBe(
      DEPENDENCY_TYPES.metadata,
    );
  });
});

describe('containerOf and partitionOf', () => {
  it('name the container of a path', () => {
    expect(containerOf({ path: '/dbs/invoicing/colls/utilization/docs' })).toBe('utilization');
    expect(containerOf({ path: 'dbs/invoicing/colls/packages' })).toBe('packages');
    expect(containerOf({ path: '' })).toBe('account');
  });

  it('take the range from the request, else from the session token', () => {
    expect(partitionOf({ partitionKeyRangeId: '0' }, {})).toBe('0');
    expect(partitionOf({}, { 'x-ms-session-token': '7:-1#42' })).toBe('7');
    expect(partitionOf({}, {})).toBe('');
    expect(partitionOf({}, { 'x-ms-session-token': 'nonsense' })).toBe('');
  });
});

describe('cosmosError', () => {
  const answered = (code: number, more: object = {}) =>
    Object.assign(new ErrorResponse('said so\nActivityId: 1'), { code, ...more });
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const aborted = Object.assign(new Error('aborted'), { name: 'AbortError' });

  it.each([
    [answered(429, { retryAfterInMs: 1_200 }), 'COSMOS_THROTTLED', 503],
    [answered(401), 'COSMOS_REFUSED', 503],
    [answered(403), 'COSMOS_REFUSED', 503],
    [answered(404), 'COSMOS_NOT_SET_UP', 503],
    [answered(503), 'COSMOS_UNREACHABLE', 503],
    [answered(500), 'COSMOS_FAILED', 502],
    [answered(400), 'COSMOS_FAILED', 502],
    [refused, 'COSMOS_UNREACHABLE', 503],
    [new TimeoutError('slow'), 'COSMOS_UNREACHABLE', 503],
    [aborted, 'CLIENT_LEFT', 499],
  ])('maps %s', (error, code, status) => {
    const mapped = cosmosError(error, 'utilization');
    expect(mapped.row).toMatchObject({ code, status });
    expect(mapped.cause).toBe(error);
    expect(mapped.extensions).toEqual({ container: 'utilization' });
  });

  it('tells the caller of a throttled container when to come back, in whole seconds', () => {
    expect(cosmosError(answered(429, { retryAfterInMs: 1_200 }), 'c').headers).toEqual({
      'retry-after': '2',
    });
    expect(cosmosError(answered(429), 'c').headers).toEqual({ 'retry-after': '1' });
  });

  it('tells an account that answered with an error from one that did not answer', () => {
    expect(isUnreachable(answered(500))).toBe(false);
    expect(isUnreachable(refused)).toBe(true);
    expect(isUnreachable(aborted)).toBe(false);
  });
});

describe('the settings for Cosmos DB', () => {
  const load = (env: Record<string, string>) =>
    loadConfig(COSMOS_SETTINGS, { env, rules: [cosmosCredentialRule] });

  it('keep the retry options of the SDK', () => {
    const config = load({ COSMOS_ENDPOINT: 'http://127.0.0.1:8081', COSMOS_KEY: 'YWJj' });
    expect(config).toMatchObject({
      cosmosMaxRetries: 9,
      cosmosMaxRetryWaitSeconds: 30,
      cosmosDatabase: 'invoicing',
    });
  });

  it('need a key, or https with a managed identity', () => {
    expect(() => load({ COSMOS_ENDPOINT: 'http://127.0.0.1:8081' })).toThrow('COSMOS_KEY: is missing');
    const identity = { COSMOS_AUTH: 'managed-identity' };
    expect(() => load({ ...identity, COSMOS_ENDPOINT: 'http://127.0.0.1:8081' })).toThrow('COSMOS_ENDPOINT');
    expect(
      load({ ...identity, COSMOS_ENDPOINT: 'https://x.documents.azure.com:443/' }).cosmosKey,
    ).toBeUndefined();
  });

  it('refuse a key that is not base64 without repeating it', () => {
    const run = () => load({ COSMOS_ENDPOINT: 'http://a', COSMOS_KEY: 'not a key' });
    expect(run).toThrow('COSMOS_KEY: the value given is not allowed');
    expect(run).not.toThrow('not a key');
  });
});
