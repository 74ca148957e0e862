import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCgroupLimit } from '../../../libs/service-kit/src/cpu/cgroup.js';
import { createCpuControl } from '../../../libs/service-kit/src/cpu/cpu-control.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cgroup-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});
const write = (name: string, text: string) => writeFileSync(join(root, name), text);

describe('readCgroupLimit, version 2', () => {
  it('reads the limit and its counters', () => {
    write('cpu.max', '25000 100000\n');
    write(
      'cpu.stat',
      'usage_usec 100\nuser_usec 60\nnr_periods 40\nnr_throttled 10\nthrottled_usec 750500\n',
    );
    const limit = readCgroupLimit(root);
    expect(limit?.cores).toBe(0.25);
    expect(limit?.read()).toEqual({ periods: 40, throttledPeriods: 10, throttledMs: 750.5 });
    write('cpu.stat', 'nr_periods 41\nnr_throttled 11\nthrottled_usec 800000\n');
    expect(limit?.read().throttledPeriods).toBe(11);
  });

  it.each([
    ['no limit', 'max 100000\n'],
    ['an empty file', ''],
    ['nonsense', 'x y\n'],
    ['a quota of nothing', '0 100000\n'],
  ])('finds no limit in %s', (_what, text) => {
    write('cpu.max', text);
    expect(readCgroupLimit(root)).toBeNull();
  });

  it('finds no limit without the file', () => {
    expect(readCgroupLimit(root)).toBeNull();
  });

  it('counts nothing when the counters are missing', () => {
    write('cpu.max', '50000 100000\n');
    expect(readCgroupLimit(root)?.read()).toEqual({ periods: 0, throttledPeriods: 0, throttledMs: 0 });
  });
});

describe('readCgroupLimit, version 1', () => {
  const limitTo = (folder: string, quota: string, period = '100000') => {
    mkdirSync(join(root, folder), { recursive: true });
    write(`${folder}/cpu.cfs_quota_us`, `${quota}\n`);
    write(`${folder}/cpu.cfs_period_us`, `${period}\n`);
  };

  it.each(['cpu', 'cpu,cpuacct'])('reads the limit and its counters below %s', (folder) => {
    limitTo(folder, '15000', '50000');
    write(`${folder}/cpu.stat`, 'nr_periods 40\nnr_throttled 10\nthrottled_time 750500000\n');
    const limit = readCgroupLimit(root);
    expect(limit?.cores).toBe(0.3);
    expect(limit?.read()).toEqual({ periods: 40, throttledPeriods: 10, throttledMs: 750.5 });
  });

  it('follows a limit that is changed, and one that is taken away', () => {
    limitTo('cpu', '30000');
    const control = createCpuControl(null, readCgroupLimit(root));
    expect(control.limitCores).toBe(0.3);
    limitTo('cpu', '45000');
    expect(control.limitCores).toBe(0.45);
    limitTo('cpu', '-1');
    expect(control.limitCores).toBe(Number.POSITIVE_INFINITY);
  });

  it.each([
    ['no limit', '-1', '100000'],
    ['an empty file', '', '100000'],
    ['a quota of nothing', '0', '100000'],
    ['a period of nothing', '30000', '0'],
    ['nonsense', 'x', 'y'],
  ])('finds no limit in %s', (_what, quota, period) => {
    limitTo('cpu', quota, period);
    expect(readCgroupLimit(root)).toBeNull();
  });

  it('counts nothing when the counters are missing', () => {
    limitTo('cpu', '30000');
    expect(readCgroupLimit(root)?.read()).toEqual({ periods: 0, throttledPeriods: 0, throttledMs: 0 });
  });

  it('prefers version 2, which a hybrid hierarchy uses for the controllers it lists', () => {
    limitTo('cpu', '30000');
    write('cpu.max', '25000 100000\n');
    expect(readCgroupLimit(root)?.cores).toBe(0.25);
  });
});

describe('createCpuControl', () => {
  const cgroup = { cores: 1, read: () => ({ periods: 1, throttledPeriods: 0, throttledMs: 0 }) };

  it.each([
    ['no limit at all', null, null, 'none', null],
    ["the control group's limit", null, cgroup, 'cgroup', 1],
    ['the quota where no control group limits', 0.25, null, 'quota', 0.25],
    ['the quota where it is the tighter one', 0.25, cgroup, 'quota', 0.25],
    ["the control group's limit where it is the tighter one", 2, cgroup, 'cgroup', 1],
  ] as const)('takes %s', (_what, limit, group, source, cores) => {
    const control = createCpuControl(limit, group);
    expect(control.source).toBe(source);
    expect(control.limitCores).toBe(cores);
  });
});
