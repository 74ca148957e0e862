import { CosmosClient } from '@azure/cosmos';
import { serviceSource, standInSource } from '../../runner/row-source.js';
import type { AppliedKnobs } from '../../scenarios/index.js';
import { labContainers, setThroughput } from '../../seed/index.js';
import { type EmulatorControl, emulatorControl } from '../../stack/emulator-control.js';
import { applyModel } from '../../stack/stand-in-model.js';
import type { Target } from '../target.js';
import { kubernetesCapabilities } from './capabilities.js';
import { createForwards, type Forwards } from './forwards.js';
import type { Kubectl } from './kubectl.js';
import {
  type Deployment,
  type Release,
  readRelease,
  readServicePods,
  secretOf,
  telemetryOf,
  variableOf,
} from './release.js';

const HTTP_PORT = 8080;
const INTERNAL_PORT = 9090;
const STAND_IN_PORT = 8081;
const ROLLOUT_SECONDS = 300;
/** A process's id in its own container says nothing here. */
const PID_IN_CONTAINER = 1;

/** The stand-in of a release, reached through forwarded ports. */
interface StandIn {
  control: EmulatorControl;
  client: CosmosClient;
}

/**
 * A release of the chart in a cluster: knobs are turned by rollouts and by what a running stand-in can be told, rows are read from each pod's
 * internal port, load goes in at the gateway. Close it, or kubectl keeps forwarding.
 */
export async function openKubernetesTarget(options: {
  kubectl: Kubectl;
  /** Name of the Helm release, which kustomize's manifests have too. */
  release: string;
}): Promise<{ target: Target; close: () => void }> {
  const { kubectl, release: name } = options;
  const first = await readRelease(kubectl, name);
  const forwards = createForwards(kubectl);
  // They are in a group of their own, and would outlive a process that leaves without closing.
  process.once('exit', forwards.closeAll);
  try {
    const gateway = await forwards.to(`service/${first.service('gateway').metadata.name}`, HTTP_PORT);
    const standIn = first.standIn === null ? null : await openStandIn({ kubectl, forwards }, first.standIn);
    const connectPods = async () => {
      const pods = await readServicePods(kubectl, name);
      forwards.keepPods(pods);
      return Promise.all(
        pods.map(async (pod) => serviceSource(pod, (await forwards.to(`pod/${pod}`, INTERNAL_PORT)).url)),
      );
    };
    const target: Target = {
      gatewayUrl: gateway.url,
      describe: () => ({
        kind: 'kubernetes',
        // Nodes are nobody's yardstick: shapes are judged, absolute figures are not.
        calibrated: false,
        database: standIn === null ? 'azure' : 'stand-in',
        capabilities: kubernetesCapabilities({
          standIn: standIn !== null,
          deliveryAutoscaled: first.autoscaled.has(first.service('delivery').metadata.name),
        }),
      }),
      async applyKnobs(knobs, { seed, model }) {
        const now = await readRelease(kubectl, name);
        const changed = [
          ...(await setQueries({ kubectl, forwards, release: now }, knobs)),
          ...(await setReplicas({ kubectl, forwards, release: now }, knobs)),
          ...(standIn === null ? [] : await setThroughputs(standIn, knobs)),
        ];
        if (standIn !== null) await applyModel(standIn.control, knobs, { model, seed });
        return { changed };
      },
      reset: async () => standIn?.control.reset({ budgets: true, metrics: true }),
      async sources() {
        const services = await connectPods();
        return standIn === null ? services : [...services, standInSource(standIn.control, PID_IN_CONTAINER)];
      },
      departedRows: async () => [],
      calibration: async () => null,
      telemetry: telemetryOf(first.service('gateway')),
      telemetryRecording: null,
      watchTurns: () => {},
      async pids() {
        await connectPods();
        return forwards.pids();
      },
      failure: (signal) =>
        new Promise((resolve, reject) => {
          void forwards.failed().then(resolve);
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
    };
    const close = () => {
      process.off('exit', forwards.closeAll);
      standIn?.client.dispose();
      forwards.closeAll();
    };
    return { target, close };
  } catch (error) {
    process.off('exit', forwards.closeAll);
    forwards.closeAll();
    throw error;
  }
}

async function openStandIn(
  { kubectl, forwards }: { kubectl: Kubectl; forwards: Forwards },
  deployment: Deployment,
): Promise<StandIn> {
  const [key, token] = await Promise.all([
    secretOf(kubectl, deployment, 'COSMOS_EMULATOR_KEY'),
    secretOf(kubectl, deployment, 'COSMOS_EMULATOR_CONTROL_TOKEN'),
  ]);
  const { url } = await forwards.to(`deployment/${deployment.metadata.name}`, STAND_IN_PORT);
  // The stand-in's own account document would lead past the forwarded port.
  const connectionPolicy = { enableEndpointDiscovery: false };
  return {
    control: emulatorControl(url, token),
    client: new CosmosClient({ endpoint: url, key, connectionPolicy }),
  };
}

type Where = { kubectl: Kubectl; forwards: Forwards; release: Release };

async function setQueries(where: Where, knobs: AppliedKnobs): Promise<string[]> {
  const deployment = where.release.service('drone-utilization');
  const wanted = { QUERY_FANOUT: knobs.queryFanout, PARTITION_KEY: knobs.partitionKey };
  const changes = Object.entries(wanted).filter(
    ([variable, value]) => variableOf(deployment, variable) !== value,
  );
  if (changes.length === 0) return [];
  const settings = changes.map(([variable, value]) => `${variable}=${value}`);
  await rollOut(where, deployment, ['set', 'env', `deployment/${deployment.metadata.name}`, ...settings]);
  return [`drone-utilization rolled out with ${settings.join(', ')}`];
}

async function setReplicas(where: Where, knobs: AppliedKnobs): Promise<string[]> {
  const deployment = where.release.service('delivery');
  const { name } = deployment.metadata;
  if (where.release.autoscaled.has(name) || deployment.spec.replicas === knobs.deliveryReplicas) return [];
  await rollOut(where, deployment, ['scale', `deployment/${name}`, `--replicas=${knobs.deliveryReplicas}`]);
  return [`delivery scaled to ${knobs.deliveryReplicas}`];
}

/** Changes a Deployment and waits until its pods are the new ones. Ways to pods that are about to end are closed, not broken. */
async function rollOut(
  { kubectl, forwards }: Where,
  { metadata }: Deployment,
  change: string[],
): Promise<void> {
  forwards.keepPods([]);
  await kubectl.run(change);
  const args = ['rollout', 'status', `deployment/${metadata.name}`, `--timeout=${ROLLOUT_SECONDS}s`];
  await kubectl.run(args, { timeoutMs: (ROLLOUT_SECONDS + 10) * 1_000 });
}

async function setThroughputs({ client }: StandIn, { ruPerSecond }: AppliedKnobs): Promise<string[]> {
  const { utilizationByDelivery, utilizationByOwner } = labContainers(client);
  const changed = await Promise.all([
    setThroughput(utilizationByDelivery, ruPerSecond),
    setThroughput(utilizationByOwner, ruPerSecond),
  ]);
  return changed.includes(true) ? [`throughput set to ${ruPerSecond} RU/s`] : [];
}
