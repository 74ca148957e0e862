import { createHash } from 'node:crypto';
import { CosmosClient } from '@azure/cosmos';
import { INTERNAL_ROUTES, type ServiceName } from '@bottleneck-lab/contracts';
import { GenericContainer, Network, type StartedNetwork, Wait } from 'testcontainers';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { createContainers, writePackages, writeUtilization } from '../integration/services/cosmos-account.js';
import { docker, inspect, mustDocker } from './docker.js';
import type { ImageName } from './images.js';

export const INVOICE = '/api/invoices?ownerId=o000042&year=2019&month=7';
export const DELIVERIES = '/api/deliveries/summary?ownerId=o000042&year=2019&month=7';
const KEY = createHash('sha512').update('container tests').digest('base64');
const CONTROL_TOKEN = 'container-tests';
const START_MS = 90_000;

export interface LabContainer {
  id: string;
  name: ImageName;
  /** Its address in the private network; another one after a restart. */
  address(): Promise<string>;
}

/** Containers on a private network that live as long as a group of tests. */
export interface ContainerLab {
  start(name: ImageName, options?: ContainerOptions): Promise<LabContainer>;
  /** The Cosmos DB stand-in with one invoice's documents. */
  startCosmos(): Promise<LabContainer>;
  /** All four services; the variables are for those they are named after. */
  startServices(
    options?: Partial<Record<ServiceName, ContainerOptions>>,
  ): Promise<Record<ServiceName, LabContainer>>;
}

export interface ContainerOptions {
  env?: Record<string, string>;
  cpu?: number;
}

const COSMOS_ENV = { COSMOS_ENDPOINT: 'http://cosmos-emulator:8081', COSMOS_KEY: KEY };
const ENVIRONMENT: Record<ImageName, Record<string, string>> = {
  gateway: {
    DELIVERY_URL: 'http://delivery:8080',
    PACKAGE_URL: 'http://package:8080',
    DRONE_UTILIZATION_URL: 'http://drone-utilization:8080',
  },
  delivery: {},
  package: COSMOS_ENV,
  'drone-utilization': { ...COSMOS_ENV, QUERY_FANOUT: 'parallel', PARTITION_KEY: 'deliveryId' },
  'cosmos-emulator': {
    COSMOS_EMULATOR_KEY: KEY,
    COSMOS_EMULATOR_CONTROL_TOKEN: CONTROL_TOKEN,
    COSMOS_EMULATOR_CONTROL_ANY_HOST: 'true',
  },
  'app-insights-emulator': {},
  seed: { ...COSMOS_ENV, COSMOS_EMULATOR_CONTROL_TOKEN: CONTROL_TOKEN },
};

/** As hard as a cluster would have it; nothing is mounted to write to. */
class HardenedContainer extends GenericContainer {
  constructor(image: string) {
    super(image);
    this.withDroppedCapabilities('ALL').withSecurityOpt('no-new-privileges');
    this.hostConfig.ReadonlyRootfs = true;
  }
}

/** A group of tests in containers: skipped, with the reason in its name, where there are none to be had. */
export function describeContainers(name: string, tests: (lab: ContainerLab) => void): void {
  const images = inject('images');
  if (!images.available) {
    describe.skip(`${name} (skipped: ${images.reason})`, () =>
      tests(containerLab(() => unavailable(), {} as never)));
    return;
  }
  describe(name, () => {
    let network: StartedNetwork;
    const started: string[] = [];
    beforeAll(async () => {
      network = await new Network().start();
    });
    afterAll(async () => {
      if (started.length > 0) await docker(['rm', '--force', '--volumes', ...started]);
      await network?.stop();
    });
    tests(containerLab(() => network, { tags: images.tags, onStart: (id) => started.push(id) }));
  });
}

function unavailable(): never {
  throw new Error('no containers here');
}

function containerLab(
  network: () => StartedNetwork,
  { tags, onStart }: { tags: Record<ImageName, string>; onStart: (id: string) => void },
): ContainerLab {
  const start = async (name: ImageName, options: ContainerOptions = {}): Promise<LabContainer> => {
    const container = new HardenedContainer(tags[name])
      .withNetwork(network())
      .withNetworkAliases(name)
      .withEnvironment({ ...ENVIRONMENT[name], LOG_LEVEL: 'info', ...options.env })
      // No command here: the image's own check, asked more often.
      .withHealthCheck({ test: [] as never, interval: 1_000, timeout: 5_000, retries: 90, startPeriod: 0 })
      .withWaitStrategy(Wait.forHealthCheck())
      .withStartupTimeout(START_MS);
    if (options.cpu !== undefined) container.withResourcesQuota({ cpu: options.cpu });
    const running = await container.start();
    const id = running.getId();
    onStart(id);
    return {
      id,
      name,
      async address() {
        const networks = await inspect<Record<string, { IPAddress: string }>>(
          id,
          '.NetworkSettings.Networks',
        );
        return networks[network().getName()]?.IPAddress ?? '';
      },
    };
  };
  const startCosmos = async () => {
    const cosmos = await start('cosmos-emulator');
    await seed(cosmos);
    return cosmos;
  };
  return {
    start,
    startCosmos,
    async startServices(options = {}) {
      const [delivery, packages, drones] = await Promise.all([
        start('delivery', options.delivery),
        start('package', options.package),
        start('drone-utilization', options['drone-utilization']),
      ]);
      const gateway = await start('gateway', options.gateway);
      return { gateway, delivery, package: packages, 'drone-utilization': drones };
    },
  };
}

/** One invoice's documents, with the official SDK. */
export async function seed(cosmos: LabContainer): Promise<void> {
  const endpoint = `http://${await cosmos.address()}:8081`;
  const client = new CosmosClient({
    endpoint,
    key: KEY,
    connectionPolicy: { enableEndpointDiscovery: false },
  });
  try {
    await createContainers(client);
    await writeUtilization(client, {
      ...{ id: 'u1', deliveryId: 'd1', ownerId: 'o000042', traveledMiles: 3, assignedHours: 2 },
    });
    await writePackages(client, { ownerId: 'o000042', year: 2019, month: 7, count: 4, totalWeight: 9 });
  } finally {
    client.dispose();
  }
}

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** Asks a container's public port. */
export async function get(container: LabContainer, route: string, port = 8080): Promise<Answer> {
  const response = await fetch(`http://${await container.address()}:${port}${route}`, {
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
}

/** Its measurement rows of one kind. */
export async function rows<Row>(container: LabContainer, kind: string): Promise<Row[]> {
  const { body } = await get(container, `${INTERNAL_ROUTES.stats}?since=0`, 9090);
  return (body.rows as { kind: string }[]).filter((row) => row.kind === kind) as Row[];
}

export const tell = (command: 'pause' | 'unpause' | 'kill' | 'start', { id }: LabContainer) =>
  mustDocker(command, id);
