import { INTERNAL_ROUTES } from '@bottleneck-lab/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService } from './service-under-test.js';

let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService({ env: { PROFILING: 'on' } });
});
afterAll(() => service.stop());

async function post(url: string) {
  const response = await fetch(url, { method: 'POST' });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
const profile = (query: string) => post(`${service.internalUrl}${INTERNAL_ROUTES.profile}${query}`);

/** A name that nothing else has, and enough work to be in some of the samples. */
function countPrimesForTheProfile(ms: number): number {
  const until = performance.now() + ms;
  let primes = 0;
  for (let n = 2; performance.now() < until; n += 1) {
    let divisor = 2;
    while (n % divisor !== 0) divisor += 1;
    if (divisor === n) primes += 1;
  }
  return primes;
}

describe('the profile route', () => {
  it('returns what the process computed meanwhile, one profile at a time', async () => {
    const first = profile('?seconds=1');
    const second = profile('?seconds=1');
    const work = setInterval(() => countPrimesForTheProfile(40), 100);
    const answers = await Promise.all([first, second]);
    clearInterval(work);
    const taken = answers.find(({ status }) => status === 200);
    const refused = answers.find(({ status }) => status !== 200);
    expect(refused).toMatchObject({ status: 409, body: { code: 'PROFILE_RUNNING' } });
    const nodes = taken?.body.nodes as { callFrame: { functionName: string } }[];
    expect(nodes.map(({ callFrame }) => callFrame.functionName)).toContain('countPrimesForTheProfile');
    expect(taken?.body.samples).not.toEqual([]);
    expect(await profile('?seconds=1')).toMatchObject({ status: 200 });
  });

  it.each(['', '?seconds=0', '?seconds=61', '?seconds=1.5', '?seconds=x'])(
    'refuses "%s" with what is allowed',
    async (query) => {
      const { status, body } = await profile(query);
      expect(status).toBe(400);
      expect(body.detail).toMatch(/seconds (is required|must be a whole number from 1 to 60)/);
    },
  );

  it('is not on the public port, takes POST only, and does not exist unless asked for', async () => {
    expect(await post(`${service.url}${INTERNAL_ROUTES.profile}?seconds=1`)).toMatchObject({ status: 404 });
    const got = await fetch(`${service.internalUrl}${INTERNAL_ROUTES.profile}?seconds=1`);
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
    await using plain = await startTestService({});
    expect(await post(`${plain.internalUrl}${INTERNAL_ROUTES.profile}?seconds=1`)).toMatchObject({
      status: 404,
    });
  });
});
