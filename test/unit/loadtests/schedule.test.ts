import { describe, expect, test } from 'vitest';
import { constantArrivals, rampingArrivals } from '../../../loadtests/src/engine/executors/arrivals.js';
import { rampSteps, reserveRampDowns } from '../../../loadtests/src/engine/executors/stages.js';
import { readOptions } from '../../../loadtests/src/engine/options.js';
import { plannedSeconds, plannedVus } from '../../../loadtests/src/engine/plan.js';

describe('ramp', () => {
  test('from 1 to 40 in 60 s changes 39 times, at whole nanoseconds of 60 s * i / 39', () => {
    const steps = rampSteps(1, [{ durationMs: 60_000, target: 40 }]);
    expect(steps).toHaveLength(40);
    expect(steps[0]).toEqual({ atMs: 0, vus: 1 });
    expect(steps[1]).toEqual({ atMs: 1538.461538, vus: 2 });
    expect(steps[20]).toEqual({ atMs: 30_769.230769, vus: 21 });
    expect(steps[39]).toEqual({ atMs: 60_000, vus: 40 });
  });

  test('goes down as it goes up, holds, and jumps in a stage of no length', () => {
    const steps = rampSteps(4, [
      { durationMs: 4_000, target: 2 },
      { durationMs: 1_000, target: 2 },
      { durationMs: 0, target: 10 },
      { durationMs: 3_000, target: 10 },
    ]);
    expect(steps).toEqual([
      { atMs: 0, vus: 4 },
      { atMs: 2_000, vus: 3 },
      { atMs: 4_000, vus: 2 },
      { atMs: 5_000, vus: 10 },
    ]);
  });

  test('reserves users that went away for their graceful ramp-down, but not beyond the end', () => {
    const steps = rampSteps(3, [
      { durationMs: 2_000, target: 1 },
      { durationMs: 10_000, target: 1 },
    ]);
    expect(reserveRampDowns(steps, 5_000, 14_000)).toEqual([
      { atMs: 0, vus: 3 },
      { atMs: 6_000, vus: 2 },
      { atMs: 7_000, vus: 1 },
      { atMs: 14_000, vus: 0 },
    ]);
    expect(reserveRampDowns(steps, 0, 12_000).map(({ vus }) => vus)).toEqual([3, 2, 1, 0]);
    expect(reserveRampDowns(steps, 30_000, 14_000)).toEqual([
      { atMs: 0, vus: 3 },
      { atMs: 14_000, vus: 0 },
    ]);
  });
});

describe('plan', () => {
  const steps = (gracefulStop: string) =>
    Object.fromEntries(
      [5, 10].map((vus, i) => [
        `step${vus}`,
        { executor: 'constant-vus', vus, duration: '5s', startTime: `${5 * i}s`, gracefulStop },
      ]),
    );

  test('adds up scenarios that overlap through their graceful stops', () => {
    expect(plannedVus(readOptions({ scenarios: steps('5s') }).scenarios)).toBe(15);
    expect(plannedVus(readOptions({ scenarios: steps('0s') }).scenarios)).toBe(10);
  });

  test('lasts from the first start to the last regular end', () => {
    expect(plannedSeconds(readOptions({ scenarios: steps('30s') }).scenarios)).toBe(10);
    expect(plannedSeconds(readOptions({ iterations: 5 }).scenarios)).toBeNull();
  });
});

describe('arrivals', () => {
  test('at a constant rate start at once and then evenly', () => {
    expect([...constantArrivals(2 / 1000, 2_000)]).toEqual([0, 500, 1_000, 1_500]);
  });

  test('start where the area under the rate reaches 1, 2, 3', () => {
    // From 0 to 10 per second in 10 s the area is t*t/2: arrival i comes at the root of 2*i seconds.
    const times = [...rampingArrivals(0, [{ durationMs: 10_000, target: 10 }], 1_000)];
    expect(times).toHaveLength(50);
    times.forEach((atMs, index) => {
      expect(atMs).toBeCloseTo(Math.sqrt(2 * (index + 1)) * 1_000, 6);
    });
  });

  test('continue over stages: rising, level, falling to none', () => {
    const stages = [
      { durationMs: 2_000, target: 4 },
      { durationMs: 1_000, target: 4 },
      { durationMs: 2_000, target: 0 },
    ];
    const times = [...rampingArrivals(2, stages, 1_000)];
    expect(times).toHaveLength(6 + 4 + 4);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const areaAt = (ms: number) => {
      const t = ms / 1_000;
      if (t <= 2) return 2 * t + t * t * 0.5;
      if (t <= 3) return 6 + 4 * (t - 2);
      return 10 + 4 * (t - 3) - (t - 3) ** 2;
    };
    times.forEach((atMs, index) => {
      expect(areaAt(atMs)).toBeCloseTo(index + 1, 6);
    });
  });

  test('follow the time unit', () => {
    expect([...rampingArrivals(60, [{ durationMs: 3_000, target: 60 }], 60_000)]).toEqual([
      1_000, 2_000, 3_000,
    ]);
  });

  test('of rate 0 never come', () => {
    expect([...rampingArrivals(0, [{ durationMs: 3_000, target: 0 }], 1_000)]).toEqual([]);
  });
});
