import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CpuQuota, type QuotaClock } from '../../../libs/service-kit/src/cpu/cpu-quota.js';

/** A process with one thread: computing uses CPU and time alike, sleeping uses time only. */
function machine() {
  let nowMs = 0;
  let cpuMs = 1_000;
  const clock: QuotaClock = {
    nowMs: () => nowMs,
    cpuMs: () => cpuMs,
    sleep: (ms) => {
      nowMs += ms;
    },
  };
  const compute = (ms: number) => {
    nowMs += ms;
    cpuMs += ms;
  };
  const rest = (ms: number) => {
    nowMs += ms;
  };
  return { clock, compute, rest, now: () => nowMs, used: () => cpuMs - 1_000 };
}

describe('CpuQuota', () => {
  it('lets the process compute until the budget of the period is used up, then stands still until its end', () => {
    const { clock, compute, now } = machine();
    const quota = new CpuQuota(0.25, clock);
    compute(24);
    expect(quota.checkpoint()).toBe(false);
    compute(1);
    expect(quota.checkpoint()).toBe(true);
    expect(now()).toBe(100);
    expect(quota.read()).toEqual({ periods: 1, throttledPeriods: 1, throttledMs: 75 });
    compute(24);
    expect(quota.checkpoint()).toBe(false);
  });

  it('carries debt into the next periods', () => {
    const { clock, compute, now } = machine();
    const quota = new CpuQuota(0.25, clock);
    compute(70);
    expect(quota.checkpoint()).toBe(true);
    // 70 ms are two whole budgets and 20 ms of the third, which leaves 5 ms in the period that begins at 200.
    expect(now()).toBe(200);
    compute(4);
    expect(quota.checkpoint()).toBe(false);
    compute(1);
    expect(quota.checkpoint()).toBe(true);
    expect(now()).toBe(300);
    expect(quota.read()).toEqual({ periods: 3, throttledPeriods: 3, throttledMs: 30 + 100 + 95 });
  });

  it('does not save what was left over', () => {
    const { clock, compute, rest, now } = machine();
    const quota = new CpuQuota(0.25, clock);
    rest(1_000);
    expect(quota.checkpoint()).toBe(false);
    compute(25);
    expect(quota.checkpoint()).toBe(true);
    expect(now()).toBe(1_100);
  });

  it('counts idle periods without throttling any', () => {
    const { clock, rest } = machine();
    const quota = new CpuQuota(0.25, clock);
    rest(550);
    expect(quota.read()).toEqual({ periods: 5, throttledPeriods: 0, throttledMs: 0 });
    rest(50);
    expect(quota.read().periods).toBe(6);
  });

  it('measures CPU time only every quarter of a millisecond', () => {
    const { clock, compute } = machine();
    let measured = 0;
    const cpuMs = () => {
      measured += 1;
      return clock.cpuMs();
    };
    const quota = new CpuQuota(0.5, { ...clock, cpuMs });
    const before = measured;
    for (let i = 0; i < 1_000; i += 1) {
      compute(0.01);
      quota.checkpoint();
    }
    expect(measured - before).toBeLessThanOrEqual(41);
  });

  it('holds a saturated process to its limit, whatever the size of its pieces of work', () => {
    const anyWork = fc.record({
      cores: fc.double({ min: 0.05, max: 0.9, noNaN: true }),
      pieces: fc.array(fc.double({ min: 0.3, max: 40, noNaN: true }), { minLength: 1, maxLength: 20 }),
    });
    fc.assert(
      fc.property(anyWork, ({ cores, pieces }) => {
        const { clock, compute, now, used } = machine();
        const quota = new CpuQuota(cores, clock);
        for (let i = 0; now() < 60_000; i += 1) {
          compute(pieces[i % pieces.length] ?? 1);
          quota.checkpoint();
        }
        // Whole periods have passed after a sleep; at most one period's budget is open at either end.
        expect(Math.abs(used() / now() - cores)).toBeLessThan(0.01 * cores + 100 / now());
      }),
      { numRuns: 50 },
    );
  });
});
