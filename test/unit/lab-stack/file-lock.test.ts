import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireLock, isProcessAlive } from '../../../lab/src/stack/file-lock.js';

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lab-lock-'));
  lock = path.join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

const DEAD_PID = 2 ** 22 + 1;

describe('acquireLock', () => {
  it('is taken once and given back', () => {
    const first = acquireLock(lock);
    expect(first.acquired).toBe(true);
    expect(Number(readFileSync(lock, 'utf8'))).toBe(process.pid);
    expect(acquireLock(lock)).toMatchObject({ acquired: false, holder: { pid: process.pid } });
    if (first.acquired) first.release();
    expect(existsSync(lock)).toBe(false);
    expect(acquireLock(lock).acquired).toBe(true);
  });

  it('takes over the lock of a dead process', () => {
    writeFileSync(lock, `${DEAD_PID}\n`);
    expect(acquireLock(lock).acquired).toBe(true);
  });

  it('takes over a damaged lock and one that is declared stale', () => {
    writeFileSync(lock, '');
    expect(acquireLock(lock).acquired).toBe(true);
    expect(acquireLock(lock, ({ pid }) => pid === process.pid).acquired).toBe(true);
  });

  it('does not remove a lock that somebody else has taken since', () => {
    const mine = acquireLock(lock);
    writeFileSync(lock, '1\n');
    if (mine.acquired) mine.release();
    expect(readFileSync(lock, 'utf8')).toBe('1\n');
  });
});

describe('isProcessAlive', () => {
  it('knows this process and does not know others that can not be', () => {
    expect(isProcessAlive(process.pid)).toBe(true);
    for (const pid of [DEAD_PID, 0, -1, Number.NaN]) expect(isProcessAlive(pid)).toBe(false);
  });
});
