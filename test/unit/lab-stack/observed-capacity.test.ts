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

describe('capacity observed under a load', () => {
  it('is what a core gives at the cost of the last four seconds', () => {
    const rows = [...seconds(0, 4, { count: 99, costMs: 9 }), ...seconds(4, 8, { count: 90, costMs: 4 })];
    expect(observedCapacity(rows, 99)).toBeCloseTo(250, 6);
  });

  it('leaves out seconds far below the wanted rate, wherever they are', () => {
    const rows = [
      ...seconds(0, 10, { count: 20, costMs: 9 }),
      ...seconds(10, 13, { count: 80, costMs: 4 }),
      ...second(13, { count: 40, costMs: 9 }),
    ];
    expect(observedCapacity(rows, 99)).toBeCloseTo(250, 6);
  });

  it('does not follow one disturbed second', () => {
    const rows = [...seconds(0, 2, { count: 99, costMs: 4 }), ...second(2, { count: 90, costMs: 12 })];
    expect(observedCapacity([...rows, ...second(3, { count: 99, costMs: 4 })], 99)).toBeCloseTo(250, 6);
  });

  it.each([
    ['no rows', []],
    ['a load far below the rate', seconds(0, 60, { count: 40, costMs: 3 })],
    ['too few seconds', seconds(0, 1, { count: 90, costMs: 3 })],
  ])('is unknown with %s', (_, rows) => {
    expect(observedCapacity(rows, 99)).toBeNull();
  });
});
