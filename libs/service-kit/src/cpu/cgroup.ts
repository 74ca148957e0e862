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
  cores: number;
  read(): ThrottlingCounters;
}

/**
 * The CPU limit of the control group this process runs in (version 2: `cpu.max`, `cpu.stat`, as described in the kernel's
 * cgroup-v2 documentation); null without one, on other systems, and with version 1.
 */
export function readCgroupLimit(root = '/sys/fs/cgroup'): CgroupLimit | null {
  const max = readIfThere(join(root, 'cpu.max'));
  const match = max?.match(/^(\d+) (\d+)\s*$/);
  if (!match) return null;
  const cores = Number(match[1]) / Number(match[2]);
  if (!(cores > 0)) return null;
  return { cores, read: () => parseCpuStat(readIfThere(join(root, 'cpu.stat')) ?? '') };
}

function parseCpuStat(text: string): ThrottlingCounters {
  const value = (name: string) => Number(text.match(new RegExp(`^${name} (\\d+)$`, 'm'))?.[1] ?? 0);
  return {
    periods: value('nr_periods'),
    throttledPeriods: value('nr_throttled'),
    throttledMs: value('throttled_usec') / 1_000,
  };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // No such file: another system, no control group, or no controller for the CPU.
    return undefined;
  }
}
