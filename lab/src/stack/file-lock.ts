import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

/** A lock that is held by another process. */
export interface LockHolder {
  pid: number;
  ageMs: number;
}

export type LockAttempt = { acquired: true; release: () => void } | { acquired: false; holder: LockHolder };

/**
 * Takes a lock file with this process's id in it. A lock whose holder is dead, or that `isStale` calls stale, is
 * taken over.
 */
export function acquireLock(
  path: string,
  isStale: (holder: LockHolder) => boolean = () => false,
): LockAttempt {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      writeFileSync(path, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
      return { acquired: true, release: () => releaseOwn(path) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = readHolder(path);
    if (holder === null) continue;
    if (isProcessAlive(holder.pid) && !isStale(holder)) return { acquired: false, holder };
    rmSync(path, { force: true });
  }
  return { acquired: false, holder: readHolder(path) ?? { pid: 0, ageMs: 0 } };
}

/** Whether a process with this id exists; one of another user counts. */
export function isProcessAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readHolder(path: string): LockHolder | null {
  try {
    const ageMs = Date.now() - statSync(path).mtimeMs;
    return { pid: Number.parseInt(readFileSync(path, 'utf8'), 10) || 0, ageMs };
  } catch {
    return null;
  }
}

function releaseOwn(path: string): void {
  if (readHolder(path)?.pid === process.pid) rmSync(path, { force: true });
}
