import { describe, expect, it } from 'vitest';
import {
  containerFor,
  feedOptions,
  utilizationQuery,
} from '../../../services/drone-utilization/src/query-plan.js';

describe('feedOptions', () => {
  it.each([
    ['serial', 'deliveryId', { forceQueryPlan: true, maxDegreeOfParallelism: 1, maxItemCount: 100 }],
    ['parallel', 'deliveryId', { forceQueryPlan: true, maxDegreeOfParallelism: -1, maxItemCount: 100 }],
    ['serial', 'ownerId', { partitionKey: 'o000042' }],
    ['parallel', 'ownerId', { partitionKey: 'o000042' }],
  ] as const)('of a %s query with partition key %s', (queryFanout, partitionKey, expected) => {
    const toggles = { queryFanout, partitionKey };
    expect(feedOptions(toggles, 'o000042')).toEqual(expected);
    expect(feedOptions(toggles, 'o000042')).not.toBe(feedOptions(toggles, 'o000042'));
  });
});

describe('containerFor', () => {
  it('is the container that has the partition key', () => {
    expect(containerFor({ queryFanout: 'serial', partitionKey: 'deliveryId' })).toBe('utilization');
    expect(containerFor({ queryFanout: 'serial', partitionKey: 'ownerId' })).toBe('utilization-by-owner');
  });
});

describe('utilizationQuery', () => {
  it('passes values as parameters', () => {
    expect(utilizationQuery({ ownerId: 'o000042', year: 2019, month: 7 }).parameters).toEqual([
      { name: '@ownerId', value: 'o000042' },
      { name: '@year', value: 2019 },
      { name: '@month', value: 7 },
    ]);
  });
});
