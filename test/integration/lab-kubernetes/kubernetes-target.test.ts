import { DATABASE } from '@bottleneck-lab/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { applyLength, findScenarios } from '../../../lab/src/scenarios/index.js';
import { createKubectl } from '../../../lab/src/targets/kubernetes/kubectl.js';
import { openKubernetesTarget } from '../../../lab/src/targets/kubernetes/kubernetes-target.js';
import type { Target } from '../../../lab/src/targets/target.js';
import type { Manifest } from '../../deploy/manifests.js';
import { lab } from '../lab-stack/lab-process.js';
import { type Cluster, startCluster } from './cluster.js';

let cluster: Cluster;
let close: () => void = () => {};
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());
afterEach(() => close());

async function open(): Promise<Target> {
  const opened = await openKubernetesTarget({ kubectl: cluster.kubectl(), release: 'bottleneck-lab' });
  close = opened.close;
  return opened.target;
}

const knobsOf = (name: string) => {
  const [scenario] = findScenarios([name]);
  if (scenario === undefined) throw new Error(name);
  return applyLength(scenario.knobs, 60);
};
const modelOf = (container: string) =>
  cluster.emulator.control(`containers/${DATABASE}/${container}/model`) as Promise<Record<string, unknown>>;

describe('the target kubernetes', () => {
  it('turns knobs by rollouts, by the account’s own calls and by the stand-in’s control, and only what differs', async () => {
    const target = await open();
    const { changed } = await target.applyKnobs(knobsOf('partition-key'), { seed: 1, model: 'on' });
    expect(changed).toEqual([
      'drone-utilization rolled out with QUERY_FANOUT=parallel, PARTITION_KEY=ownerId',
      'throughput set to 2500 RU/s',
    ]);
    expect(cluster.changes()).toEqual([
      'set env deployment/bottleneck-lab-drone-utilization QUERY_FANOUT=parallel PARTITION_KEY=ownerId',
      'rollout status deployment/bottleneck-lab-drone-utilization --timeout=300s',
    ]);
    expect(await modelOf('utilization')).toMatchObject({ provisionedRuPerSecond: 2500, throttling: true });

    const before = cluster.changes().length;
    expect(await target.applyKnobs(knobsOf('partition-key'), { seed: 1, model: 'off' })).toEqual({
      changed: [],
    });
    expect(cluster.changes()).toHaveLength(before);
    expect(await modelOf('utilization')).toMatchObject({ throttling: false, latency: { query: null } });
  });

  it('scales delivery, unless an autoscaler does', async () => {
    const target = await open();
    const knobs = { ...knobsOf('partition-key'), deliveryReplicas: 2 };
    expect((await target.applyKnobs(knobs, { seed: 1, model: 'on' })).changed).toEqual([
      'delivery scaled to 2',
    ]);
    expect(cluster.changes()).toContain('scale deployment/bottleneck-lab-delivery --replicas=2');
    close();

    cluster.change((state) => {
      state.horizontalpodautoscalers = [
        {
          metadata: { name: 'bottleneck-lab-delivery', labels: state.deployments[0]?.metadata.labels },
          spec: { scaleTargetRef: { name: 'bottleneck-lab-delivery' } },
        },
      ];
    });
    const scaled = await open();
    expect(await scaled.applyKnobs({ ...knobs, deliveryReplicas: 1 }, { seed: 1, model: 'on' })).toEqual({
      changed: [],
    });
    expect(scaled.describe().capabilities.deliveryReplicas).toEqual({
      available: false,
      reason: 'an autoscaler sets the replicas of delivery',
    });
    cluster.change((state) => {
      state.horizontalpodautoscalers = [];
    });
  });

  it('reads the rows of every ready pod, and those of the account', async () => {
    const target = await open();
    const sources = await target.sources();
    const names = sources.map(({ name }) => name);
    for (const part of ['gateway-0-0', 'package-0-0', 'delivery', 'drone-utilization', 'cosmos-emulator']) {
      expect(names.filter((name) => name.includes(part)).length).toBeGreaterThan(0);
    }
    expect(names).not.toContain('starting');
    expect(names).not.toContain('ending');
    for (const source of sources) {
      const { second, rows } = await source.poll(0, 5_000);
      expect(second).toBeGreaterThan(0);
      expect(Array.isArray(rows)).toBe(true);
    }
    // One for the gateway, one for the stand-in, one for each pod.
    expect(await target.pids()).toHaveLength(2 + sources.length - 1);
  });

  it('judges shapes, not figures, and says why a knob can not be turned', async () => {
    const { kind, calibrated, database, capabilities } = (await open()).describe();
    expect({ kind, calibrated, database }).toEqual({
      kind: 'kubernetes',
      calibrated: false,
      database: 'stand-in',
    });
    expect(capabilities.queryLatency).toEqual({ available: true });
    expect(capabilities.deliveryRequestsPerSecond).toMatchObject({
      available: false,
      reason: expect.stringContaining('delivery.resources.limits.cpu'),
    });
  });

  it('knows whether the services send telemetry, which costs CPU', async () => {
    expect((await open()).telemetry).toBeNull();
    close();
    const variables = [
      {
        name: 'APPLICATIONINSIGHTS_CONNECTION_STRING',
        value: 'InstrumentationKey=k;IngestionEndpoint=http://app-insights:4319',
      },
      { name: 'TELEMETRY_SAMPLING_RATIO', value: '0.1' },
    ];
    const gatewayOf = (state: { deployments: Manifest[] }) =>
      state.deployments.find(({ metadata }) => metadata.name === 'bottleneck-lab-gateway')?.spec.template.spec
        .containers[0];
    let before: object[] = [];
    cluster.change((state) => {
      const container = gatewayOf(state);
      before = container.env;
      const names = variables.map(({ name }) => name);
      container.env = [
        ...container.env.filter(({ name }: { name: string }) => !names.includes(name)),
        ...variables,
      ];
    });
    expect((await open()).telemetry).toEqual({
      receiver: 'stand-in',
      sdk: 'applicationinsights',
      samplingRatio: 0.1,
    });
    cluster.change((state) => {
      gatewayOf(state).env = before;
    });
  });

  it('notices when the way to a pod breaks', async () => {
    const target = await open();
    await target.sources();
    const failure = target.failure(new AbortController().signal);
    process.kill((await target.pids()).at(-1) as number);
    expect(await failure).toMatchObject({
      process: expect.stringMatching(/^the way to pod\//),
      description: expect.stringContaining('broke'),
    });
  });

  it('leaves nothing running when it is closed', async () => {
    const target = await open();
    await target.sources();
    const pids = await target.pids();
    close();
    const isAlive = (pid: number) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await expect.poll(() => pids.filter(isAlive), { timeout: 10_000 }).toEqual([]);
  });
});

describe('the target kubernetes without what it needs', () => {
  it('names the context that does not exist, in kubectl’s words', async () => {
    const kubectl = cluster.kubectl({ context: 'another' });
    await expect(openKubernetesTarget({ kubectl, release: 'bottleneck-lab' })).rejects.toThrow(
      /namespace bottleneck-lab of context another: error: context "another" does not exist/,
    );
  });

  it('says which release is not there, and what to do', async () => {
    await expect(openKubernetesTarget({ kubectl: cluster.kubectl(), release: 'other' })).rejects.toThrow(
      /no Deployment of gateway, delivery, package, drone-utilization in release other; install it/,
    );
  });

  it('says that kubectl is missing', async () => {
    const kubectl = createKubectl({ context: 'c', namespace: 'n', command: ['kubectl-that-is-not-there'] });
    await expect(openKubernetesTarget({ kubectl, release: 'r' })).rejects.toThrow('kubectl is not on PATH');
  });
});

describe('lab run --target kubernetes', () => {
  it.each([
    [['--target', 'kubernetes'], 'needs --context'],
    [['--context', 'c'], 'belong to --target kubernetes'],
    [['--target', 'kubernetes', '--context', 'c', '--keep'], 'starts nothing'],
    [['--target', 'kubernetes', '--context', 'c', '--telemetry'], 'set by the chart'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await lab(['run', 'throttled', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
