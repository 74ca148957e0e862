import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCalibrator } from '../../../lab/src/calibration/calibrator.js';
import { limitFor, median, spread } from '../../../lab/src/calibration/capacity.js';
import { machineFingerprint } from '../../../lab/src/calibration/fingerprint.js';
import type { MeasureTimes } from '../../../lab/src/calibration/measure-times.js';

let folder: string;
let cachePath: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lab-calibration-'));
  cachePath = path.join(folder, 'calibration.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Service {
  /** Requests/s that one core gives. */
  perCore: number;
  /** Relative errors of the measurements, in turn. */
  noise?: number[];
  fingerprint?: string;
  target?: number;
  /** What a load has shown afterwards. */
  observed?: number;
}

/** Runs a calibration against a service of known capacity. */
async function calibrate(service: Service) {
  const { perCore, noise = [0], fingerprint = 'machine-a', target = 99, observed } = service;
  const limits: number[] = [];
  const measured: MeasureTimes[] = [];
  let limit = 0;
  const calibrator = createCalibrator({
    targetRequestsPerSecond: target,
    cachePath,
    fingerprint,
    setLimit: async (limitCores) => {
      limit = limitCores;
      limits.push(limitCores);
    },
    measure: async (times) => {
      const error = noise[measured.length % noise.length] as number;
      measured.push(times);
      return limit * perCore * (1 + error);
    },
    now: () => new Date('2026-01-15T10:15:30Z'),
  });
  limit = calibrator.initialLimitCores;
  let calibration = await calibrator.calibrate();
  if (observed !== undefined) calibration = await calibrator.adopt(observed);
  return { calibration, limits, measured, ceiling: limit * perCore };
}

