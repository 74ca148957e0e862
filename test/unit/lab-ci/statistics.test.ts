import { describe, expect, it } from 'vitest';
import { interleavedOrder } from '../../../lab/src/ci/interleave.js';
import { pairedChange } from '../../../lab/src/ci/paired-interval.js';
import { studentQuantile } from '../../../lab/src/ci/student-t.js';
import { seededRandom } from '../../../lab/src/seed/random.js';

describe('quantiles of Student', () => {
  // Printed tables of the t distribution.
  it.each([
    [0.95, 1, 6.314],
    [0.975, 2, 4.303],
    [0.975, 5, 2.571],
    [0.99, 7, 2.998],
    [0.995, 9, 3.25],
    [0.975, 30, 2.042],
    [0.975, 120, 1.98],
    [0.9995, 4, 8.61],
  ])('t(%d, %d) is %d', (probability, degrees, expected) => {
    expect(studentQuantile(probability, degrees)).toBeCloseTo(expected, 2);
  });
});

/** Roughly normal, from twelve uniform numbers. */
function normal(random: () => number): number {
  return Array.from({ length: 12 }, random).reduce((sum, value) => sum + value, 0) - 6;
}

/** Pairs on a machine that drifts: each pair has its own speed, which both of it share. */
function pairs(options: { seed: number; rounds: number; ratio: number; noise: number }): [number, number][] {
  const random = seededRandom(options.seed);
  return Array.from({ length: options.rounds }, () => {
    const machine = Math.exp(0.5 * normal(random));
    const reference = 20 * machine * Math.exp(options.noise * normal(random));
    return [20 * machine * options.ratio * Math.exp(options.noise * normal(random)), reference];
  });
}

describe('the interval of paired changes', () => {
  it('holds the true change as often as it promises, whatever the machine does meanwhile', () => {
    const trials = 2_000;
    let held = 0;
    for (let seed = 0; seed < trials; seed++) {
      const change = pairedChange(pairs({ seed, rounds: 8, ratio: 1.2, noise: 0.05 }), 0.95);
      if (change !== null && change.lowPercent <= 20 && change.highPercent >= 20) held++;
    }
    // Three standard errors around 95 %.
    expect(held / trials).toBeGreaterThan(0.935);
    expect(held / trials).toBeLessThan(0.965);
  });

  it('finds a tenth in eight rounds with five percent of noise', () => {
    let found = 0;
    for (let seed = 0; seed < 200; seed++) {
      const change = pairedChange(pairs({ seed, rounds: 8, ratio: 1.1, noise: 0.035 }), 0.98);
      if (change !== null && change.lowPercent > 0) found++;
    }
    expect(found).toBeGreaterThan(150);
  });

  it('gives twice and half the same distance from no change', () => {
    const twice = pairedChange(
      [
        [20, 10],
        [21, 10],
        [19, 10],
      ],
      0.95,
    );
    const half = pairedChange(
      [
        [10, 20],
        [10, 21],
        [10, 19],
      ],
      0.95,
    );
    expect((1 + (twice?.highPercent ?? 0) / 100) * (1 + (half?.lowPercent ?? 0) / 100)).toBeCloseTo(1, 6);
  });

  it('says nothing of fewer than three pairs, or of values that have no ratio', () => {
    expect(
      pairedChange(
        [
          [1, 2],
          [1, 2],
        ],
        0.95,
      ),
    ).toBeNull();
    expect(
      pairedChange(
        [
          [1, 2],
          [0, 2],
          [1, 0],
          [1, 2],
        ],
        0.95,
      ),
    ).toBeNull();
  });
});

describe('the order of loads', () => {
  it('has each side first equally often, and is the same for the same seed', () => {
    for (const seed of [1, 2, 3, 99]) {
      const order = interleavedOrder(8, seed);
      expect(order.filter(([first]) => first === 'target')).toHaveLength(4);
      expect(order.every(([first, second]) => first !== second)).toBe(true);
      expect(interleavedOrder(8, seed)).toEqual(order);
    }
    const beginnings = new Set(Array.from({ length: 20 }, (_, seed) => interleavedOrder(1, seed)[0]?.[0]));
    expect(beginnings.size).toBe(2);
  });

  it('has as many rounds as asked for, odd ones too', () => {
    expect(interleavedOrder(5, 1)).toHaveLength(5);
  });
});
