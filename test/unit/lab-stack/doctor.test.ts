import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { worstLevel } from '../../../lab/src/doctor/doctor.js';
import {
  checkCores,
  checkFolder,
  checkMemory,
  checkNode,
  checkPorts,
  checkProgram,
} from '../../../lab/src/doctor/system-checks.js';

describe('doctor', () => {
  it.each([
    ['20.19.0', 'ok'],
    ['22.0.0', 'ok'],
    ['20.18.9', 'fail'],
    ['18.20.0', 'fail'],
  ])('judges Node.js %s as %s', async (version, level) => {
    const check = await checkNode(version);
    expect(check).toMatchObject({ level, found: `v${version}` });
    if (level === 'fail') expect(check.remedy).toContain('20.19');
  });

  it('wants two cores and enough memory', async () => {
    expect((await checkCores(2)).level).toBe('ok');
    expect(await checkCores(1)).toMatchObject({ level: 'warn', remedy: expect.stringContaining('2 cores') });
    expect((await checkMemory(4e9)).level).toBe('ok');
    expect((await checkMemory(1e9)).level).toBe('warn');
    expect((await checkMemory(0.5e9)).level).toBe('fail');
  });

  it('finds free ports', async () => {
    expect(await checkPorts()).toMatchObject({ level: 'ok' });
  });

  it('tells a folder that can be written from one that can not', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'lab-doctor-'));
    expect(await checkFolder('folder', path.join(folder, 'new'))).toMatchObject({ level: 'ok' });
    const file = path.join(import.meta.filename, 'below-a-file');
    expect(await checkFolder('folder', file)).toMatchObject({
      level: 'fail',
      remedy: expect.stringContaining(file),
    });
    rmSync(folder, { recursive: true });
  });

  it('only mentions a program that is not there', async () => {
    const check = await checkProgram({
      name: 'k6',
      command: 'no-such-program-at-all',
      args: [],
      neededFor: '--engine k6',
    });
    expect(check).toMatchObject({ level: 'info', found: 'not found; only needed for --engine k6' });
  });

  it('reports the worst that was found', () => {
    const check = (level: 'ok' | 'info' | 'warn' | 'fail') => ({ name: '', level, found: '', remedy: '' });
    expect(worstLevel([check('ok'), check('info')])).toBe('ok');
    expect(worstLevel([check('warn'), check('info')])).toBe('warn');
    expect(worstLevel([check('ok'), check('fail'), check('warn')])).toBe('fail');
  });
});