describe('calibrator', () => {
  it('measures the first time: once without a limit to speak of, then two rounds under one', async () => {
    const { calibration, limits, measured, ceiling } = await calibrate({ perCore: 300 });
    expect(calibration).toMatchObject({ source: 'measured', deliveryCpuLimitCores: 0.33 });
    expect(measured).toHaveLength(3);
    expect(limits[0]).toBe(1);
    expect(ceiling).toBeCloseTo(99, 6);
  });

  it('only verifies the second time', async () => {
    await calibrate({ perCore: 300 });
    const second = await calibrate({ perCore: 300 });
    expect(second.calibration).toMatchObject({ source: 'cached', deliveryCpuLimitCores: 0.33 });
    expect(second.ceiling).toBeCloseTo(99, 6);
    expect(second.measured).toHaveLength(2);
  });

  it('measures one round the first time where a load will correct the limit', async () => {
    let limit = 0;
    let measurements = 0;
    const calibrator = createCalibrator({
      ...{ targetRequestsPerSecond: 99, cachePath, fingerprint: 'machine-a' },
      setLimit: async (limitCores) => {
        limit = limitCores;
      },
      measure: async () => {
        measurements += 1;
        return limit * 300;
      },
    });
    expect(await calibrator.calibrate({ verify: false })).toMatchObject({
      ...{ source: 'measured', deliveryCpuLimitCores: 0.33 },
    });
    expect(measurements).toBe(2);
  });

  it('takes a known limit as it is where a load will correct it', async () => {
    const measured: MeasureTimes[] = [];
    await calibrate({ perCore: 300 });
    const calibrator = createCalibrator({
      ...{ targetRequestsPerSecond: 99, cachePath, fingerprint: 'machine-a' },
      setLimit: async () => {},
      measure: async (times) => {
        measured.push(times);
        return 1;
      },
    });
    expect(await calibrator.calibrate({ verify: false })).toMatchObject({
      ...{ source: 'cached', deliveryCpuLimitCores: 0.33 },
    });
    expect(measured).toEqual([]);
  });

  it('does not let one noisy check move a confirmed limit far', async () => {
    await calibrate({ perCore: 300 });
    const { ceiling } = await calibrate({ perCore: 300, noise: [0.12] });
    expect(ceiling).toBeGreaterThan(94);
    expect(ceiling).toBeLessThan(100);
  });

  it('measures anew when the cached limit no longer fits', async () => {
    await calibrate({ perCore: 300 });
    const { calibration, measured, ceiling } = await calibrate({ perCore: 200 });
    expect(measured.length).toBeGreaterThan(1);
    expect(calibration.source).toBe('measured');
    expect(ceiling).toBeCloseTo(99, 0);
  });

  it('takes the word of a load, aims a little low then, and keeps what it has measured itself', async () => {
    const { calibration } = await calibrate({ perCore: 300, observed: 250 });
    expect(calibration.deliveryCpuLimitCores).toBeCloseTo((0.96 * 99) / 250, 4);
    expect(calibration.ceilingRequestsPerSecond).toBeCloseTo(0.96 * 99, 1);
    expect((await calibrate({ perCore: 300 })).calibration.deliveryCpuLimitCores).toBe(0.33);
  });

  it('takes the middle of three rounds when two contradict each other', async () => {
    const { ceiling, measured } = await calibrate({ perCore: 300, noise: [0, -0.3, 0, 0.01] });
    expect(measured).toHaveLength(4);
    expect(ceiling).toBeGreaterThan(97);
    expect(ceiling).toBeLessThan(100);
  });

  it('lands near the target on machines from slow to fast, with 8 % of noise', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: 130, max: 4_000, noNaN: true }),
        fc.array(fc.double({ min: -0.08, max: 0.08, noNaN: true }), { minLength: 4, maxLength: 4 }),
        async (perCore, noise) => {
          rmSync(cachePath, { force: true });
          const { ceiling } = await calibrate({ perCore, noise });
          expect(ceiling).toBeGreaterThan(90);
          expect(ceiling).toBeLessThan(108);
        },
      ),
      { seed: 4, numRuns: 200 },
    );
  });

  it('does not use what was measured on another machine or for another ceiling', async () => {
    await calibrate({ perCore: 300 });
    const elsewhere = await calibrate({ perCore: 300, fingerprint: 'machine-b' });
    expect(elsewhere.measured).toHaveLength(3);
    await calibrate({ perCore: 300 });
    const other = await calibrate({ perCore: 300, target: 50 });
    expect(other.calibration).toMatchObject({ source: 'measured', deliveryCpuLimitCores: 0.1667 });
    expect((await calibrate({ perCore: 300 })).calibration.source).toBe('cached');
  });

  it('treats a damaged cache as none, and leaves a whole one', async () => {
    writeFileSync(cachePath, '{"version":2,"entr');
    expect((await calibrate({ perCore: 300 })).calibration.source).toBe('measured');
    expect(JSON.parse(readFileSync(cachePath, 'utf8'))).toMatchObject({
      version: 2,
      fingerprint: 'machine-a',
      entries: [{ targetRequestsPerSecond: 99, measuredAt: '2026-01-15T10:15:30.000Z' }],
    });
  });

  it('refuses a ceiling that one core can not reach, and stores nothing', async () => {
    await expect(calibrate({ perCore: 60 })).rejects.toMatchObject({
      code: 'CALIBRATION_FAILED',
      message: expect.stringContaining('one core gives 60.0'),
    });
    expect(() => readFileSync(cachePath)).toThrow('ENOENT');
  });
});

describe('capacity', () => {
  it('keeps limits within what services take', () => {
    expect(limitFor(99, 300)).toBe(0.33);
    expect(limitFor(1, 100_000)).toBe(0.01);
    expect(limitFor(99, 20)).toBe(1);
    expect(limitFor(99, 0)).toBe(1);
  });

  it('has a middle and a spread', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1])).toBe(2.5);
    expect(spread([2, 3])).toBe(0.5);
  });
});

describe('machineFingerprint', () => {
  it('changes with the program that is measured', () => {
    const program = path.join(folder, 'program.js');
    writeFileSync(program, 'one');
    const one = machineFingerprint([program]);
    expect(machineFingerprint([program])).toBe(one);
    writeFileSync(program, 'two');
    expect(machineFingerprint([program])).not.toBe(one);
  });
});
