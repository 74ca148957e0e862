import { describe, expect, test } from 'vitest';
import { DeadlineQueue } from '../../../emulators/cosmos/src/latency/deadline-queue.js';
import { LatencyStream } from '../../../emulators/cosmos/src/latency/latency-model.js';

const QUERY = { meanMs: 65, coefficientOfVariation: 1.3 };

function draw(stream: LatencyStream, count: number): number[] {
  return Array.from({ length: count }, () => stream.next('query', QUERY));
}

describe('the latency of a partition', () => {
  test('has the mean and the coefficient of variation asked for', () => {
    const values = draw(new LatencyStream(1, 'dbs/a/colls/b/0'), 200_000);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    expect(mean / QUERY.meanMs).toBeCloseTo(1, 1);
    expect(Math.abs(Math.sqrt(variance) / mean / QUERY.coefficientOfVariation - 1)).toBeLessThan(0.05);
    expect(Math.min(...values.slice(0, 10_000))).toBeGreaterThan(0);
  });

  test('is the same for the same seed and name, and another for another', () => {
    const first = draw(new LatencyStream(1, 'c/0'), 20);
    expect(draw(new LatencyStream(1, 'c/0'), 20)).toEqual(first);
    expect(draw(new LatencyStream(2, 'c/0'), 20)).not.toEqual(first);
    expect(draw(new LatencyStream(1, 'c/1'), 20)).not.toEqual(first);
  });

  test('of queries does not depend on how many other requests there are', () => {
    const alone = draw(new LatencyStream(7, 'c/0'), 10);
    const mixed = new LatencyStream(7, 'c/0');
    const values = Array.from({ length: 10 }, () => {
      mixed.next('pointRead', QUERY);
      return mixed.next('query', QUERY);
    });
    expect(values).toEqual(alone);
  });

  test('streams of neighbouring partitions are independent', () => {
    const a = draw(new LatencyStream(1, 'c/0'), 20_000).map(Math.log);
    const b = draw(new LatencyStream(1, 'c/1'), 20_000).map(Math.log);
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const [meanA, meanB] = [mean(a), mean(b)];
    const covariance = mean(a.map((value, index) => (value - meanA) * ((b[index] as number) - meanB)));
    expect(Math.abs(covariance)).toBeLessThan(0.03);
  });

  test('is constant without variation', () => {
    expect(new LatencyStream(1, 'c').next('query', { meanMs: 5, coefficientOfVariation: 0 })).toBe(5);
  });
});

describe('the queue of deadlines', () => {
  test('runs everything in order of deadline, equal ones in order of arrival', async () => {
    const queue = new DeadlineQueue();
    const order: number[] = [];
    const start = performance.now();
    const deadlines = [9, 3, 5, 3, 7, 1, 5, 2, 8];
    await new Promise<void>((resolve) => {
      for (const [index, deadline] of deadlines.entries()) {
        queue.at(start + deadline, () => {
          order.push(index);
          if (order.length === deadlines.length) resolve();
        });
      }
    });
    const expected = [...deadlines.keys()].sort(
      (a, b) => (deadlines[a] as number) - (deadlines[b] as number) || a - b,
    );
    expect(order).toEqual(expected);
    expect(queue.size).toBe(0);
  });

  test('keeps the mean: early and late callbacks cancel out', async () => {
    const queue = new DeadlineQueue();
    const errors: number[] = [];
    await new Promise<void>((resolve) => {
      const next = (index: number) => {
        const deadline = performance.now() + 2 + (index % 7) * 0.37;
        queue.at(deadline, () => {
          errors.push(performance.now() - deadline);
          if (index < 300) next(index + 1);
          else resolve();
        });
      };
      next(0);
    });
    errors.sort((a, b) => a - b);
    // The median, since a busy machine delays some of them by any amount.
    expect(errors[0] as number).toBeGreaterThanOrEqual(-0.5);
    expect(Math.abs(errors[150] as number)).toBeLessThan(1);
  });

  test('flush runs what waits at once, also what that adds', () => {
    const queue = new DeadlineQueue();
    const ran: string[] = [];
    queue.at(performance.now() + 60_000, () => {
      ran.push('first');
      queue.at(performance.now() + 60_000, () => ran.push('second'));
    });
    queue.flush();
    expect(ran).toEqual(['first', 'second']);
  });
});
