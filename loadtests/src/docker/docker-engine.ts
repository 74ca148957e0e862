import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type {
  EngineCommand,
  EngineDefinition,
  EngineInvocation,
  FindOptions,
  FoundEngine,
} from '../engine-definition.js';
import { judgeVersion, K6_OFFLINE, K6_POINTS_DELAY_MS, runArguments } from '../k6-command.js';
import { containerPath, containerValue, mountArguments, mountsFor } from './container-paths.js';
import { docker } from './docker-cli.js';
import { askDockerHost, type DockerHost } from './docker-host.js';

const ANSWER_MS = 30_000;
const PULL_MS = 600_000;
/** How a container of Docker Desktop reaches the machine that it runs on. */
const DESKTOP_HOST = 'host.docker.internal';
/** Neither its own nor the lab's to hand on. */
const NOT_FOR_K6 = new Set(['K6_IMAGE', ...Object.keys(K6_OFFLINE)]);

/** k6 in a container, which sees the script's project read-only, the folder for results, and this machine's network. */
export function dockerEngine(image: string): EngineDefinition {
  return {
    description: `Grafana k6 in a container (${image})`,
    find: (options) => find(image, options),
    command: (invocation) => command(image, invocation),
    takesMessages: false,
    pointsDelayMs: K6_POINTS_DELAY_MS,
  };
}

async function find(image: string, { onFetch }: FindOptions = {}): Promise<FoundEngine> {
  if (!/^[\w.][\w./:@-]*$/.test(image)) {
    return unavailable(`'${image}' is no image; it is given like grafana/k6:2.2.0`);
  }
  const answer = await askDockerHost();
  if ('problem' in answer) return unavailable(answer.problem);
  const known = await docker(['image', 'inspect', '--format', '{{.Id}}', image], ANSWER_MS);
  if (!known.ok) {
    onFetch?.(image);
    const pulled = await docker(['pull', '--quiet', image], PULL_MS);
    if (!pulled.ok) {
      return unavailable(
        `the image ${image} is not on this machine and can not be pulled (${pulled.problem}); a mirror's goes into K6_IMAGE or docker=IMAGE`,
      );
    }
  }
  const version = await docker(['run', '--rm', '--network', 'none', image, 'version'], ANSWER_MS);
  if (!version.ok) return unavailable(`the image ${image} does not run 'k6 version': ${version.problem}`);
  return judgeVersion(version.stdout);
}

function unavailable(reason: string): FoundEngine {
  return { available: false, reason };
}

async function command(image: string, invocation: EngineInvocation): Promise<EngineCommand> {
  const answer = await askDockerHost();
  if ('problem' in answer) throw new Error(answer.problem);
  return containerCommand({
    image,
    invocation,
    host: answer.host,
    name: `lab-k6-${process.pid}-${randomBytes(4).toString('hex')}`,
    user: userOf(answer.host),
    env: process.env,
  });
}

/** Results must belong to whoever runs the lab: the image's own user could not write to a mounted folder. */
function userOf({ rootless }: DockerHost): string | undefined {
  if (rootless) return '0:0';
  return process.getuid === undefined ? undefined : `${process.getuid()}:${process.getgid?.() ?? 0}`;
}

/** The call of `docker run`; everything that decides it is given. */
export function containerCommand(input: {
  image: string;
  invocation: EngineInvocation;
  host: DockerHost;
  name: string;
  user: string | undefined;
  env: NodeJS.ProcessEnv;
}): EngineCommand {
  const { image, invocation, host, name, user, env } = input;
  const { script, files } = invocation;
  const { scripts, out } = mountsFor(script, path.dirname(files.points));
  const mounts = [scripts, out];
  const inside = (file: string) => containerPath(path.resolve(file), mounts) ?? file;
  const hostName = host.desktop ? DESKTOP_HOST : undefined;
  const variables = Object.entries(invocation.env).map(([variable, value]) => [
    variable,
    containerValue(value, { mounts, hostName }),
  ]);
  const handedOn = Object.keys(env).filter((one) => one.startsWith('K6_') && !NOT_FOR_K6.has(one));
  return {
    file: 'docker',
    args: [
      ...['run', '--rm', '--name', name],
      ...(host.desktop ? [] : ['--network', 'host']),
      ...(user === undefined ? [] : ['--user', user]),
      ...mounts.flatMap(mountArguments),
      ...Object.entries(K6_OFFLINE).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]),
      // Without a value: the client takes it from its own environment, so it is not shown among processes.
      ...handedOn.flatMap((variable) => ['--env', variable]),
      image,
      ...runArguments({
        script: inside(script),
        points: inside(files.points),
        summaryExport: inside(files.summaryExport),
        env: Object.fromEntries(variables),
      }),
    ],
    env: {},
    elsewhere: {
      interrupt: { file: 'docker', args: ['kill', '--signal', 'INT', name] },
      kill: { file: 'docker', args: ['rm', '--force', name] },
      pid: async () => (host.desktop ? undefined : containerPid(name)),
    },
  };
}

/** The container's first process as this machine numbers it; undefined where Docker numbers processes of another one. */
async function containerPid(name: string): Promise<number | undefined> {
  const { ok, stdout } = await docker(['inspect', '--format', '{{.State.Pid}} {{.Id}}', name], ANSWER_MS);
  const [pid = '0', id = ''] = stdout.trim().split(' ');
  if (!ok || pid === '0') return undefined;
  try {
    return readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(id) ? Number(pid) : undefined;
  } catch {
    return undefined;
  }
}
