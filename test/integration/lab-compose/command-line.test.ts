import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lab } from '../lab-stack/lab-process.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lab-compose-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('--target compose', () => {
  it.each([
    [['up', '--cosmos-endpoint', 'http://127.0.0.1:1'], ['--cosmos-endpoint belongs to --target local']],
    [['up', '--telemetry'], ['docs/containers.md']],
    [['up', '--no-detach'], ['--no-detach belongs to --target local']],
    [['run', 'serial', '--gateway-url', 'http://127.0.0.1:1'], ['belong to --target attach']],
    [['run', 'serial', '--compare-engines'], ['--compare-engines belongs to']],
    [['console'], ['containers have "lab run"']],
    [['mystery'], ['containers have "lab run"']],
    [['profile', 'delivery'], ['containers have "lab run"']],
    [['knob', 'ruPerSecond'], ['a value for ruPerSecond is missing']],
  ])('refuses %j', async (args, words) => {
    const { code, stdout, stderr } = await lab([...args, '--target', 'compose'], { LAB_STATE_DIR: folder });
    for (const word of words) expect(stderr).toContain(word);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it.each([
    [['up', '--target', 'compose']],
    [['down', '--target', 'compose']],
    [['status', '--target', 'compose']],
    [['knob', '--target', 'compose']],
    [['reset', '--target', 'compose']],
    [['run', 'serial', '--target', 'compose', '--runs-dir', 'RUNS']],
  ])('says what is missing where there is no engine: %j', async (args) => {
    const { code, stderr } = await lab(
      args.map((arg) => (arg === 'RUNS' ? path.join(folder, 'runs') : arg)),
      { LAB_STATE_DIR: folder, DOCKER_HOST: 'tcp://127.0.0.1:1' },
    );
    expect(stderr).toContain('no engine answers "docker info"');
    expect(code).toBe(3);
  });
});
