import { describe, expect, it } from 'vitest';
import {
  CommandError,
  findCompose,
  type RunCommand,
} from '../../../lab/src/targets/compose/compose-command.js';
import { composeProject } from '../../../lab/src/targets/compose/compose-project.js';
import { serviceOf, urlOf } from '../../../lab/src/targets/compose/running-service.js';

/** What was called, and answers by the beginning of the command line. */
function recorded(answers: Record<string, string | Error>) {
  const calls: { line: string; env: Record<string, string> | undefined }[] = [];
  const run: RunCommand = async (program, args, options) => {
    const line = [program, ...args].join(' ');
    calls.push({ line, env: options?.env });
    const [, answer = ''] = Object.entries(answers).find(([beginning]) => line.startsWith(beginning)) ?? [];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { calls, run };
}

const failure = (program: string) => new CommandError(program, [], 'not found');

describe('findCompose', () => {
  it('prefers the plugin', async () => {
    const { run } = recorded({});
    expect(await findCompose(run)).toEqual({ program: 'docker', prefix: ['compose'] });
  });

  it('takes the program of its own where there is no plugin', async () => {
    const { run } = recorded({ 'docker compose': failure('docker') });
    expect(await findCompose(run)).toEqual({ program: 'docker-compose', prefix: [] });
  });

  it.each([
    ['no engine', { 'docker info': failure('docker') }, 'no engine answers'],
    [
      'no Compose',
      { 'docker compose': failure('docker'), 'docker-compose': failure('docker-compose') },
      'neither "docker compose" nor "docker-compose"',
    ],
  ])('says what is missing: %s', async (_what, answers, words) => {
    await expect(findCompose(recorded(answers).run)).rejects.toMatchObject({
      code: 'CONTAINERS_UNAVAILABLE',
      message: expect.stringContaining(words),
    });
  });
});

describe('a call that failed', () => {
  it('is named by its verb, with the line that says why and those around it', () => {
    const args = ['--project-name', 'p', '--file', 'compose.yaml', 'up', '--detach', 'gateway'];
    const output =
      'Creating a ... done\n\nERROR: for gateway  Cannot start: address already in use\nEncountered errors while bringing up the project.\n';
    const error = new CommandError('docker-compose', args, output);
    expect(error.message).toBe(
      '"docker-compose up" failed: ERROR: for gateway  Cannot start: address already in use',
    );
    expect(error).toMatchObject({ code: 'CONTROL_FAILED' });
    expect(error.lastLines).toHaveLength(3);
  });
});

const DELIVERY = {
  Id: 'abc',
  Image: 'sha256:123',
  State: { Running: true, ExitCode: 0, Pid: 42 },
  HostConfig: { NanoCpus: 300_000_000 },
  Config: {
    Image: 'bottleneck-lab/delivery:local',
    Env: ['DATA_SEED=1', 'KEY=a=b'],
    Labels: { 'com.docker.compose.service': 'delivery' },
  },
  NetworkSettings: {
    Ports: { '8080/tcp': [{ HostIp: '127.0.0.1', HostPort: '49153' }], '9090/tcp': null },
  },
};

describe('composeProject', () => {
  const project = (answers: Record<string, string>) => {
    const { calls, run } = recorded(answers);
    const command = { program: 'docker', prefix: ['compose'] };
    return { calls, project: composeProject({ command, name: 'p', run }) };
  };

  const FILES = '--project-name p --file \\S+compose\\.yaml --file \\S+compose\\.lab\\.yaml';

  it('starts services from both files, under its name, with its variables', async () => {
    const { calls, project: p } = project({});
    await p.up(['seed', 'gateway'], { variables: { LAB_PORT: '0' } });
    expect(calls[0]?.line).toMatch(new RegExp(`^docker compose ${FILES} up --detach seed gateway$`));
    expect(calls[0]?.env).toEqual({ LAB_PORT: '0' });
  });

  it('adds containers of one service beside those that run, and removes others in order', async () => {
    const { calls, project: p } = project({});
    await p.scale('drone-utilization', { containers: 2, variables: { QUERY_FANOUT: 'parallel' } });
    expect(calls[0]?.line).toMatch(
      new RegExp(
        `^docker compose ${FILES} up --detach --no-deps --no-recreate --scale drone-utilization=2 drone-utilization$`,
      ),
    );
    expect(calls[0]?.env).toEqual({ QUERY_FANOUT: 'parallel' });
    await p.remove(['abc', 'def']);
    await p.remove([]);
    expect(calls.slice(1).map(({ line }) => line)).toEqual([
      'docker stop --time 20 abc def',
      'docker rm abc def',
    ]);
  });

  it('reads what a container has: limit, variables, addresses', async () => {
    const { project: p } = project({
      'docker ps': 'abc\n',
      'docker inspect abc': JSON.stringify([DELIVERY]),
    });
    expect(await p.containers()).toEqual([
      {
        service: 'delivery',
        id: 'abc',
        imageId: 'sha256:123',
        image: 'bottleneck-lab/delivery:local',
        running: true,
        exitCode: 0,
        pid: 42,
        cpus: 0.3,
        env: { DATA_SEED: '1', KEY: 'a=b' },
        urls: { 8080: 'http://127.0.0.1:49153' },
      },
    ]);
  });

  it('has no containers when the engine lists none', async () => {
    expect(await project({ 'docker ps': '' }).project.containers()).toEqual([]);
  });

  it('sets a limit in the four digits that a calibration has', async () => {
    const { calls, project: p } = project({});
    await p.setCpus(['abc', 'def'], 0.284_567);
    expect(calls[0]?.line).toBe('docker update --cpus 0.2846 abc def');
  });

  it('names what is missing: a container that does not run, a port that is not published', async () => {
    const { project: p } = project({ 'docker ps': 'abc', 'docker inspect': JSON.stringify([DELIVERY]) });
    await expect(serviceOf(p, 'gateway')).rejects.toMatchObject({ code: 'PROCESS_DIED' });
    const delivery = await serviceOf(p, 'delivery');
    expect(urlOf(delivery, 8080)).toBe('http://127.0.0.1:49153');
    expect(() => urlOf(delivery, 9090)).toThrow('port 9090 of delivery is not published');
  });
});
