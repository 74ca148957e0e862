import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ListeningMessage, ServiceName } from '@bottleneck-lab/contracts';
import { bundleProgram } from '../../../docker/bundle.js';
import {
  startAccount,
  type TestAccount,
  writePackages,
  writeUtilization,
} from '../services/cosmos-account.js';

const require = createRequire(import.meta.url);

/** What telemetry needs on a node command line. */
export const TELEMETRY_FLAGS = [
  '--import',
  pathToFileURL(require.resolve('@bottleneck-lab/telemetry/register')).href,
];

export interface ObservedProcess extends AsyncDisposable {
  child: ChildProcess;
  url: string;
  output(): string;
  /** Asks it to stop and waits until it has. */
  stop(): Promise<number | null>;
}

export interface StartOptions {
  env?: Record<string, string>;
  nodeFlags?: readonly string[];
  telemetryFlags?: readonly string[];
}

/** Forks a program with telemetry loaded, and waits until it listens. */
export async function startObserved(file: string, options: StartOptions = {}): Promise<ObservedProcess> {
  const child = fork(file, [], {
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'warn', SHUTDOWN_LINGER_MS: '50', ...options.env },
    execArgv: [...(options.telemetryFlags ?? TELEMETRY_FLAGS), ...(options.nodeFlags ?? [])],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const listening = new Promise<ListeningMessage>((resolve, reject) => {
    child.on('message', (message: { type: string }) => {
      if (message.type === 'listening') resolve(message as ListeningMessage);
    });
    void exited.then((code) => reject(new Error(`ended with ${code}:\n${output}`)));
  });
  const { port } = await listening;
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    stop: async () => {
      if (child.exitCode === null && child.connected) child.send({ type: 'shutdown' });
      return exited;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) child.kill('SIGKILL');
      await exited;
    },
  };
}

export const mainOf = (name: ServiceName) => require.resolve(`@bottleneck-lab/${name}/main`);

/** Where a service's program is, and what loads telemetry before it. */
export interface Programs {
  mainOf(name: ServiceName): string;
  telemetryFlagsOf(name: ServiceName): readonly string[];
}

const INSTALLED: Programs = { mainOf, telemetryFlagsOf: () => TELEMETRY_FLAGS };

/** As they are in the images. */
export async function bundlePrograms(outDir: string): Promise<Programs> {
  const names: ServiceName[] = ['gateway', 'delivery', 'package', 'drone-utilization'];
  for (const name of names) await bundleProgram(name, outDir);
  return {
    mainOf: (name) => path.join(outDir, name, 'dist/main.js'),
    telemetryFlagsOf: (name) => ['--import', pathToFileURL(path.join(outDir, name, 'dist/register.js')).href],
  };
}

export interface ObservedLab extends AsyncDisposable {
  account: TestAccount;
  gateway: ObservedProcess;
  services: Record<ServiceName, ObservedProcess>;
  /** Gets one invoice, as a load script with baggage does; returns the status. */
  getInvoice(headers?: Record<string, string>): Promise<number>;
  /** Stops all services, which delivers what they have. */
  stop(): Promise<void>;
}

const PATH = '/api/invoices?ownerId=o000042&year=2019&month=7';
export const BAGGAGE_HEADER = 'lab.run=run-1,lab.scenario=throttled,lab.step=3';

/** The four services as processes with telemetry, on an account with one invoice's documents. */
export async function startObservedLab(
  env: Record<string, string>,
  programs = INSTALLED,
): Promise<ObservedLab> {
  const account = await startAccount();
  await writeUtilization(account.client, {
    ...{ id: 'u1', deliveryId: 'd1', ownerId: 'o000042', traveledMiles: 3, assignedHours: 2 },
  });
  await writePackages(account.client, { ownerId: 'o000042', year: 2019, month: 7, count: 4, totalWeight: 9 });
  const start = (name: ServiceName, more: Record<string, string> = {}) =>
    startObserved(programs.mainOf(name), {
      env: { ...env, ...more },
      telemetryFlags: programs.telemetryFlagsOf(name),
    });
  const [delivery, packages, drones] = await Promise.all([
    start('delivery', { CPU_LIMIT: '0.9' }),
    start('package', account.env),
    start('drone-utilization', { ...account.env, QUERY_FANOUT: 'parallel', PARTITION_KEY: 'deliveryId' }),
  ]);
  const gateway = await start('gateway', {
    DELIVERY_URL: delivery.url,
    PACKAGE_URL: packages.url,
    DRONE_UTILIZATION_URL: drones.url,
  });
  const services = { gateway, delivery, package: packages, 'drone-utilization': drones };
  const all = Object.values(services);
  for (const { url } of all) await untilReady(url);
  return {
    account,
    gateway,
    services,
    async getInvoice(headers = { baggage: BAGGAGE_HEADER }) {
      const response = await fetch(gateway.url + PATH, { headers });
      await response.text();
      return response.status;
    },
    stop: async () => {
      await gateway.stop();
      await Promise.all(all.map((each) => each.stop()));
    },
    async [Symbol.asyncDispose]() {
      for (const each of all) await each[Symbol.asyncDispose]();
      await account[Symbol.asyncDispose]();
    },
  };
}

async function untilReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const response = await fetch(`${url}/-/ready`);
    await response.text();
    if (response.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${url} did not become ready`);
}
