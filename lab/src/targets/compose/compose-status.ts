import type { Calibration } from '../../recording/index.js';
import { composeMemory } from './compose-memory.js';
import type { ComposeProject } from './compose-project.js';
import { INTERNAL_PORT, PUBLIC_PORT } from './running-service.js';

export interface ComposeContainerStatus {
  service: string;
  container: string;
  image: string;
  running: boolean;
  /** Of a container that has ended. */
  exitCode: number | null;
  cpuLimitCores: number | null;
  /** Where its rows are read; null where that is not published. */
  internalUrl: string | null;
}

export interface ComposeStatus {
  target: 'compose';
  project: string;
  /** `partly`: a container has ended that should run. */
  state: 'stopped' | 'running' | 'partly';
  gatewayUrl: string | null;
  seed: number | null;
  /** Null when the lab has not calibrated these containers. */
  calibration: Calibration | null;
  containers: ComposeContainerStatus[];
}

/** Ends when its work is done. */
const ENDS = new Set(['seed', 'notice']);

/** What runs of a project, whoever started it. */
export async function composeStatus(project: ComposeProject, stateDir: string): Promise<ComposeStatus> {
  const containers = await project.containers();
  const standIn = containers.find((one) => one.service === 'cosmos-emulator');
  const gateway = containers.find((one) => one.service === 'gateway' && one.running);
  const failed = containers.filter((one) => !one.running && !(ENDS.has(one.service) && one.exitCode === 0));
  const running = containers.some((one) => one.running);
  const known = standIn === undefined ? null : composeMemory(stateDir, project.name).read(standIn.id);
  return {
    target: 'compose',
    project: project.name,
    state: running ? (failed.length === 0 ? 'running' : 'partly') : 'stopped',
    gatewayUrl: gateway?.urls[PUBLIC_PORT] ?? null,
    seed: standIn === undefined ? null : Number(standIn.env.COSMOS_EMULATOR_SEED),
    calibration: known?.calibration ?? null,
    containers: containers
      .map((one) => ({
        service: one.service,
        container: one.id.slice(0, 12),
        image: one.image,
        running: one.running,
        exitCode: one.running ? null : one.exitCode,
        cpuLimitCores: one.cpus,
        internalUrl: one.urls[INTERNAL_PORT] ?? null,
      }))
      .sort((a, b) => a.service.localeCompare(b.service)),
  };
}
