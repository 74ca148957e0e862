import { randomBytes } from 'node:crypto';
import { CosmosClient } from '@azure/cosmos';
import type { Calibration } from '../../recording/index.js';
import { countPartitions, labContainers } from '../../seed/containers.js';
import { useAccount } from '../../stack/database.js';
import type { EmulatorControl } from '../../stack/emulator-control.js';
import { emulatorControl } from '../../stack/emulator-control.js';
import { StackError } from '../../stack/errors.js';
import type { KnobParts } from '../../stack/knob-changes.js';
import { type OnPhase, phase } from '../../stack/phases.js';
import { applyModel } from '../../stack/stand-in-model.js';
import { findCompose } from './compose-command.js';
import { type ComposeProject, composeProject } from './compose-project.js';
import { composeServices } from './compose-services.js';
import { COSMOS_PORT, PUBLIC_PORT, serviceOf, urlOf } from './running-service.js';
import { untilEnded, untilReady } from './until-ready.js';

export interface ComposeStackOptions {
  /** Where the calibration is kept. */
  stateDir: string;
  seed: number;
  /** The gateway's port on this machine. */
  port: number;
  onPhase: OnPhase;
  signal: AbortSignal;
}

/** The containers of the lab, running and calibrated. */
export interface ComposeStack {
  project: ComposeProject;
  parts: KnobParts;
  control: EmulatorControl;
  gatewayUrl: string;
  calibration(): Calibration;
  /** Whether they were started by this call, and not found running. */
  own: boolean;
  /** Closes the connections of this process. */
  close(): Promise<void>;
}

const SERVICES = ['seed', 'delivery', 'package', 'drone-utilization', 'gateway'];
/** What the scenarios of the article have; the limit is calibrated for it at the start. */
const REQUESTS_PER_SECOND = 99;
const PHYSICAL_PARTITIONS = 9;

export async function findProject(): Promise<ComposeProject> {
  return composeProject({ command: await findCompose() });
}

/** Uses the containers that run, or starts them; then sets delivery's limit by calibration. */
export async function openComposeStack(options: ComposeStackOptions): Promise<ComposeStack> {
  const { seed, onPhase, signal } = options;
  const project = await findProject();
  const running = (await project.containers()).some((one) => one.service === 'gateway' && one.running);
  try {
    if (!running) await startContainers(project, options);
    const variables = await variablesOf(project, seed);
    const cosmos = urlOf(await serviceOf(project, 'cosmos-emulator'), COSMOS_PORT);
    const control = emulatorControl(cosmos, variables.LAB_CONTROL_TOKEN);
    const account = useAccount(cosmos, variables.COSMOS_KEY);
    const services = composeServices({
      ...{ project, variables, seed, stateDir: options.stateDir, requestsPerSecond: REQUESTS_PER_SECOND },
    });
    await phase({ name: 'readiness', onPhase }, () => untilReady(project, 'gateway', signal));
    const calibration = await phase(
      {
        name: 'calibration',
        onPhase,
        detail: ({ ceilingRequestsPerSecond, deliveryCpuLimitCores, source }) =>
          `delivery saturates at ${ceilingRequestsPerSecond.toFixed(1)} requests/s with ${deliveryCpuLimitCores} cores (${source})`,
      },
      () => services.calibrate(REQUESTS_PER_SECOND),
    );
    const parts: KnobParts = {
      database: { ...account, applyModel: (knobs, choice) => applyModel(control, knobs, choice) },
      services,
      seed,
      documentsWritten: 0,
      physicalPartitions: await partitionsOf(cosmos, variables.COSMOS_KEY),
      calibratedRate: REQUESTS_PER_SECOND,
      calibration,
      knobs: null,
    };
    return {
      ...{ project, parts, control, own: !running },
      gatewayUrl: urlOf(await serviceOf(project, 'gateway'), PUBLIC_PORT),
      calibration: () => parts.calibration,
      close: () => account.stop(),
    };
  } catch (error) {
    if (!running) await project.down().catch(() => {});
    throw error;
  }
}

async function startContainers(project: ComposeProject, options: ComposeStackOptions): Promise<void> {
  const { seed, port, onPhase, signal } = options;
  await phase({ name: 'containers', onPhase, detail: () => `project ${project.name}` }, () =>
    project.up(SERVICES, {
      variables: {
        ...{ LAB_SEED: String(seed), LAB_PHYSICAL_PARTITIONS: String(PHYSICAL_PARTITIONS) },
        LAB_PORT: String(port),
        COSMOS_KEY: randomBytes(64).toString('base64'),
        LAB_CONTROL_TOKEN: randomBytes(24).toString('base64url'),
      },
      signal,
    }),
  );
  await phase({ name: 'data', onPhase, detail: (lines) => lines.at(-1) ?? '' }, () =>
    untilEnded(project, 'seed', signal),
  );
}

/** An earlier run may have made the utilization containers anew. */
async function partitionsOf(endpoint: string, key: string): Promise<number> {
  const client = new CosmosClient({ endpoint, key });
  try {
    return await countPartitions(labContainers(client).utilizationByDelivery);
  } finally {
    client.dispose();
  }
}

/** The variables that the containers were started with: they are what remembers them. */
async function variablesOf(project: ComposeProject, seed: number) {
  const { env } = await serviceOf(project, 'cosmos-emulator');
  if (env.COSMOS_EMULATOR_SEED !== String(seed)) {
    throw new StackError(
      'ALREADY_RUNNING',
      `containers with seed ${env.COSMOS_EMULATOR_SEED} are running, not with ${seed}; stop them with "lab down --target compose"`,
    );
  }
  return {
    LAB_SEED: String(seed),
    COSMOS_KEY: env.COSMOS_EMULATOR_KEY ?? '',
    LAB_CONTROL_TOKEN: env.COSMOS_EMULATOR_CONTROL_TOKEN ?? '',
  };
}
