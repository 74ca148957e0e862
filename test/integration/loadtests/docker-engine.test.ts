import { chmodSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findEngine, STEP_LOAD_SCRIPT, startLoad } from '@bottleneck-lab/loadtests';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { folder } from './script-command.js';

const STAND_IN = new URL('./docker-stand-in.mjs', import.meta.url);

let bin: string;

beforeEach(() => {
  bin = join(folder(), 'bin');
  mkdirSync(bin);
  vi.stubEnv('PATH', `${bin}${delimiter}${process.env.PATH}`);
  vi.stubEnv('K6_IMAGE', undefined);
  vi.stubEnv('DOCKER_CALLS', join(bin, 'calls'));
});

afterEach(() => {
  vi.unstubAllEnvs();
});

function install(state: string): void {
  copyFileSync(STAND_IN, join(bin, 'docker'));
  chmodSync(join(bin, 'docker'), 0o755);
  vi.stubEnv('DOCKER_STATE', state);
}

function calls(): string[][] {
  return readFileSync(join(bin, 'calls'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe.skipIf(process.platform === 'win32')('k6 in a container', () => {
  test('is found with the version of the pinned image', async () => {
    install('ready');
    expect(await findEngine('docker')).toEqual({ available: true, version: '2.2.0' });
    expect(calls()).toContainEqual(['image', 'inspect', '--format', '{{.Id}}', 'grafana/k6:2.2.0']);
  });

  test("takes another image, of a mirror's, from K6_IMAGE or from its name", async () => {
    install('ready');
    vi.stubEnv('K6_IMAGE', 'mirror.example.com/grafana/k6:2.2.0');
    await findEngine('docker');
    await findEngine('docker=localhost:5000/k6@sha256:abc');
    const images = calls()
      .filter(([command]) => command === 'image')
      .map((args) => args.at(-1));
    expect(images).toEqual(['mirror.example.com/grafana/k6:2.2.0', 'localhost:5000/k6@sha256:abc']);
    vi.stubEnv('K6_IMAGE', '--privileged');
    expect(await findEngine('docker')).toMatchObject({
      reason: expect.stringContaining("'--privileged' is no image"),
    });
  });

  test('pulls an image that is missing, and says so first', async () => {
    install('absent');
    const fetched: string[] = [];
    expect(await findEngine('docker', { onFetch: (image) => fetched.push(image) })).toMatchObject({
      available: true,
    });
    expect(fetched).toEqual(['grafana/k6:2.2.0']);
  });

  test.each([
    ['down', 'Docker does not answer: Cannot connect to the Docker daemon'],
    ['windows', 'k6 needs Linux containers'],
    ['offline', 'grafana/k6:2.2.0 is not on this machine and can not be pulled (dial tcp'],
    ['other', "'k6 version' printed no version: nginx"],
  ])('says in one line what is wrong: %s', async (state, reason) => {
    install(state);
    const found = await findEngine('docker');
    expect(found).toMatchObject({ available: false, reason: expect.stringContaining(reason) });
    expect(found.reason).not.toContain('\n');
  });

  test('that does not start is a broken run, with what Docker said', async () => {
    install('ready');
    const env = { BASE_URL: 'http://127.0.0.1:1' };
    const outcome = await startLoad({ engine: 'docker', script: STEP_LOAD_SCRIPT, outDir: folder(), env })
      .outcome;
    expect(outcome).toMatchObject({
      meaning: 'broken',
      exitCode: 1,
      engine: { name: 'docker', version: '2.2.0' },
      detail: expect.stringContaining('out of memory'),
    });
  });
});

test('without Docker the reason says so', async () => {
  vi.stubEnv('PATH', bin);
  expect(await findEngine('docker')).toEqual({ available: false, reason: 'docker is not on the PATH' });
});
