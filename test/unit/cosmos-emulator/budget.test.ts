import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Budget } from '../../../emulators/cosmos/src/throughput/budget.js';

const START_MS = 1_700_000_000_000;

/** Sends requests as fast as `gapMs` allows; returns the request units admitted in each second. */
function saturate(
  budget: Budget,
  { charge, gapMs, seconds }: { charge: number; gapMs: number; seconds: number },
) {
  const admitted = new Array<number>(seconds).fill(0);
  for (let ms = 0; ms < seconds * 1000; ms += gapMs) {
    if (budget.admit(START_MS + ms) !== null) continue;
    budget.charge(charge);
    const second = Math.floor(ms / 1000);
    admitted[second] = (admitted[second] as number) + charge;
  }
  return admitted;
}

const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

test('ten saturated seconds admit the provisioned request units to within one percent', () => {
  for (const charge of [1, 3.2, 5.72, 17]) {
    const budget = new Budget({ ruPerSecond: 277.8 });
    expect(total(saturate(budget, { charge, gapMs: 1, seconds: 10 })) / 2778).toBeCloseTo(1, 2);
  }
});

test('the same for any charge, rate and budget that leaves ten requests in a second', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1, max: 50, noNaN: true }),
      fc.integer({ min: 600, max: 10_000 }),
      (charge, ru) => {
        const seconds = 10;
        const admitted = total(
          saturate(new Budget({ ruPerSecond: ru }), {
            charge,
            gapMs: 0.5 * Math.min(1, (charge * 1000) / ru),
            seconds,
          }),
        );
        expect(admitted).toBeGreaterThanOrEqual(ru * seconds * 0.99);
        expect(admitted).toBeLessThanOrEqual(ru * seconds + charge + 1e-6);
      },
    ),
    { numRuns: 30 },
  );
});

test('a request is admitted while anything is left, and its debt is paid by the next seconds', () => {
  const budget = new Budget({ ruPerSecond: 100 });
  expect(budget.admit(START_MS)).toBeNull();
  budget.charge(250);
  expect(budget.left(START_MS + 999)).toBe(-150);
  expect(budget.admit(START_MS + 1500)).toEqual({ retryAfterMs: 500 });
  expect(budget.left(START_MS + 1500)).toBe(-50);
  expect(budget.admit(START_MS + 2000)).toBeNull();
  expect(budget.left(START_MS + 2000)).toBe(50);
});

test('the wait ends with the second and is at least one millisecond', () => {
  const budget = new Budget({ ruPerSecond: 1 });
  budget.admit(START_MS);
  budget.charge(1);
  expect(budget.admit(START_MS + 1)).toEqual({ retryAfterMs: 999 });
  expect(budget.admit(START_MS + 999)).toEqual({ retryAfterMs: 1 });
  expect(budget.admit(START_MS + 999.9)).toEqual({ retryAfterMs: 1 });
});

describe('burst capacity', () => {
  test('is off by default: an idle minute saves nothing', () => {
    const budget = new Budget({ ruPerSecond: 100 });
    budget.admit(START_MS);
    expect(total(saturate(new Budget({ ruPerSecond: 100 }), { charge: 1, gapMs: 1, seconds: 1 }))).toBe(100);
    expect(budget.saved(START_MS + 60_000)).toBe(0);
  });

  test('saves unused request units up to its limit and spends them once', () => {
    const budget = new Budget({ ruPerSecond: 100, burstSeconds: 1.25 });
    budget.admit(START_MS - 60_000);
    const [first, second, third] = saturate(budget, { charge: 1, gapMs: 1, seconds: 3 });
    expect(first).toBe(225);
    expect(second).toBe(100);
    expect(third).toBe(100);
  });

  test('a part of a second that was not used is saved too', () => {
    const budget = new Budget({ ruPerSecond: 100, burstSeconds: 10 });
    budget.admit(START_MS);
    budget.charge(30);
    expect(budget.saved(START_MS + 1000)).toBe(70);
    expect(budget.saved(START_MS + 3000)).toBe(270);
  });

  test('debt is paid before anything is saved', () => {
    const budget = new Budget({ ruPerSecond: 100, burstSeconds: 10 });
    budget.admit(START_MS);
    budget.charge(250);
    expect(budget.saved(START_MS + 2000)).toBe(0);
    expect(budget.left(START_MS + 2000)).toBe(50);
    expect(budget.saved(START_MS + 3000)).toBe(50);
  });

  test('lowering the limit takes savings away', () => {
    const budget = new Budget({ ruPerSecond: 100, burstSeconds: 10 });
    budget.admit(START_MS);
    expect(budget.saved(START_MS + 5000)).toBe(500);
    budget.burstSeconds = 2;
    expect(budget.saved(START_MS + 5000)).toBe(200);
  });
});

test('changed throughput starts the second afresh', () => {
  const budget = new Budget({ ruPerSecond: 6000 });
  budget.admit(START_MS);
  budget.charge(7000);
  budget.provision(100);
  expect(budget.left(START_MS)).toBe(100);
});

test('reset forgets debt and savings', () => {
  const budget = new Budget({ ruPerSecond: 100, burstSeconds: 5 });
  budget.admit(START_MS);
  budget.charge(1000);
  budget.reset();
  expect(budget.left(START_MS)).toBe(100);
  expect(budget.saved(START_MS)).toBe(0);
});
