import fc from 'fast-check';
import { describe, test } from 'vitest';
import { formatDuration, parseDuration } from '../../../loadtests/src/engine/duration.js';
import { rampingArrivals } from '../../../loadtests/src/engine/executors/arrivals.js';
import type { VuStep } from '../../../loadtests/src/engine/executors/executor.js';
import {
  rampSteps,
  reserveRampDowns,
  type Stage,
  stagesDurationMs,
} from '../../../loadtests/src/engine/executors/stages.js';
import { TrendSink } from '../../../loadtests/src/engine/results/sink.js';
import { parseTime } from '../../../loadtests/src/point.js';

const stages = (maxTarget: number) =>
  fc.array(
    fc.record({
      durationMs: fc.integer({ min: 0, max: 20_000 }),
      target: fc.integer({ min: 0, max: maxTarget }),
    }),
    {
      minLength: 1,
      maxLength: 6,
    },
  );
const holdsAt = (steps: readonly VuStep[], atMs: number) =>
  steps.findLast((step) => step.atMs <= atMs)?.vus ?? 0;

/** The line through the stages, rounded towards where each stage started: what a ramp's steps must follow. */
function lineAt(start: number, list: readonly Stage[], atMs: number): number {
  let from = start;
  let beginMs = 0;
  for (const { durationMs, target } of list) {
    if (atMs < beginMs + durationMs) {
      const change = ((target - from) * (atMs - beginMs)) / durationMs;
      return from + Math.trunc(change + Math.sign(change) * 1e-9);
    }
    from = target;
    beginMs += durationMs;
  }
  return from;
}

describe('ramps of any shape', () => {
  test('follow their line at every moment', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 50 }),
        stages(50),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (start, list, share) => {
          const steps = rampSteps(start, list);
          const atMs = Math.floor(share * stagesDurationMs(list)) + 0.5;
          return holdsAt(steps, atMs) === lineAt(start, list, atMs);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('reserve at least the running users, and at most those of the last graceful ramp-down', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20 }),
        stages(20),
        fc.integer({ min: 0, max: 8_000 }),
        (start, list, graceMs) => {
          const steps = rampSteps(start, list);
          const endMs = stagesDurationMs(list) + 10_000;
          const reserved = reserveRampDowns(steps, graceMs, endMs);
          return [...steps, ...reserved].every(({ atMs }) => {
            if (atMs >= endMs) return holdsAt(reserved, atMs) === 0;
            const recent = steps.filter(
              (step, i) => step.atMs <= atMs && (steps[i + 1]?.atMs ?? endMs) > atMs - graceMs,
            );
            return holdsAt(reserved, atMs) === Math.max(...recent.map(({ vus }) => vus));
          });
        },
      ),
      { numRuns: 500 },
    );
  });
});

test('arrivals come where the area under any rate reaches whole numbers', () => {
  const areaAt = (start: number, list: readonly Stage[], atMs: number) => {
    let [area, from, left] = [0, start / 1_000, atMs];
    for (const { durationMs, target } of list) {
      const to = target / 1_000;
      const spentMs = Math.min(left, durationMs);
      const rate = durationMs === 0 ? to : from + ((to - from) * spentMs) / durationMs;
      area += (spentMs * (from + rate)) / 2;
      left -= spentMs;
      from = to;
    }
    return area;
  };
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 30 }), stages(30), (start, list) => {
      const times = [...rampingArrivals(start, list, 1_000)];
      const total = areaAt(start, list, stagesDurationMs(list));
      if (Math.abs(total - Math.round(total)) > 1e-6 && times.length !== Math.floor(total)) return false;
      return times.every(
        (atMs, i) =>
          Math.abs(areaAt(start, list, atMs) - (i + 1)) < 1e-5 && atMs >= (times[i - 1] ?? 0) - 1e-6,
      );
    }),
    { numRuns: 300 },
  );
});

test('percentiles are those of the sorted values, whenever one asks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 400 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 0, max: 100 }),
      (values, every, percent) => {
        const sink = new TrendSink();
        values.forEach((value, i) => {
          sink.add(value);
          if (i % every === 0) sink.percentile(0.5);
        });
        const sorted = [...values].sort((a, b) => a - b);
        const rank = (percent / 100) * (sorted.length - 1);
        const [lower, upper] = [sorted[Math.floor(rank)] as number, sorted[Math.ceil(rank)] as number];
        return (
          Math.abs(sink.percentile(percent / 100) - (lower + (upper - lower) * (rank - Math.floor(rank)))) <
          1e-6
        );
      },
    ),
    { numRuns: 300 },
  );
});

test('a duration that is shown is read back as the same to the shown digits', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10 * 3_600_000 }),
      (ms) => Math.abs((parseDuration(formatDuration(ms)) ?? Number.NaN) - ms) <= 5,
    ),
  );
});

test('times of points keep their microseconds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1e12, max: 2e12 }), fc.integer({ min: 0, max: 999 }), (ms, micros) => {
      const text = `${new Date(ms).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
      return Math.abs(parseTime(text) - (ms + micros / 1_000)) < 1e-3;
    }),
  );
});
