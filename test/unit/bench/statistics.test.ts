import { describe, expect, it } from 'vitest';

type Better = 'lower' | 'higher';
type Rounds = readonly number[];
interface Finding {
  value: number;
  best?: number;
  pairs?: number[];
  met?: boolean;
}

const load = (file: string) => import(new URL(`../../../bench/${file}`, import.meta.url).href);
const { median, compare } = (await load('statistics.js')) as {
  median(values: Rounds): number;
  compare(a: Rounds, b: Rounds, better: Better): { median: number; best: number; pairs: number[] };
};
const { ratio, finding } = (await load('result.js')) as {
  ratio(label: string, rounds: readonly [Rounds, Rounds], options?: object): Finding;
  finding(label: string, value: number, options?: object): Finding;
};

describe('statistics of the benchmarks', () => {
  it('take the middle value, whatever the order', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([10, 9, 2, 1])).toBe(5.5);
    expect(() => median([])).toThrow(RangeError);
  });

  it('judge by the median of pairs, which one disturbed round does not move', () => {
    const { median: middle, pairs, best } = compare([20, 22, 90], [10, 11, 10], 'lower');
    expect(pairs).toEqual([2, 2, 9]);
    expect(middle).toBe(2);
    expect(best).toBe(2);
  });

  it('take the best of each side, which for throughput is the highest', () => {
    expect(compare([50, 100], [10, 25], 'higher').best).toBe(4);
    expect(compare([50, 100], [10, 25], 'lower').best).toBe(5);
  });

  it('refuse rounds that are no pairs', () => {
    expect(() => compare([1, 2], [1], 'lower')).toThrow('2 rounds against 1');
  });
});

describe('goals of the benchmarks', () => {
  it('are met up to and including the limit', () => {
    expect(finding('x', 2.5, { atMost: 2.5 }).met).toBe(true);
    expect(finding('x', 2.51, { atMost: 2.5 }).met).toBe(false);
    expect(finding('x', 0.4, { atLeast: 0.4 }).met).toBe(true);
    expect(finding('x', 0.39, { atLeast: 0.4 }).met).toBe(false);
  });

  it('are neither met nor missed where there is none', () => {
    expect(finding('x', 7)).not.toHaveProperty('met');
  });

  it('of a ratio are judged by the median of its pairs', () => {
    expect(
      ratio(
        'x',
        [
          [4, 4, 40],
          [2, 2, 2],
        ],
        { atMost: 2 },
      ),
    ).toMatchObject({ value: 2, met: true });
  });
});
