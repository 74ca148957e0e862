import { execFile } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { coresBetween, readMachineCpu } from '../runner/machine-stat.js';
import { findFreePorts } from '../supervisor/free-ports.js';
import { type CheckResult, ok } from './check.js';

const OLDEST_NODE = [20, 19] as const;
const PORTS_NEEDED = 10;
const MEMORY_NEEDED_BYTES = 1.5e9;
const DISK_NEEDED_BYTES = 200e6;
/** Below it, delivery at 99 requests/s, drone-utilization and the load compete for the same core. */
const CORES_WANTED = 2;

export async function checkNode(version = process.versions.node): Promise<CheckResult> {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const recent = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  if (recent) return ok('Node.js', `v${version}`);
  return {
    name: 'Node.js',
    level: 'fail',
    found: `v${version}`,
    remedy: `install Node.js ${OLDEST_NODE.join('.')} or newer (nodejs.org)`,
  };
}

export async function checkCores(cores = os.availableParallelism()): Promise<CheckResult> {
  if (cores >= CORES_WANTED) return ok('processor cores', String(cores));
  return {
    name: 'processor cores',
    level: 'warn',
    found: String(cores),
    remedy: `give the machine or container at least ${CORES_WANTED} cores, or runs will be invalid`,
  };
}

export async function checkMemory(availableBytes = availableMemory()): Promise<CheckResult> {
  const found = `${(availableBytes / 1e9).toFixed(1)} GB available`;
  if (availableBytes >= MEMORY_NEEDED_BYTES) return ok('memory', found);
  return {
    name: 'memory',
    level: availableBytes < MEMORY_NEEDED_BYTES / 2 ? 'fail' : 'warn',
    found,
    remedy: 'close other programs: the lab needs 0.8 GB, and some for the system',
  };
}

export async function checkPorts(): Promise<CheckResult> {
  try {
    const ports = await findFreePorts(PORTS_NEEDED);
    return ok('loopback ports', `${PORTS_NEEDED} free, for example ${ports[0]}`);
  } catch (error) {
    return {
      name: 'loopback ports',
      level: 'fail',
      found: (error as Error).message,
      remedy: 'allow programs to listen on 127.0.0.1 (firewall, sandbox), or free some ports',
    };
  }
}

/** Whether files can be made in a folder, which is created if need be. */
export async function checkFolder(name: string, folder: string): Promise<CheckResult> {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    const probe = mkdtempSync(path.join(folder, '.doctor-'));
    writeFileSync(path.join(probe, 'probe'), 'x');
    rmSync(probe, { recursive: true });
    const { bavail, bsize } = statfsSync(folder);
    const freeBytes = bavail * bsize;
    if (freeBytes >= DISK_NEEDED_BYTES)
      return ok(name, `${folder} (${(freeBytes / 1e9).toFixed(1)} GB free)`);
    return { name, level: 'warn', found: `${folder} is nearly full`, remedy: 'free at least 0.2 GB' };
  } catch (error) {
    return {
      name,
      level: 'fail',
      found: (error as Error).message,
      remedy: `make ${folder} writable, or choose another folder`,
    };
  }
}

/** Request units are counted by wall-clock second, so the wall clock must advance like the steady one. */
export async function checkClock(): Promise<CheckResult> {
  const steady = performance.now();
  const wall = Date.now();
  await delay(300);
  const driftMs = Math.abs(Date.now() - wall - (performance.now() - steady));
  const now = new Date().toISOString();
  if (driftMs <= 5) return ok('clock', now);
  return {
    name: 'clock',
    level: 'warn',
    found: `${now}, off by ${driftMs.toFixed(0)} ms in 0.3 s`,
    remedy: 'let the time service finish its correction, then run the lab',
  };
}

/** What others take of the machine. The lab's own four runs need about 1.2 cores at their peak. */
export async function checkLoad(): Promise<CheckResult> {
  const before = readMachineCpu();
  await delay(1_000);
  const used = coresBetween(before, readMachineCpu());
  if (used === null) return ok('machine load', 'not known');
  const { busyCores, stealCores } = used;
  const steal = stealCores === null ? '' : `, ${stealCores.toFixed(2)} taken by the hypervisor`;
  const found = `${busyCores.toFixed(2)} of ${os.availableParallelism()} cores busy${steal}`;
  if (busyCores < os.availableParallelism() * 0.25 && (stealCores ?? 0) < 0.1)
    return ok('machine load', found);
  return {
    name: 'machine load',
    level: 'warn',
    found,
    remedy: 'close other programs; runs on a busy machine are reported as invalid',
  };
}

/** Steps of a simple loop per microsecond; measured: 230 on a server core of 2.6 GHz. */
const SLOWEST_STEPS_PER_MICROSECOND = 80;
const SPEED_ROUNDS = 400;

export async function checkSpeed(): Promise<CheckResult> {
  const block = new Uint8Array(64 * 1024).fill(1);
  let best = 0;
  let sum = 0;
  // The best of several rounds: the first ones run before the loop is compiled, some are interrupted.
  for (let round = 0; round < SPEED_ROUNDS; round += 1) {
    const startedAt = performance.now();
    for (let index = 0; index < block.length; index += 1) sum = (sum * 31 + (block[index] as number)) | 0;
    best = Math.max(best, block.length / (performance.now() - startedAt) / 1000);
  }
  const found = `${best.toFixed(0)} steps per microsecond on one core (checksum ${sum >>> 0})`;
  if (best >= SLOWEST_STEPS_PER_MICROSECOND) return ok('processor speed', found);
  return {
    name: 'processor speed',
    level: 'warn',
    found,
    remedy: 'use a faster machine, or leave power-saving mode: runs at the highest load may be invalid',
  };
}

/** A program that only some commands need. */
export async function checkProgram(options: {
  name: string;
  command: string;
  args: string[];
  neededFor: string;
}): Promise<CheckResult> {
  try {
    const { stdout } = await promisify(execFile)(options.command, options.args, {
      timeout: 5_000,
      windowsHide: true,
    });
    return { name: options.name, level: 'info', found: stdout.trim().split('\n')[0] ?? '', remedy: '' };
  } catch {
    return {
      name: options.name,
      level: 'info',
      found: `not found; only needed for ${options.neededFor}`,
      remedy: '',
    };
  }
}

function availableMemory(): number {
  // Present from Node 20.13; unlike freemem it counts what caches would give back and a container's limit.
  return process.availableMemory?.() ?? os.freemem();
}
