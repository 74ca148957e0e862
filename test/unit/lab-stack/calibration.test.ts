import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { calibrateDelivery } from '../../../lab/src/calibration/calibrate-delivery.js';
import { machineFingerprint } from '../../../lab/src/calibration/fingerprint.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lab-calibration-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const calibrate = async (
  requestsPerCore: number,
  overrides: { fingerprint?: string; target?: number } = {},
) => {
  const limits: number[] = [];
  const calibration = await calibrateDelivery({
    targetRequestsPerSecond: overrides.target ?? 99,
    cachePath: path.join(folder, 'calibration.json'),
    fingerprint: overrides.fingerprint ?? 'machine-a',
    measure: async (limitCores) => {
      limits.push(limitCores);
      return limitCores * requestsPerCore;
    },
    now: () => new Date('2026-01-15T10:15:30Z'),
  });
  return { calibration, limits };
};

describe('calibrateDelivery', () => {
  it('measures the first time and only verifies the second time', async () => {
    const first = await calibrate(300);
    expect(first.calibration.source).toBe('measured');
    expect(first.calibration.deliveryCpuLimitCores).toBeCloseTo(0.33, 2);

    const second = await calibrate(300);
    expect(second.calibration).toMatchObject({ source: 'cached', deliveryCpuLimitCores: 0.33 });
    expect(second.limits).toEqual([0.33]);
  });

  it('corrects a cached limit that no longer fits', async () => {
    await calibrate(300);
    const { calibration, limits } = await calibrate(250);
    expect(limits[0]).toBe(0.33);
    expect(calibration.source).toBe('measured');
    expect(calibration.ceilingRequestsPerSecond).toBeCloseTo(99, 0);
  });

  it('does not use what was measured on another machine or for another ceiling', async () => {
    await calibrate(300);
    expect((await calibrate(300, { fingerprint: 'machine-b' })).calibration.source).toBe('measured');
    await calibrate(300);
    expect((await calibrate(300, { target: 50 })).calibration.source).toBe('measured');
    expect((await calibrate(300)).calibration.source).toBe('cached');
  });

  it('treats a damaged cache as none, and leaves a whole one', async () => {
    const file = path.join(folder, 'calibration.json');
    writeFileSync(file, '{"version":1,"entr');
    expect((await calibrate(300)).calibration.source).toBe('measured');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      version: 1,
      fingerprint: 'machine-a',
      entries: [{ targetRequestsPerSecond: 99, measuredAt: '2026-01-15T10:15:30.000Z' }],
    });
  });

  it('refuses a ceiling that one core can not reach, and stores nothing', async () => {
    await expect(calibrate(60)).rejects.toMatchObject({
      code: 'CALIBRATION_FAILED',
      message: expect.stringContaining('one core is too slow'),
    });
    expect(() => readFileSync(path.join(folder, 'calibration.json'))).toThrow();
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
