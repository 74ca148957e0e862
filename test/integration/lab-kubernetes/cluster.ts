import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVICE_NAMES } from '@bottleneck-lab/contracts';
import { type CosmosEmulator, startCosmosEmulator } from '@bottleneck-lab/cosmos-emulator';
import { seedSnapshot } from '../../../lab/src/seed-job/seed-job.js';
import { createKubectl, type Kubectl } from '../../../lab/src/targets/kubernetes/kubectl.js';
import { type Manifest, readManifests } from '../../deploy/manifests.js';

const FAKE = fileURLToPath(new URL('kubectl-stand-in.mjs', import.meta.url));
const DELIVERY = fileURLToPath(new URL('../../../services/delivery/dist/main.js', import.meta.url));
const SETTINGS = {
  DATA_SEED: 1,
  PHYSICAL_PARTITIONS: 9,
  RU_PER_SECOND: 900,
  QUERY_BASE_RU: 3.15,
  BURST_SECONDS: 1.25,
  QUERY_LATENCY: { meanMs: 62, coefficientOfVariation: 1.3 },
  POINT_READ_LATENCY: { meanMs: 2, coefficientOfVariation: 0.5 },
};

/** The chart's objects in a stand-in for a cluster, with a real account and a real service behind its ports. */
export interface Cluster {
  emulator: CosmosEmulator;
  kubectl(options?: { context?: string; namespace?: string }): Kubectl;
  /** Commands so far, forwards and reads left out. */
  changes(): string[];
  change(edit: (state: ClusterState) => void): void;
  stop(): Promise<void>;
}

interface ClusterState {
  deployments: Manifest[];
  horizontalpodautoscalers: object[];
}

export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bottleneck-lab-cluster-'));
  const snapshot = path.join(folder, 'account.json');
  await seedSnapshot(SETTINGS, snapshot);
  const emulator = await startCosmosEmulator({ snapshot });
  const delivery = fork(DELIVERY, [], { env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'silent' } });
  const ports = await listening(delivery);
  const stateFile = path.join(folder, 'cluster.json');
  const objects = readManifests('base', 'components/stand-ins');
  const labels = (component: string) => ({
    'app.kubernetes.io/name': 'bottleneck-lab',
    'app.kubernetes.io/instance': 'bottleneck-lab',
    'app.kubernetes.io/component': component,
  });
  const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  writeFileSync(
    stateFile,
    JSON.stringify({
      context: 'a-cluster',
      namespace: 'bottleneck-lab',
      deployments: objects.filter(({ kind }) => kind === 'Deployment'),
      horizontalpodautoscalers: [],
      pods: [
        ...SERVICE_NAMES.map((name) => ({
          metadata: { name: `bottleneck-lab-${name}-0-0`, labels: labels(name) },
          status: ready,
        })),
        {
          metadata: { name: 'starting', labels: labels('gateway') },
          status: { phase: 'Pending', conditions: [] },
        },
        {
          metadata: { name: 'ending', labels: labels('gateway'), deletionTimestamp: '2026-01-01T00:00:00Z' },
          status: ready,
        },
      ],
      secrets: {
        'bottleneck-lab-cosmos': {
          'cosmos-key': base64(emulator.key),
          'control-token': base64(emulator.controlToken),
        },
      },
      forwards: {
        'service/bottleneck-lab-gateway:8080': ports.port,
        'deployment/bottleneck-lab-cosmos-emulator:8081': emulator.port,
        'pod:9090': ports.internalPort,
      },
    }),
  );
  return {
    emulator,
    kubectl: ({ context = 'a-cluster', namespace = 'bottleneck-lab' } = {}) =>
      createKubectl({ context, namespace, command: [process.execPath, FAKE, stateFile] }),
    changes: () =>
      readFileSync(`${stateFile}.log`, 'utf8')
        .trim()
        .split('\n')
        .filter((line) => !/^(get|port-forward) /.test(line)),
    change(edit) {
      const state = JSON.parse(readFileSync(stateFile, 'utf8'));
      edit(state);
      writeFileSync(stateFile, JSON.stringify(state));
    },
    async stop() {
      await emulator.stop();
      const ended = new Promise((resolve) => delivery.once('exit', resolve));
      delivery.send({ type: 'shutdown' });
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function listening(child: ChildProcess): Promise<{ port: number; internalPort: number }> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: { type: string; port: number; internalPort: number }) => {
      if (message.type === 'listening') resolve(message);
    });
    child.once('exit', (code) => reject(new Error(`delivery ended with ${code}`)));
  });
}
