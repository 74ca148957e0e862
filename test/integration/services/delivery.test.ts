import { deliveriesSummary } from '@bottleneck-lab/contracts';
import { createApp, settings } from '@bottleneck-lab/delivery';
import { startService } from '@bottleneck-lab/service-kit';
import { describe, expect, it } from 'vitest';
import { testConfig } from '../service-kit/service-under-test.js';

const PATH = '/api/deliveries/summary?ownerId=o000042&year=2019&month=7';

async function answerOf(seed: string) {
  const config = testConfig(settings, { DATA_SEED: seed });
  const service = await startService({ name: 'delivery', createApp, config });
  const response = await fetch(service.url + PATH);
  const body = deliveriesSummary.parse(await response.json());
  const missing = await fetch(`${service.url}/api/deliveries/summary?ownerId=o000360&year=2019&month=7`);
  await service.stop();
  return { status: response.status, body, missing: { status: missing.status, body: await missing.json() } };
}

describe('GET /api/deliveries/summary', () => {
  it('is the same after a restart, and another with another seed', async () => {
    const [first, again, other] = [await answerOf('1'), await answerOf('1'), await answerOf('2')];
    expect(first.status).toBe(200);
    expect(first.body.count).toBeGreaterThan(0);
    expect(again).toEqual({ ...first, missing: { ...first.missing, body: expect.anything() } });
    expect(other.body).not.toEqual(first.body);
  });

  it('is a 404 for an owner who does not exist', async () => {
    expect((await answerOf('1')).missing).toMatchObject({
      status: 404,
      body: { code: 'DELIVERIES_NOT_FOUND' },
    });
  });
});
