import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLimit, nextLimit } from '../../../lab/src/calibration/find-limit.js';

/** A service whose cost per request rises a little with throttling, as measured ones do. */
const service = (requestsPerCore: number, fixed = 0) => {
  const measured: number[] = [];
  return {
    measured,
    measure: async (limitCores: number) => {
      measured.push(limitCores);
      return requestsPerCore * limitCores - fixed;
    },
  };
};

describe('findLimit', () => {
  it('keeps a first guess that is good enough', async () => {
    const { measure, measured } = service(400);
    const found = await findLimit({ targetRequestsPerSecond: 100, initialLimitCores: 0.25, measure });
    expect(found).toMatchObject({ limitCores: 0.25, requestsPerSecond: 100, withinTolerance: true });
    expect(measured).toHaveLength(1);
  });

  it('corrects in proportion, then along the line through two measurements', async () => {
    const { measure, measured } = service(500, 30);
    const found = await findLimit({
      targetRequestsPerSecond: 99,
      initialLimitCores: 0.5,
      tolerance: 0.01,
      measure,
    });
    expect(found.withinTolerance).toBe(true);
    expect(found.requestsPerSecond).toBeGreaterThan(98);
    expect(found.requestsPerSecond).toBeLessThan(100);
    expect(measured.length).toBeLessThanOrEqual(3);
  });

  it('says so when one core is not enough', async () => {
    const { measure } = service(40);
    const found = await findLimit({ targetRequestsPerSecond: 99, initialLimitCores: 0.2, measure });
    expect(found).toMatchObject({ limitCores: 1, requestsPerSecond: 40, withinTolerance: false });
  });

  it('reaches the target on machines from slow to fast, with 3 % of noise', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: 130, max: 4_000, noNaN: true }),
        fc.double({ min: 0, max: 15, noNaN: true }),
        fc.array(fc.double({ min: -0.03, max: 0.03, noNaN: true }), { minLength: 6, maxLength: 6 }),
        async (requestsPerCore, fixed, noise) => {
          let round = 0;
          const truth = (limit: number) => requestsPerCore * limit - fixed;
          const found = await findLimit({
            targetRequestsPerSecond: 99,
            initialLimitCores: 0.25,
            maxRounds: 5,
            measure: async (limit) => truth(limit) * (1 + (noise[round++ % noise.length] as number)),
          });
          expect(truth(found.limitCores)).toBeGreaterThan(90);
          expect(truth(found.limitCores)).toBeLessThan(108);
        },
      ),
      { seed: 4, numRuns: 300 },
    );
  });
});

describe('nextLimit', () => {
  it('falls back to proportion when noise gives an implausible line', () => {
    const rounds = [
      { limitCores: 0.2, requestsPerSecond: 80 },
      { limitCores: 0.201, requestsPerSecond: 70 },
    ];
    expect(nextLimit(rounds, 100)).toBeCloseTo(0.25, 6);
  });

  it('does not explode when nothing was answered', () => {
    expect(nextLimit([{ limitCores: 0.1, requestsPerSecond: 0 }], 100)).toBeCloseTo(2, 6);
  });
});
