import { describe, expect, test } from 'vitest';
import { CounterSink, GaugeSink, RateSink, TrendSink } from '../../../loadtests/src/engine/results/sink.js';

function trendOf(values: readonly number[]): TrendSink {
  const sink = new TrendSink();
  for (const value of values) sink.add(value);
  return sink;
}

describe('trend', () => {
  test.each([
    ['med', 2.5],
    ['p(0)', 1],
    ['p(25)', 1.75],
    ['p(90)', 3.7],
    ['p(99.9)', 3.997],
    ['p(100)', 4],
    ['avg', 2.5],
    ['min', 1],
    ['max', 4],
    ['count', 4],
  ])('%s of 4, 1, 3, 2 interpolates linearly to %d', (name, expected) => {
    expect(trendOf([4, 1, 3, 2]).aggregate(name)).toBeCloseTo(expected, 12);
  });

  test('one value is every percentile', () => {
    expect(trendOf([7]).aggregate('p(95)')).toBe(7);
  });

  test('without values everything is 0', () => {
    const sink = new TrendSink();
    expect(['avg', 'min', 'max', 'med', 'p(95)', 'count'].map((name) => sink.aggregate(name))).toEqual([
      0, 0, 0, 0, 0, 0,
    ]);
    expect(sink.empty).toBe(true);
  });

  test.each(['p(101)', 'p(-1)', 'p95', 'mean', 'rate'])('%s is unknown', (name) => {
    expect(trendOf([1]).aggregate(name)).toBeUndefined();
  });

  test('asking in between does not change later answers', () => {
    const values = Array.from({ length: 2_000 }, (_, i) => (i * 7_919) % 2_003);
    const asked = new TrendSink();
    values.forEach((value, i) => {
      asked.add(value);
      if (i % 37 === 0) asked.aggregate('p(50)');
    });
    const sorted = [...values].sort((a, b) => a - b);
    for (const percent of [0, 12.5, 50, 95, 99, 100]) {
      const rank = (percent / 100) * (sorted.length - 1);
      const lower = sorted[Math.floor(rank)] as number;
      const upper = sorted[Math.ceil(rank)] as number;
      expect(asked.aggregate(`p(${percent})`)).toBeCloseTo(lower + (upper - lower) * (rank % 1), 9);
    }
    expect(asked.count).toBe(2_000);
  });
});

test('a counter has its sum, and its rate over the whole test', () => {
  const sink = new CounterSink();
  sink.add(10);
  sink.add(5);
  expect([sink.aggregate('count', 3_000), sink.aggregate('rate', 3_000), sink.aggregate('rate', 0)]).toEqual([
    15, 5, 0,
  ]);
  expect(sink.aggregate('avg', 1)).toBeUndefined();
});

test('a gauge has its last, lowest and highest value', () => {
  const sink = new GaugeSink();
  for (const value of [5, -2, 3]) sink.add(value);
  expect(['value', 'min', 'max'].map((name) => sink.aggregate(name))).toEqual([3, -2, 5]);
});

test('a rate is the share of values that are not 0', () => {
  const sink = new RateSink();
  for (const value of [1, 0, 1, 2]) sink.add(value);
  expect(['rate', 'passes', 'fails'].map((name) => sink.aggregate(name))).toEqual([0.75, 3, 1]);
  expect(new RateSink().aggregate('rate')).toBe(0);
});
