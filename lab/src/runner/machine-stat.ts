import { readFileSync } from 'node:fs';
import os from 'node:os';

/** CPU time of the whole machine since boot, in milliseconds over all cores. */
export interface MachineCpu {
  atMs: number;
  busyMs: number;
  /** Taken by the hypervisor for other guests; null where the system does not tell. */
  stealMs: number | null;
}

/** Linux counts in ticks of 10 ms (USER_HZ is 100 on every architecture Node runs on). */
const TICK_MS = 10;

/** Reads the counters: /proc/stat where there is one, else Node's, which know no steal. */
export function readMachineCpu(): MachineCpu {
  const atMs = Date.now();
  try {
    return { atMs, ...parseProcStat(readFileSync('/proc/stat', 'utf8')) };
  } catch {
    const busyMs = os
      .cpus()
      .reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
    return { atMs, busyMs, stealMs: null };
  }
}

/** First line of proc(5)'s stat: user nice system idle iowait irq softirq steal, in ticks. */
export function parseProcStat(text: string): Pick<MachineCpu, 'busyMs' | 'stealMs'> {
  const fields = /^cpu +(.+)$/m.exec(text)?.[1]?.split(/ +/).map(Number);
  if (fields === undefined || fields.length < 8 || fields.some(Number.isNaN)) {
    throw new Error('/proc/stat has no cpu line');
  }
  const [user, nice, system, , , irq, softirq, steal] = fields as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return { busyMs: (user + nice + system + irq + softirq) * TICK_MS, stealMs: steal * TICK_MS };
}

/** Cores used on average between two readings; null when they are too close to tell. */
export function coresBetween(
  before: MachineCpu,
  after: MachineCpu,
): { busyCores: number; stealCores: number | null } | null {
  const elapsedMs = after.atMs - before.atMs;
  if (elapsedMs <= 0) return null;
  const steal = before.stealMs === null || after.stealMs === null ? null : after.stealMs - before.stealMs;
  return {
    busyCores: Math.max(0, (after.busyMs - before.busyMs) / elapsedMs),
    stealCores: steal === null ? null : Math.max(0, steal / elapsedMs),
  };
}
