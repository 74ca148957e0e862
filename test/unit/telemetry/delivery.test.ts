import { diag } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { deliveryCounts } from '../../../libs/telemetry/src/delivery/delivery-counts.js';
import { watchDiagnostics } from '../../../libs/telemetry/src/delivery/diagnostics.js';
import { trackPolicy, withDependencyTypes } from '../../../libs/telemetry/src/delivery/track-policy.js';

const item = (properties: Record<string, string>) => ({
  iKey: 'k',
  data: { baseType: 'RemoteDependencyData', baseData: { type: 'Http', properties } },
});
const body = (count: number) => JSON.stringify(Array.from({ length: count }, () => item({})));

async function sent(count: number, answer: () => Promise<{ status: number; bodyAsText?: string | null }>) {
  const before = deliveryCounts();
  await trackPolicy()
    .sendRequest({ url: 'http://x/v2.1/track', body: body(count) }, answer)
    .catch(() => {});
  const { delivered, lost, lastReason } = deliveryCounts();
  return { delivered: delivered - before.delivered, lost: lost - before.lost, lastReason };
}

describe('the track policy', () => {
  it('moves the dependency type from the properties into the item', () => {
    const items = JSON.stringify([
      item({ 'ai.dependency.type': 'Azure DocumentDB', a: 'b' }),
      item({ c: 'd' }),
    ]);
    expect(JSON.parse(withDependencyTypes(items))).toEqual([
      {
        ...item({}),
        data: {
          baseType: 'RemoteDependencyData',
          baseData: { type: 'Azure DocumentDB', properties: { a: 'b' } },
        },
      },
      item({ c: 'd' }),
    ]);
  });

  it('leaves a batch alone that has none', () => {
    const items = JSON.stringify([item({ a: 'b' })]);
    expect(withDependencyTypes(items)).toBe(items);
  });

  it.each([
    ['all accepted', { status: 200, bodyAsText: '{"itemsAccepted":5}' }, { delivered: 5, lost: 0 }],
    ['accepted without a body', { status: 200, bodyAsText: '' }, { delivered: 5, lost: 0 }],
    [
      'some refused',
      { status: 206, bodyAsText: '{"itemsAccepted":3,"errors":[{"message":"why"}]}' },
      { delivered: 3, lost: 2, lastReason: 'ingestion answered 206: why' },
    ],
    [
      'all refused',
      { status: 503, bodyAsText: '' },
      { delivered: 0, lost: 5, lastReason: 'ingestion answered 503' },
    ],
    ['garbage', { status: 500, bodyAsText: '<html>' }, { delivered: 0, lost: 5 }],
  ])('counts a batch: %s', async (_, answer, counted) => {
    expect(await sent(5, async () => answer)).toMatchObject(counted);
  });

  it('counts a batch that got no answer, and lets the failure through', async () => {
    const failing = async () => Promise.reject(new Error('ECONNREFUSED'));
    expect(await sent(4, failing)).toMatchObject({ delivered: 0, lost: 4, lastReason: 'ECONNREFUSED' });
    await expect(trackPolicy().sendRequest({ url: '', body: body(1) }, failing)).rejects.toThrow(
      'ECONNREFUSED',
    );
  });
});

it('counts what queues dropped, and reports losses once a minute', () => {
  const lines: string[] = [];
  let now = 0;
  const before = deliveryCounts().lost;
  watchDiagnostics(
    (line) => lines.push(line),
    () => now,
  );
  diag.warn('Dropped 17 spans because maxQueueSize reached');
  diag.warn('Dropped 3 spans because maxQueueSize reached');
  expect(deliveryCounts().lost - before).toBe(20);
  expect(lines).toHaveLength(1);
  now += 60_000;
  diag.error('something else');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/telemetry: \d+ items lost so far; the last because: the queue was full/);
  diag.disable();
});
