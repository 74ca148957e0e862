import { existsSync } from 'node:fs';
import os from 'node:os';
import type { ServiceName } from '@bottleneck-lab/contracts';
import { SERVICE_NAMES } from '@bottleneck-lab/contracts';
import { serviceEntry } from '../stack/service-table.js';
import { type CheckLevel, type CheckResult, ok } from './check.js';
import {
  checkClock,
  checkCores,
  checkFolder,
  checkLoad,
  checkMemory,
  checkNode,
  checkPorts,
  checkProgram,
  checkSpeed,
} from './system-checks.js';

export interface DoctorReport {
  /** The worst level found. */
  level: CheckLevel;
  checks: CheckResult[];
}

/** Measures what the lab needs of this machine. Speed comes after load, so that neither disturbs the other. */
export async function examine(options: { stateDir: string; runsDir: string }): Promise<DoctorReport> {
  const quick = await Promise.all([
    checkNode(),
    checkBuild(),
    checkCores(),
    checkMemory(),
    checkPorts(),
    checkFolder('temporary folder', os.tmpdir()),
    checkFolder('state folder', options.stateDir),
    checkFolder('runs folder', options.runsDir),
    checkClock(),
  ]);
  const load = await checkLoad();
  const speed = await checkSpeed();
  const programs = await Promise.all([
    checkProgram({ name: 'k6', command: 'k6', args: ['version'], neededFor: '--engine k6' }),
    checkProgram({
      name: 'Docker',
      command: 'docker',
      args: ['--version'],
      neededFor: 'running in containers',
    }),
  ]);
  const checks = [...quick, load, speed, ...programs];
  return { level: worstLevel(checks), checks };
}

export function worstLevel(checks: readonly CheckResult[]): CheckLevel {
  const order: CheckLevel[] = ['ok', 'info', 'warn', 'fail'];
  return order[Math.max(...checks.map(({ level }) => (level === 'info' ? 0 : order.indexOf(level))))] ?? 'ok';
}

async function checkBuild(): Promise<CheckResult> {
  const missing = (SERVICE_NAMES as ServiceName[]).filter((name) => !existsSync(serviceEntry(name)));
  if (missing.length === 0) return ok('build', 'complete');
  return {
    name: 'build',
    level: 'fail',
    found: `not built: ${missing.join(', ')}`,
    remedy: 'run "npm ci" and "npm run build" in the checkout',
  };
}
