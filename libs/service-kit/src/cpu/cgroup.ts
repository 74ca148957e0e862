import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Enforcement periods of a CPU limit, counted since its start. */
export interface ThrottlingCounters {
  periods: number;
  throttledPeriods: number;
  throttledMs: number;
}

/** A limit that the kernel enforces. */
export interface CgroupLimit {
  /** Read at each use, because `docker update --cpus` changes it while the process runs. */
  readonly cores: number;
  read(): ThrottlingCounters;
}

/** One version's files below its root. */
interface CgroupFiles {
  /** Cores; null when nothing limits them, or when this is not the version in use. */
  readCores(): number | null;
  read(): ThrottlingCounters;
}

/** Where version 1 is mounted; which of the two is a link to the other is up to the distribution. */
const VERSION_1_FOLDERS = ['cpu', 'cpu,cpuacct'];

/**
 * The CPU limit of the control group this process runs in: version 2 (`cpu.max`, `cpu.stat`; the kernel's cgroup-v2
 * documentation) or version 1 (`cpu.cfs_quota_us`, `cpu.cfs_period_us`, `cpu.stat`; its sched-bwc documentation). Null
 * without a limit and on other systems.
 */
export function readCgroupLimit(root = '/sys/fs/cgroup'): CgroupLimit | null {
  for (const files of [version2(root), ...VERSION_1_FOLDERS.map((folder) => version1(join(root, folder)))]) {
    const first = files.readCores();
    if (first === null) continue;
    return {
      // A limit that was taken away leaves what the process could use at most: every core.
      get cores() {
        return files.readCores() ?? Number.POSITIVE_INFINITY;
      },
      read: files.read,
    };
  }
  return null;
}

function version2(folder: string): CgroupFiles {
  return {
    readCores() {
      const match = readIfThere(join(folder, 'cpu.max')).match(/^(\d+) (\d+)\s*$/);
      return match ? coresOf(match[1], match[2]) : null;
    },
    read: () => readCounters(folder, { name: 'throttled_usec', perMs: 1_000 }),
  };
}

function version1(folder: string): CgroupFiles {
  return {
    // The quota is -1 without a limit.
    readCores: () =>
      coresOf(
        readIfThere(join(folder, 'cpu.cfs_quota_us')).trim(),
        readIfThere(join(folder, 'cpu.cfs_period_us')).trim(),
      ),
    read: () => readCounters(folder, { name: 'throttled_time', perMs: 1_000_000 }),
  };
}

function coresOf(quota = '', period = ''): number | null {
  const cores = Number(quota) / Number(period);
  return cores > 0 && Number.isFinite(cores) ? cores : null;
}

function readCounters(folder: string, time: { name: string; perMs: number }): ThrottlingCounters {
  const text = readIfThere(join(folder, 'cpu.stat'));
  const value = (name: string) => Number(text.match(new RegExp(`^${name} (\\d+)$`, 'm'))?.[1] ?? 0);
  return {
    periods: value('nr_periods'),
    throttledPeriods: value('nr_throttled'),
    throttledMs: value(time.name) / time.perMs,
  };
}

/** Empty without such a file: another system, no control group, or no controller for the CPU. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
