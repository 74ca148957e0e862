import { expect, it } from 'vitest';
import { IngestionQuota } from '../../../emulators/app-insights/src/ingestion/quota.js';

it('throttles above the average of a minute and says when to come back', () => {
  let now = 0;
  const quota = new IngestionQuota({ maxItemsPerSecond: 100, dailyCapItems: 0 }, () => now);
  quota.take(6000);
  expect(() => quota.take(250)).toThrow(expect.objectContaining({ status: 429, retryAfterSeconds: 3 }));
  now += 2499;
  expect(() => quota.take(250)).toThrow(expect.objectContaining({ status: 429, retryAfterSeconds: 1 }));
  now += 1;
  quota.take(250);
});

it('caps a UTC day', () => {
  let now = Date.UTC(2026, 0, 1, 23, 59);
  const quota = new IngestionQuota({ maxItemsPerSecond: 1000, dailyCapItems: 100 }, () => now);
  quota.take(60);
  expect(() => quota.take(50)).toThrow(expect.objectContaining({ status: 402 }));
  quota.take(40);
  now += 60_000;
  quota.take(100);
});
