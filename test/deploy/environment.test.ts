import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { CONTAINERS, DATABASE, ROLES, SERVICE_NAMES, type ServiceName } from '@bottleneck-lab/contracts';
import { describe, expect, it } from 'vitest';
import { settings as gateway } from '../../gateway/src/config.js';
import { readAccountSettings, readSnapshotSettings } from '../../lab/src/seed-job/config.js';
import { settings as delivery } from '../../services/delivery/src/config.js';
import { settings as droneUtilization } from '../../services/drone-utilization/src/config.js';
import { settings as packages } from '../../services/package/src/config.js';
import {
  type Container,
  environmentOf,
  type Manifest,
  ROOT,
  readManifests,
  workloadsOf,
} from './manifests.js';

const run = promisify(execFile);
const SETTINGS = { gateway, delivery, package: packages, 'drone-utilization': droneUtilization };
const PROGRAMS = {
  gateway: 'gateway/dist/main.js',
  delivery: 'services/delivery/dist/main.js',
  package: 'services/package/dist/main.js',
  'drone-utilization': 'services/drone-utilization/dist/main.js',
};
/** Not a service's own: who it is in telemetry, where that goes, and Node's. */
const BESIDES = [
  'APPLICATIONINSIGHTS_CONNECTION_STRING',
  'NODE_OPTIONS',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_SERVICE_NAME',
  'TELEMETRY_ALLOW_HTTP',
  'TELEMETRY_SAMPLING_RATIO',
];

const base = readManifests('base');
const standIns = readManifests('components/stand-ins');
const azure = readManifests('components/azure');

function containerOf(objects: readonly Manifest[], component: string, init = false): Container {
  const workload = workloadsOf(objects).find(
    ({ labels }) => labels['app.kubernetes.io/component'] === component,
  );
  const list = init ? workload?.pod.initContainers : workload?.pod.containers;
  if (list?.[0] === undefined) throw new Error(`no container of ${component}`);
  return list[0];
}

/** Starts a program with what its pod would give it, to show its configuration; it fails for a value it does not take. */
async function printedConfig(program: string, args: string[], env: Record<string, string>) {
  const { stdout } = await run(process.execPath, [path.join(ROOT, program), ...args, '--print-config'], {
    env: { PATH: process.env.PATH, ...env },
  });
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe.each(SERVICE_NAMES)('the environment of %s', (service: ServiceName) => {
  const container = containerOf(base, service);
  const names = (container.env ?? []).map(({ name }) => name);

  it('has every variable that it reads', () => {
    const read = Object.values(SETTINGS[service]).map(({ variable }) => variable);
    expect(read.filter((variable) => !names.includes(variable))).toEqual([]);
  });

  it('has no variable that nobody reads, and none twice', () => {
    const read = Object.values(SETTINGS[service]).map(({ variable }) => variable as string);
    expect(names.filter((name) => !read.includes(name) && !BESIDES.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('is accepted by the service, which listens where its pod says', async () => {
    const config = await printedConfig(PROGRAMS[service], [], environmentOf(container, base));
    const port = (name: string) => container.ports?.find((one) => one.name === name)?.containerPort;
    expect(config).toMatchObject({
      HOST: '0.0.0.0',
      PORT: port('http'),
      INTERNAL_PORT: port('internal'),
    });
  });

  it('names its role as telemetry and queries know it', () => {
    expect(environmentOf(container, base).OTEL_SERVICE_NAME).toBe(ROLES[service]);
  });
});

describe('the environment of the stand-ins', () => {
  it('is accepted by the one for Cosmos DB, which keeps what the seed has written', async () => {
    const container = containerOf(standIns, 'cosmos-emulator');
    const config = await printedConfig(
      'emulators/cosmos/dist/main.js',
      [],
      environmentOf(container, standIns),
    );
    expect(config).toMatchObject({ host: '0.0.0.0', port: 8081, controlAnyHost: true });
    const seed = containerOf(standIns, 'cosmos-emulator', true);
    expect(seed.args).toEqual(['snapshot', config.snapshot]);
    expect(seed.volumeMounts).toEqual(container.volumeMounts);
    expect(path.posix.dirname(config.snapshot as string)).toBe(container.volumeMounts?.[0]?.mountPath);
  });

  it('is accepted by the one for Application Insights, at the address that services send to', async () => {
    const container = containerOf(standIns, 'app-insights-emulator');
    const config = await printedConfig('emulators/app-insights/dist/main.js', container.args ?? [], {});
    expect(config).toMatchObject({ host: '0.0.0.0', port: 4319 });
    const service = standIns.find(
      ({ kind, metadata }) => kind === 'Service' && metadata.name === 'bottleneck-lab-app-insights-emulator',
    );
    expect(service?.spec.ports[0].port).toBe(4319);
  });
});

describe('the environment of the seed', () => {
  it('is accepted in the pod of the stand-in', () => {
    const container = containerOf(standIns, 'cosmos-emulator', true);
    expect(readSnapshotSettings(environmentOf(container, standIns))).toMatchObject({
      PHYSICAL_PARTITIONS: 9,
      RU_PER_SECOND: 900,
      QUERY_LATENCY: { meanMs: 62, coefficientOfVariation: 1.3 },
    });
  });

  it('is accepted by the Job that uses an identity', () => {
    const container = containerOf(azure, 'seed');
    expect(container.args).toEqual(['account']);
    expect(readAccountSettings(environmentOf(container, azure)).account).toMatchObject({
      COSMOS_AUTH: 'managed-identity',
      RU_PER_SECOND: 900,
    });
  });
});

describe('names that several places share', () => {
  it('are those of the account', () => {
    for (const service of ['package', 'drone-utilization']) {
      expect(environmentOf(containerOf(base, service), base).COSMOS_DATABASE).toBe(DATABASE);
    }
    expect(Object.values(CONTAINERS).map(({ id }) => id)).toHaveLength(3);
  });
});
