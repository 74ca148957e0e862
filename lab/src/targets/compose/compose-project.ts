import path from 'node:path';
import { z } from 'zod';
import { PROJECT_ROOT } from '../../stack/state-dir.js';
import { type ComposeCommand, type RunCommand, runCommand } from './compose-command.js';

/** One container of the project as it is now. */
export interface ComposeContainer {
  service: string;
  id: string;
  imageId: string;
  /** As it was asked for: `bottleneck-lab/gateway:local`. */
  image: string;
  running: boolean;
  exitCode: number;
  /** On the engine's host, which is this machine only on Linux. */
  pid: number;
  /** Null without a limit. */
  cpus: number | null;
  env: Record<string, string>;
  /** Where a port of the container is reached, by the container's port. */
  urls: Record<number, string>;
}

/** The containers of compose.yaml under one project name. */
export interface ComposeProject {
  readonly name: string;
  /** Starts services and those they depend on; makes anew the ones that are set otherwise. */
  up(
    services: readonly string[],
    options: { variables: Record<string, string>; signal?: AbortSignal },
  ): Promise<void>;
  /** Starts containers that have ended, as they were. */
  restart(ids: readonly string[]): Promise<void>;
  /** Starts containers of one service beside those it has, until there are so many; with these variables. */
  scale(service: string, options: { containers: number; variables: Record<string, string> }): Promise<void>;
  /** Ends containers in order and removes them. */
  remove(ids: readonly string[]): Promise<void>;
  containers(): Promise<ComposeContainer[]>;
  /** Takes effect at once and without a restart. */
  setCpus(ids: readonly string[], cores: number): Promise<void>;
  lastLines(id: string): Promise<string[]>;
  down(): Promise<void>;
}

const FILES = ['compose.yaml', 'docker/compose.lab.yaml'].map((file) => path.join(PROJECT_ROOT, file));
/** Longer than a service waits for requests in flight. */
const STOP_SECONDS = 20;
const SERVICE_LABEL = 'com.docker.compose.service';
const PROJECT_LABEL = 'com.docker.compose.project';

const inspected = z.array(
  z.object({
    Id: z.string(),
    Image: z.string(),
    State: z.object({ Running: z.boolean(), ExitCode: z.number(), Pid: z.number() }),
    HostConfig: z.object({ NanoCpus: z.number() }),
    Config: z.object({
      Image: z.string(),
      Env: z.array(z.string()).nullable(),
      Labels: z.record(z.string(), z.string()),
    }),
    NetworkSettings: z.object({
      Ports: z.record(z.string(), z.array(z.object({ HostIp: z.string(), HostPort: z.string() })).nullable()),
    }),
  }),
);

export function composeProject(options: {
  command: ComposeCommand;
  /** As Compose would name it; another name is another stack. */
  name?: string;
  run?: RunCommand;
}): ComposeProject {
  const { command, run = runCommand } = options;
  const name = options.name ?? (process.env.COMPOSE_PROJECT_NAME || 'bottleneck-lab');
  const compose = (args: readonly string[], more?: Parameters<RunCommand>[2]) =>
    run(
      command.program,
      [...command.prefix, '--project-name', name, ...FILES.flatMap((file) => ['--file', file]), ...args],
      more,
    );
  return {
    name,
    async restart(ids) {
      await run('docker', ['start', ...ids]);
    },
    async up(services, { variables, signal }) {
      await compose(['up', '--detach', ...services], {
        env: variables,
        ...(signal === undefined ? {} : { signal }),
      });
    },
    async scale(service, { containers, variables }) {
      await compose(
        [
          ...['up', '--detach', '--no-deps', '--no-recreate'],
          ...['--scale', `${service}=${containers}`, service],
        ],
        { env: variables },
      );
    },
    async remove(ids) {
      if (ids.length === 0) return;
      await run('docker', ['stop', '--time', String(STOP_SECONDS), ...ids]);
      await run('docker', ['rm', ...ids]);
    },
    async containers() {
      const listed = await run('docker', [
        ...['ps', '--all', '--quiet', '--no-trunc', '--filter', `label=${PROJECT_LABEL}=${name}`],
      ]);
      const ids = listed.split('\n').filter((id) => id !== '');
      if (ids.length === 0) return [];
      return inspected.parse(JSON.parse(await run('docker', ['inspect', ...ids]))).map(describe);
    },
    async setCpus(ids, cores) {
      await run('docker', ['update', '--cpus', cores.toFixed(4), ...ids]);
    },
    async lastLines(id) {
      const output = await run('docker', ['logs', '--tail', '10', id]).catch(() => '');
      return output.split('\n').filter((line) => line !== '');
    },
    async down() {
      await compose(['down', '--volumes', '--remove-orphans', '--timeout', String(STOP_SECONDS)]);
    },
  };
}

function describe(container: z.output<typeof inspected>[number]): ComposeContainer {
  const { State, Config, HostConfig, NetworkSettings } = container;
  const ports = Object.entries(NetworkSettings.Ports).flatMap(([port, bindings]) => {
    const [binding] = bindings ?? [];
    return binding === undefined ? [] : [[Number.parseInt(port, 10), urlOf(binding)] as const];
  });
  return {
    service: Config.Labels[SERVICE_LABEL] ?? '',
    id: container.Id,
    imageId: container.Image,
    image: Config.Image,
    running: State.Running,
    exitCode: State.ExitCode,
    pid: State.Pid,
    cpus: HostConfig.NanoCpus > 0 ? HostConfig.NanoCpus / 1e9 : null,
    env: Object.fromEntries((Config.Env ?? []).map((line) => line.split(/=(.*)/s).slice(0, 2))),
    urls: Object.fromEntries(ports),
  };
}

const urlOf = ({ HostIp, HostPort }: { HostIp: string; HostPort: string }) =>
  `http://${HostIp === '' || HostIp === '0.0.0.0' ? '127.0.0.1' : HostIp}:${HostPort}`;
