import { SERVICE_NAMES } from '@bottleneck-lab/contracts';
import { serviceSource, standInSource } from '../../runner/row-source.js';
import { applyKnobs } from '../../stack/knob-changes.js';
import type { StackFailure } from '../../stack/stack-status.js';
import { localCapabilities } from '../local-target.js';
import type { Target } from '../target.js';
import type { ComposeStack } from './compose-stack.js';
import { type ContainerDeath, firstDeath } from './container-deaths.js';
import { followTurns } from './follow-turns.js';
import { createLimitFollower } from './limit-follower.js';
import { containersOf, INTERNAL_PORT, serviceOf, urlOf } from './running-service.js';

/** The lab in containers on this machine: knobs become variables, offers and `docker update`. */
export function composeTarget(stack: ComposeStack): Target {
  const { project, parts, control, gatewayUrl, calibration } = stack;
  const running = async () => (await project.containers()).filter((one) => one.running);
  let deliveries: string[] = [];
  const follower = createLimitFollower({
    requestsPerSecond: () => parts.knobs?.deliveryRequestsPerSecond ?? null,
    setLimit: (cores) => project.setCpus(deliveries, cores),
  });
  return {
    gatewayUrl,
    describe: () => ({
      kind: 'compose',
      calibrated: true,
      database: 'stand-in',
      capabilities: localCapabilities('stand-in'),
    }),
    async applyKnobs(knobs, choice) {
      const { changed } = await applyKnobs(parts, { knobs, ...choice });
      stack.remember();
      return { changed };
    },
    reset: () => control.reset({ budgets: true, metrics: true }),
    async sources() {
      const cosmos = await serviceOf(project, 'cosmos-emulator');
      const services = await Promise.all(SERVICE_NAMES.map((name) => containersOf(project, name)));
      deliveries = services.flat().flatMap(({ service, id }) => (service === 'delivery' ? [id] : []));
      return [
        ...services.flat().map((container) => {
          const { service, id } = container;
          const source = serviceSource(`${service} ${id.slice(0, 12)}`, urlOf(container, INTERNAL_PORT));
          return service === 'delivery' ? follower.follow(source) : source;
        }),
        standInSource(control, cosmos.pid),
      ];
    },
    departedRows: async () => [],
    calibration: async () => calibration(),
    telemetry: null,
    telemetryRecording: null,
    watchTurns: (signal, onTurn) => followTurns(stack, { signal, onTurn }),
    // Elsewhere containers run in a virtual machine, whose processes this one does not see.
    pids: async () => (process.platform === 'linux' ? (await running()).map((one) => one.pid) : []),
    async failure(signal) {
      try {
        const death = await firstDeath(project, signal);
        return failureOf(death, await project.lastLines(death.id));
      } catch (error) {
        if (signal.aborted) throw error;
        return ENGINE_GONE;
      }
    },
  };
}

const ENGINE_GONE: StackFailure = {
  process: 'the Docker engine',
  instance: 'docker',
  description: 'does not tell about its containers any more',
  lastLines: [],
  log: '"docker info" says whether it runs',
};

function failureOf({ service, id, exitCode }: ContainerDeath, lastLines: string[]): StackFailure {
  return {
    process: service,
    instance: service,
    description: `ended with exit code ${exitCode}`,
    lastLines,
    log: `docker logs ${id.slice(0, 12)}`,
  };
}
