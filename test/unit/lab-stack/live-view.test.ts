import { type MeasurementRow, ROLES } from '@bottleneck-lab/contracts';
import { describe, expect, it } from 'vitest';
import type { LiveSecond } from '../../../lab/src/runner/live-second.js';
import { liveView } from '../../../lab/src/runner/live-view.js';

const ZERO = 1_000;
const load = (second: number) => ({
  second,
  users: 7,
  requests: 4,
  failed: 0,
  droppedIterations: 0,
  durationsMs: [10, 20, 30, 100],
});
const partition = (second: number, requestUnits: number, throttled = 0): MeasurementRow => ({
  kind: 'partition',
  second,
  container: 'utilization',
  partition: String(requestUnits),
  requests: 9,
  throttled,
  requestUnits,
  provisionedRuPerSecond: 100,
});
const cpu = (second: number, role: string, cpuMs: number): MeasurementRow => ({
  kind: 'process',
  second,
  role,
  instance: 'one',
  pid: 1,
  cpuMs,
  cpuLimitCores: role === ROLES.gateway ? null : 0.2,
  cpuLimitSource: 'quota',
  periods: 10,
  throttledPeriods: 0,
  throttledMs: 0,
  eventLoopUtilization: 0,
  eventLoopDelayMaxMs: 0,
  residentBytes: 1,
});

function view() {
  const shown: LiveSecond[] = [];
  let nowMs = ZERO * 1000;
  const live = liveView({ plannedSeconds: 60, onSecond: (second) => shown.push(second), now: () => nowMs });
  return { live, shown, at: (seconds: number) => (nowMs = (ZERO + seconds) * 1000) };
}

describe('live view', () => {
  it('shows a second once its rows have come, with the hottest partition and the busiest service', () => {
    const { live, shown, at } = view();
    at(1.01);
    live.addLoadSecond(load(ZERO));
    expect(shown).toEqual([]);
    live.addRows(
      [
        partition(ZERO, 40),
        partition(ZERO, 90, 3),
        cpu(ZERO, ROLES.delivery, 50),
        cpu(ZERO, ROLES.gateway, 900),
      ],
      ZERO,
    );
    expect(shown).toEqual([
      {
        second: 0,
        plannedSeconds: 60,
        users: 7,
        requestsPerSecond: 4,
        failed: 0,
        meanMs: 40,
        p95Ms: 100,
        throttledPerSecond: 3,
        hottest: { container: 'utilization', partition: '90', ruPerSecond: 90, limitRuPerSecond: 100 },
        busiest: { service: 'delivery', percent: 25 },
      },
    ]);
  });

  it('looks for the hottest partition in the container that is used most', () => {
    const { live, shown, at } = view();
    at(1.01);
    live.addLoadSecond(load(ZERO));
    const packages = { ...partition(ZERO, 30), container: 'packages', provisionedRuPerSecond: 40 } as const;
    live.addRows([partition(ZERO, 40), packages], ZERO);
    expect(shown[0]?.hottest).toMatchObject({ container: 'utilization', ruPerSecond: 40 });
  });

  it('does not wait for ever for rows', () => {
    const { live, shown, at } = view();
    at(1.01);
    live.addLoadSecond(load(ZERO));
    at(4.5);
    live.addLoadSecond(load(ZERO + 1));
    expect(shown.map(({ second }) => second)).toEqual([0]);
    expect(shown[0]).toMatchObject({ throttledPerSecond: null, hottest: null, busiest: null, meanMs: 40 });
  });

  it('keeps the order and shows nothing twice', () => {
    const { live, shown, at } = view();
    at(1.01);
    live.addLoadSecond(load(ZERO));
    at(2.01);
    live.addLoadSecond(load(ZERO + 1));
    live.addRows([partition(ZERO, 1), partition(ZERO + 1, 2)], ZERO + 1);
    live.addRows([], ZERO + 1);
    expect(shown.map(({ hottest }) => hottest?.ruPerSecond)).toEqual([1, 2]);
  });
});
