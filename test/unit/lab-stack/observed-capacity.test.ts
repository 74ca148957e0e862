import type { MeasurementRow } from '@bottleneck-lab/contracts';
import { describe, expect, it } from 'vitest';
import { observedCapacity } from '../../../lab/src/calibration/index.js';

const WHO = { role: 'fabrikam-delivery', instance: 'delivery-1' };

/** One second of a service: requests answered, CPU per request, throttled periods. */
function second(
  at: number,
  load: { count: number; costMs: number; throttledPeriods?: number },
): MeasurementRow[] {
  const { count, costMs, throttledPeriods = 0 } = load;
  const duration = { count, sumMs: count, maxMs: 1, histogram: '' };
  return [
    { kind: 'operation', second: at, ...WHO, operation: 'x', count, failed: 0, cancelled: 0, duration },
    {
      kind: 'process',
      second: at,
      ...WHO,
      pid: 1,
      cpuMs: count * costMs,
      cpuLimitCores: 0.4,
      cpuLimitSource: 'quota',
      periods: 10,
      throttledPeriods,
      throttledMs: 0,
      eventLoopUtilization: 0.3,
      eventLoopDelayMaxMs: 1,
      residentBytes: 1,
    },
  ];
}
const seconds = (from: number, to: number, load: Parameters<typeof second>[1]) =>
  Array.from({ length: to - from }, (_, at) => second(from + at, load)).flat();

describe('capacity observed under a real load', () => {
  it('is what a core gives at that cost, with a little more for a throttled process', () => {
    expect(observedCapacity(seconds(0, 10, { count: 70, costMs: 3.4 }), 99)).toBeCloseTo(
      1000 / (3.4 * 1.03),
      6,
    );
  });

  it('leaves out seconds far below the wanted rate and throttled ones', () => {
    const rows = [
      ...seconds(0, 10, { count: 20, costMs: 9 }),
      ...seconds(10, 20, { count: 70, costMs: 3 }),
      ...seconds(20, 30, { count: 80, costMs: 7, throttledPeriods: 8 }),
    ];
    expect(observedCapacity(rows, 99)).toBeCloseTo(1000 / 3.09, 6);
  });

  it.each([
    ['no rows', []],
    ['a load far below the rate', seconds(0, 60, { count: 40, costMs: 3 })],
    ['too few seconds', seconds(0, 4, { count: 90, costMs: 3 })],
    ['a throttled process', seconds(0, 60, { count: 95, costMs: 3, throttledPeriods: 9 })],
  ])('is unknown with %s', (_, rows) => {
    expect(observedCapacity(rows, 99)).toBeNull();
  });
});
