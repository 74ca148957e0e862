import { describe, expect, it } from 'vitest';
import { createMachineSampler } from '../../../lab/src/runner/machine-sampler.js';
import { coresBetween, parseProcStat } from '../../../lab/src/runner/machine-stat.js';
import { newRunId } from '../../../lab/src/runner/run-id.js';

describe('machine counters', () => {
  it('reads busy and stolen time of proc(5), without guest time, which is part of user time', () => {
    const text = 'cpu  100 10 50 9000 5 3 2 30 40 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n';
    expect(parseProcStat(text)).toEqual({ busyMs: 1_650, stealMs: 300 });
    expect(() => parseProcStat('intr 5\n')).toThrow('no cpu line');
  });

  it('turns two readings into cores', () => {
    const before = { atMs: 0, busyMs: 0, stealMs: 0 };
    expect(coresBetween(before, { atMs: 2_000, busyMs: 3_000, stealMs: 500 })).toEqual({
      busyCores: 1.5,
      stealCores: 0.25,
    });
    expect(coresBetween(before, { atMs: 1_000, busyMs: 500, stealMs: null })?.stealCores).toBeNull();
    expect(coresBetween(before, before)).toBeNull();
  });
});

describe('machine sampler', () => {
  it('tells the lab from other programs', () => {
    let step = 0;
    const pids = [1, 2];
    const sampler = createMachineSampler({
      ownPids: () => pids,
      readMachine: () => ({ atMs: 10_150 + step * 1000, busyMs: step * 1500, stealMs: 0 }),
      readProcess: (pid) => (pid === 3 && step === 0 ? null : step * 300),
    });
    step = 1;
    sampler.sample();
    expect(sampler.samples).toEqual([{ second: 10, busyCores: 1.5, stealCores: 0, foreignCores: 0.9 }]);
  });

  it('says nothing of other programs where processes can not be read', () => {
    let step = 0;
    const sampler = createMachineSampler({
      ownPids: () => [1],
      readMachine: () => ({ atMs: step * 1000, busyMs: step * 100, stealMs: null }),
      readProcess: () => null,
    });
    step = 1;
    sampler.sample();
    expect(sampler.samples[0]).toMatchObject({ foreignCores: null, stealCores: null });
  });
});

describe('newRunId', () => {
  it('is the UTC time, the scenario and four hex digits', () => {
    const now = new Date('2026-01-15T10:15:30.123Z');
    expect(newRunId('throttled', { now, random: () => '3fa9' })).toBe('20260115T101530Z-throttled-3fa9');
    expect(newRunId('serial')).toMatch(/^\d{8}T\d{6}Z-serial-[0-9a-f]{4}$/);
  });
});
