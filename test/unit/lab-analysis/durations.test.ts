import { describe, expect, it } from 'vitest';
import { quantity, withUnit } from '../../../lab/src/analysis/quantity.js';
import { bestWindow, lastWindow, windowMeans } from '../../../lab/src/analysis/windows.js';
import { loadRows, mergeDurations, summarizeDurations } from '../../../lab/src/recording/index.js';

describe('durations', () => {
  it('of several rows are merged as if they were one', () => {
    const values = Array.from({ length: 2000 }, (_, at) => 0.5 + at * 0.75);
    const parts = [values.slice(0, 10), values.slice(10, 700), [], values.slice(700)];
    const merged = mergeDurations(parts.map(summarizeDurations));
    const whole = mergeDurations([summarizeDurations(values)]);
    expect(merged.count).toBe(2000);
    expect(merged.meanMs).toBeCloseTo(whole.meanMs as number);
    expect(merged.maxMs).toBe(values.at(-1));
    for (const percent of [1, 50, 90, 99, 100]) {
      const exact = values[Math.ceil((percent / 100) * values.length) - 1] as number;
      expect(merged.percentile(percent)).toBe(whole.percentile(percent));
      expect(Math.abs((merged.percentile(percent) as number) / exact - 1)).toBeLessThan(0.002);
    }
  });

  it('of nothing are unknown, not zero', () => {
    expect(mergeDurations([]).meanMs).toBeNull();
    expect(mergeDurations([summarizeDurations([])]).percentile(50)).toBeNull();
  });

  it('outside the histogram keep their exact sum and maximum', () => {
    const merged = mergeDurations([summarizeDurations([0, 900_000])]);
    expect(merged).toMatchObject({ count: 2, sumMs: 900_000, maxMs: 900_000 });
    expect(merged.percentile(100)).toBeGreaterThanOrEqual(600_000);
  });
});

it.each([
  [1_700_000_000_000, 1_700_000_000],
  [1_700_000_000_004, 1_700_000_000],
  [1_699_999_999_996, 1_700_000_000],
])('a load that starts at %i ms has its second 0 at %i', (startMs, zero) => {
  const second = { second: 2, users: 3, requests: 1, failed: 0, droppedIterations: 0, durationsMs: [5] };
  expect(loadRows([second], startMs)).toMatchObject([{ kind: 'load', second: zero + 2, users: 3 }]);
});

describe('windows', () => {
  it('start with the series and leave out a remainder', () => {
    expect(windowMeans([1, 3, 5, 7, 100], 2)).toEqual([2, 6]);
    expect(bestWindow([1, 3, 5, 7, 100], 2)).toBe(6);
    expect(lastWindow([1, 3, 5, 7, 100], 2)).toBe(53.5);
  });

  it('of a series that is too short do not exist', () => {
    expect(bestWindow([1], 2)).toBeNull();
    expect(lastWindow([1], 2)).toBeNull();
  });
});

it.each([
  [118.4, 2, '118'],
  [2.64, 2, '2.6'],
  [0.166, 2, '0.17'],
  [16_071, 2, '16,071'],
  [0, 2, '0'],
  [9, 3, '9'],
  [-0.001, 1, '-0.001'],
  [28.86, 3, '28.9'],
])('%d with %i significant digits reads %s', (value, significant, text) => {
  expect(quantity(value, significant)).toBe(text);
});

it('a ratio has no unit', () => {
  expect(withUnit(2.5, 'ratio')).toBe('2.5');
  expect(withUnit(2.5, 'RU')).toBe('2.5 RU');
});
