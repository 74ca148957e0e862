import type { MeasurementRow } from '@bottleneck-lab/contracts';
import { expect, it } from 'vitest';
import { createLimitFollower } from '../../../lab/src/targets/compose/limit-follower.js';

/** One second of a container: requests answered and what each took. */
function second(at: number, load: { count: number; costMs: number; instance?: string }): MeasurementRow[] {
  const { count, costMs, instance = 'a' } = load;
  const who = { role: 'fabrikam-delivery', instance };
  return [
    {
      ...{ kind: 'operation', second: at, ...who, operation: 'x', count, failed: 0, cancelled: 0 },
      duration: { count, sumMs: count, maxMs: 1, histogram: '' },
    },
    {
      ...{ kind: 'process', second: at, ...who, pid: 1, cpuMs: count * costMs, cpuLimitCores: 0.3 },
      ...{ cpuLimitSource: 'cgroup', periods: 10, throttledPeriods: 0, throttledMs: 0 },
      ...{ eventLoopUtilization: 0.3, eventLoopDelayMaxMs: 1, residentBytes: 1 },
    },
  ];
}

/** Polls a source that hands out one list of rows after another; returns the limits that were set. */
async function limitsAfter(seconds: MeasurementRow[][], rate: number | null = 100): Promise<number[]> {
  const limits: number[] = [];
  const follower = createLimitFollower({
    requestsPerSecond: () => rate,
    setLimit: async (cores) => void limits.push(cores),
  });
  let next = 0;
  const source = follower.follow({
    name: 'delivery',
    poll: async () => ({ second: next, rows: seconds[next++] ?? [] }),
  });
  for (let poll = 0; poll < seconds.length; poll += 1) {
    await source.poll(0, 1);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return limits;
}
const steady = (from: number, to: number, load: Parameters<typeof second>[1]) =>
  Array.from({ length: to - from }, (_, at) => second(from + at, load));

it('gives the limit that 96 % of the rate take, as soon as two seconds tell', async () => {
  expect(await limitsAfter(steady(0, 5, { count: 80, costMs: 4 }))).toEqual([0.384]);
});

it('follows a core that becomes slower, and one that becomes faster', async () => {
  const limits = await limitsAfter([
    ...steady(0, 4, { count: 80, costMs: 2.5 }),
    ...steady(4, 12, { count: 80, costMs: 4 }),
    ...steady(12, 20, { count: 80, costMs: 3 }),
  ]);
  expect(limits[0]).toBe(0.24);
  expect(Math.max(...limits)).toBe(0.384);
  expect(limits.at(-1)).toBe(0.288);
});

it('leaves the limit at low rates, without a rate, and for a change that may be chance', async () => {
  expect(await limitsAfter(steady(0, 9, { count: 40, costMs: 9 }))).toEqual([]);
  expect(await limitsAfter(steady(0, 9, { count: 90, costMs: 4 }), null)).toEqual([]);
  expect(
    await limitsAfter([
      ...steady(0, 5, { count: 80, costMs: 4 }),
      ...steady(5, 9, { count: 80, costMs: 4.05 }),
    ]),
  ).toHaveLength(1);
});

it('takes the rate of each container for itself', async () => {
  const both = Array.from({ length: 4 }, (_, at) => [
    ...second(at, { count: 80, costMs: 4, instance: 'a' }),
    ...second(at, { count: 60, costMs: 4, instance: 'b' }),
  ]);
  expect(await limitsAfter(both)).toEqual([0.384]);
});

it('forgets what lies long behind', async () => {
  const limits = await limitsAfter([
    ...steady(0, 4, { count: 80, costMs: 2.5 }),
    ...steady(60, 62, { count: 80, costMs: 4 }),
  ]);
  expect(limits).toEqual([0.24, 0.384]);
});

it('goes on when a limit could not be set', async () => {
  let calls = 0;
  const follower = createLimitFollower({
    requestsPerSecond: () => 100,
    async setLimit() {
      calls += 1;
      throw new Error('no such container');
    },
  });
  let at = 0;
  const source = follower.follow({
    name: 'delivery',
    poll: async () => ({ second: at, rows: second(at++, { count: 80, costMs: 4 }) }),
  });
  for (let poll = 0; poll < 4; poll += 1) {
    await source.poll(0, 1);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(calls).toBe(3);
});
