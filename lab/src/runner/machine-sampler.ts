import { readFileSync } from 'node:fs';
import type { MachineSample } from '../recording/index.js';
import { coresBetween, type MachineCpu, readMachineCpu } from './machine-stat.js';

/** Samples the whole machine once a second, and what of it was not the lab's own. */
export interface MachineSampler {
  /** Call shortly after each whole second; the sample covers the time since the last call. */
  sample(): void;
  readonly samples: MachineSample[];
}

export function createMachineSampler(options: {
  /** Processes of the lab; asked at each sample, as one may have been replaced. */
  ownPids: () => readonly number[];
  readMachine?: () => MachineCpu;
  /** CPU time of a process in milliseconds; null when the system does not tell or it is gone. */
  readProcess?: (pid: number) => number | null;
}): MachineSampler {
  const { ownPids, readMachine = readMachineCpu, readProcess = processCpuMs } = options;
  const samples: MachineSample[] = [];
  const readOwn = () => new Map(ownPids().map((pid) => [pid, readProcess(pid)]));
  let machine = readMachine();
  let own = readOwn();

  return {
    samples,
    sample() {
      const nextMachine = readMachine();
      const nextOwn = readOwn();
      const used = coresBetween(machine, nextMachine);
      const elapsedMs = nextMachine.atMs - machine.atMs;
      if (used !== null) {
        const ownMs = ownCpuMs(own, nextOwn);
        samples.push({
          second: Math.round(nextMachine.atMs / 1000) - 1,
          ...used,
          foreignCores: ownMs === null ? null : Math.max(0, used.busyCores - ownMs / elapsedMs),
        });
      }
      machine = nextMachine;
      own = nextOwn;
    },
  };
}

function ownCpuMs(before: Map<number, number | null>, after: Map<number, number | null>): number | null {
  let sum = 0;
  for (const [pid, ms] of after) {
    const earlier = before.get(pid);
    if (ms === null && earlier !== null) continue;
    if (ms === null) return null;
    sum += ms - (earlier ?? ms);
  }
  return sum;
}

/** utime and stime of proc(5)'s pid/stat, in ticks of 10 ms; threads included. */
export function processCpuMs(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return null;
  }
}

/** Processes started by this one, for example the load engine; empty where the system does not tell. */
export function childPids(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.trim() === '' ? [] : text.trim().split(' ').map(Number);
  } catch {
    return [];
  }
}
