import { SERVICE_NAMES } from '@bottleneck-lab/contracts';
import type { KnobCapability } from '../../recording/index.js';
import { serviceSource, standInSource } from '../../runner/row-source.js';
import type { KnobName } from '../../scenarios/index.js';
import { applyKnobs } from '../../stack/knob-changes.js';
import type { StackFailure } from '../../stack/stack-status.js';
import { localCapabilities } from '../local-target.js';
import type { Target } from '../target.js';
import { ONE_REPLICA } from './compose-services.js';
import type { ComposeStack } from './compose-stack.js';
import { type ContainerDeath, firstDeath } from './container-deaths.js';
import { INTERNAL_PORT, serviceOf, urlOf } from './running-service.js';

/** The lab in containers on this machine: knobs become variables, offers and `docker update`. */
export function composeTarget({ project, parts, control, gatewayUrl, calibration }: ComposeStack): Target {
  const capabilities: Record<KnobName, KnobCapability> = {
    ...localCapabilities('stand-in'),
    deliveryReplicas: { available: false, reason: ONE_REPLICA },
  };
  const running = async () => (await project.containers()).filter((one) => one.running);
  return {
    gatewayUrl,
    describe: () => ({ kind: 'compose', calibrated: true, database: 'stand-in', capabilities }),
    applyKnobs: (knobs, choice) => applyKnobs(parts, { knobs, ...choice }),
    reset: () => control.reset({ budgets: true, metrics: true }),
    async sources() {
      const cosmos = await serviceOf(project, 'cosmos-emulator');
      const services = await Promise.all(
        SERVICE_NAMES.map(async (name) =>
          serviceSource(name, urlOf(await serviceOf(project, name), INTERNAL_PORT)),
        ),
      );
      return [...services, standInSource(control, cosmos.pid)];
    },
    departedRows: async () => [],
    calibration: async () => calibration(),
    telemetry: null,
    telemetryRecording: null,
    watchTurns: () => {},
    // Elsewhere containers run in a virtual machine, whose processes this one does not see.
    pids: async () => (process.platform === 'linux' ? (await running()).map((one) => one.pid) : []),
    async failure(signal) {
      const death = await firstDeath(project.name, signal);
      return failureOf(death, await project.lastLines(death.id));
    },
  };
}

function failureOf({ service, id, exitCode }: ContainerDeath, lastLines: string[]): StackFailure {
  return {
    process: service,
    instance: service,
    description: `ended with exit code ${exitCode}`,
    lastLines,
    log: `docker logs ${id.slice(0, 12)}`,
  };
}
