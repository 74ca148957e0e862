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
import type { Turn } from '../../stack/turns.js';
import { findCompose } from './compose-command.js';
import { type ComposeMemory, composeMemory } from './compose-memory.js';
import { type ComposeContainer, type ComposeProject, composeProject } from './compose-project.js';
import { composeServices } from './compose-services.js';
import { COSMOS_PORT, PUBLIC_PORT, serviceOf, urlOf } from './running-service.js';
import { untilEnded, untilReady } from './until-ready.js';

export interface ComposeStackOptions {
  /** Where the calibration is kept. */
  stateDir: string;
  seed: number;
  /** The gateway's port on this machine; 0 takes a free one. */
  port: number;
  onPhase: OnPhase;
  signal: AbortSignal;
}

/** The containers of the lab, running. */
export interface ComposeStack {
  project: ComposeProject;
  parts: KnobParts;
  control: EmulatorControl;
  gatewayUrl: string;
  calibration(): Calibration;
  memory: ComposeMemory;
  /** Keeps what the parts have become for the next command. */
  remember(): void;
  /** The same, and tells a load that runs meanwhile. */
  rememberTurn(turned: Omit<Turn, 'sequence'>): Turn;
  /** Closes the connections of this process. */
  close(): Promise<void>;
}

/** All but the one that ends, which is first. */
export const SERVICES = ['seed', 'cosmos-emulator', 'delivery', 'package', 'drone-utilization', 'gateway'];
/** What the scenarios of the article have; the limit is calibrated for it at the start. */
const REQUESTS_PER_SECOND = 99;
const PHYSICAL_PARTITIONS = 9;

export async function findProject(): Promise<ComposeProject> {
  return composeProject({ command: await findCompose() });
}

/**
 * Uses the containers that run, or starts them; then sets delivery's limit by calibration. `own`: they were started by
 * this call, and not found running.
 */
export async function openComposeStack(
  options: ComposeStackOptions,
): Promise<ComposeStack & { own: boolean }> {
  const { seed, onPhase, signal } = options;
  const project = await findProject();
  const running = (await project.containers()).some((one) => one.service === 'gateway' && one.running);
  try {
    if (!running) await startContainers(project, options);
    const stack = await attachToStack(project, options);
    refuseUnsuitable(stack, options);
    await phase({ name: 'readiness', onPhase }, () => untilReady(project, 'gateway', signal));
    const { parts } = stack;
    parts.calibration = await phase(
      {
        name: 'calibration',
        onPhase,
        detail: ({ ceilingRequestsPerSecond, deliveryCpuLimitCores, source }) =>
          `delivery saturates at ${ceilingRequestsPerSecond.toFixed(1)} requests/s with ${deliveryCpuLimitCores} cores (${source})`,
      },
      () => parts.services.calibrate(REQUESTS_PER_SECOND),
    );
    parts.calibratedRate = REQUESTS_PER_SECOND;
    stack.remember();
    return { ...stack, own: !running };
  } catch (error) {
    if (!running) await project.down().catch(() => {});
    throw error;
  }

  function refuseUnsuitable({ parts, gatewayUrl }: ComposeStack, { port }: ComposeStackOptions) {
    const advice = 'stop them with "lab down --target compose"';
    if (parts.seed !== seed) {
      throw new StackError(
        'ALREADY_RUNNING',
        `containers with seed ${parts.seed} are running, not with ${seed}; ${advice}`,
      );
    }
    if (port !== 0 && new URL(gatewayUrl).port !== String(port)) {
      throw new StackError(
        'ALREADY_RUNNING',
        `containers with their gateway at ${gatewayUrl} are running, not on port ${port}; ${advice}`,
      );
    }
  }
}

/** The containers that run, as the last command has left them. Throws when they do not run. */
export async function attachToStack(
  project: ComposeProject,
  { stateDir }: Pick<ComposeStackOptions, 'stateDir'>,
): Promise<ComposeStack> {
  const standIn = await serviceOf(project, 'cosmos-emulator');
  const seed = Number(standIn.env.COSMOS_EMULATOR_SEED);
  const variables = variablesOf(standIn);
  const cosmos = urlOf(standIn, COSMOS_PORT);
  const account = useAccount(cosmos, variables.COSMOS_KEY);
  const control = emulatorControl(cosmos, variables.LAB_CONTROL_TOKEN);
  const memory = composeMemory(stateDir, project.name);
  const known = memory.read(standIn.id);
  const calibratedRate = known?.calibratedRate ?? REQUESTS_PER_SECOND;
  const delivery = await serviceOf(project, 'delivery');
  const parts: KnobParts = {
    database: { ...account, applyModel: (knobs, choice) => applyModel(control, knobs, choice) },
    services: composeServices({
      ...{ project, variables, seed, stateDir, requestsPerSecond: calibratedRate },
    }),
    seed,
    documentsWritten: 0,
    physicalPartitions: await partitionsOf(cosmos, variables.COSMOS_KEY),
    calibratedRate,
    calibration: known?.calibration ?? {
      deliveryCpuLimitCores: delivery.cpus ?? 1,
      ceilingRequestsPerSecond: REQUESTS_PER_SECOND,
      source: 'given',
    },
    knobs: known?.knobs ?? null,
  };
  const turnsSoFar = () => memory.read(standIn.id)?.turns ?? [];
  const remember = (turns: Turn[]) => {
    const { knobs, calibration, calibratedRate: rate } = parts;
    memory.write({ database: standIn.id, knobs, calibration, calibratedRate: rate, turns });
  };
  return {
    ...{ project, parts, control, memory },
    gatewayUrl: urlOf(await serviceOf(project, 'gateway'), PUBLIC_PORT),
    calibration: () => parts.calibration,
    remember: () => remember(turnsSoFar()),
    rememberTurn(turned) {
      const turns = turnsSoFar();
      const added = { sequence: turns.length + 1, ...turned };
      remember([...turns, added]);
      return added;
    },
    close: () => account.stop(),
  };
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

/** What the containers were started with: they are what remembers it. */
function variablesOf({ env, image }: ComposeContainer) {
  const [, images, tag] = image.match(/^(.+)\/cosmos-emulator:([^:/]+)$/) ?? [];
  return {
    LAB_SEED: env.COSMOS_EMULATOR_SEED ?? '',
    COSMOS_KEY: env.COSMOS_EMULATOR_KEY ?? '',
    LAB_CONTROL_TOKEN: env.COSMOS_EMULATOR_CONTROL_TOKEN ?? '',
    ...(images === undefined || tag === undefined ? {} : { LAB_IMAGES: images, LAB_IMAGE_TAG: tag }),
  };
}
