import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findEngine, type LoadRun, STEP_LOAD_SCRIPT, startLoad } from '@bottleneck-lab/loadtests';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { folder } from './script-command.js';

const STAND_IN = new URL('./k6-stand-in.mjs', import.meta.url);

let bin: string;
let callFile: string;

beforeEach(() => {
  bin = join(folder(), 'bin');
  mkdirSync(bin);
  callFile = join(bin, 'call.json');
  vi.stubEnv('PATH', `${bin}${delimiter}${process.env.PATH}`);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

function installStandIn(): void {
  copyFileSync(STAND_IN, join(bin, 'k6'));
  chmodSync(join(bin, 'k6'), 0o755);
}

function start(behaviour: string, outDir = folder()): LoadRun {
  const env = {
    STAND_IN: behaviour,
    CALL_FILE: callFile,
    READY_FILE: join(bin, 'ready'),
    BASE_URL: 'http://127.0.0.1:1',
    NOTE: 'a=b c',
  };
  return startLoad({ engine: 'k6', script: STEP_LOAD_SCRIPT, outDir, env, keepPoints: true });
}

describe.skipIf(process.platform === 'win32')('k6 on the PATH', () => {
  test('is called with the script, its variables and the outputs, and kept off the network', async () => {
    installStandIn();
    const outDir = folder();
    await start('passed', outDir).outcome;
    const { command, args, env } = JSON.parse(readFileSync(callFile, 'utf8'));
    expect(command).toBe('run');
    expect(args.at(-1)).toBe(STEP_LOAD_SCRIPT);
    expect(args).toEqual(
      expect.arrayContaining([
        '--quiet',
        '--no-color',
        '-e',
        'NOTE=a=b c',
        'BASE_URL=http://127.0.0.1:1',
        `json=${join(outDir, 'points.ndjson')}`,
      ]),
    );
    expect(args).not.toContain('--generator-report');
    expect(env).toMatchObject({ K6_NO_USAGE_REPORT: 'true', K6_AUTO_EXTENSION_RESOLUTION: 'false' });
  });

  test('gives the same kind of outcome: seconds, steps, summary, text', async () => {
    installStandIn();
    const outDir = folder();
    const load = start('thresholds', outDir);
    const live = [];
    for await (const second of load.seconds) live.push(second);
    const outcome = await load.outcome;
    expect(outcome).toMatchObject({
      exitCode: 99,
      meaning: 'thresholds-crossed',
      plannedSeconds: 2,
      engine: { name: 'k6', version: '2.2.0' },
      text: 'the end-of-test text\n',
      steps: [{ step: '1', seconds: 2, requests: 4, requestsPerSecond: 2, meanMs: 15 }],
    });
    const first = (outcome.loadStartMs ?? 0) / 1000;
    expect(outcome.seconds).toEqual([
      { second: first, users: 1, requests: 2, failed: 0, droppedIterations: 0, durationsMs: [10, 20] },
      { second: first + 1, users: 2, requests: 2, failed: 0, droppedIterations: 0, durationsMs: [10, 20] },
    ]);
    expect(live).toEqual(outcome.seconds);
    expect(outcome.summary).toEqual({
      metrics: {
        http_req_duration: {
          type: 'trend',
          contains: 'time',
          values: { avg: 15, 'p(95)': 20 },
          thresholds: { 'p(95)<10': { ok: false }, 'avg<500': { ok: true } },
        },
        http_req_failed: { type: '', contains: '', values: { rate: 0, passes: 0, fails: 4 }, thresholds: {} },
      },
      checks: [{ name: 'status is 200', passes: 4, fails: 0 }],
    });
    expect(existsSync(join(outDir, 'points.ndjson'))).toBe(true);
  });

  test('an exception of the script means a broken run, with what k6 said', async () => {
    installStandIn();
    const outcome = await start('exception').outcome;
    expect(outcome).toMatchObject({
      exitCode: 107,
      meaning: 'broken',
      summary: null,
      seconds: [],
      loadStartMs: null,
    });
    expect(outcome.detail).toContain('not ready at setup');
  });

  test('stopped, it is interrupted by signal and its results are kept', async () => {
    installStandIn();
    const load = start('endless');
    await vi.waitUntil(() => existsSync(join(bin, 'ready')), { timeout: 20_000 });
    await expect(load.setVus(5)).rejects.toThrow('only the built-in engine can set them while it runs');
    load.stop();
    const outcome = await load.outcome;
    expect(outcome).toMatchObject({ exitCode: 105, meaning: 'interrupted' });
    expect(outcome.seconds).toHaveLength(2);
    expect(outcome.summary?.checks).toHaveLength(1);
  });

  test('is found with its version, unless it is too old', async () => {
    installStandIn();
    expect(await findEngine('k6')).toEqual({ available: true, version: '2.2.0' });
    vi.stubEnv('STAND_IN_VERSION', '0.49.0');
    expect(await findEngine('k6')).toEqual({
      available: false,
      version: '0.49.0',
      reason: 'k6 0.49.0 is too old; version 1.0 or later is needed',
    });
    expect(await start('passed').outcome).toMatchObject({
      meaning: 'broken',
      detail: expect.stringContaining('too old'),
    });
  });
});

test('without k6 the outcome says so and where to get it', async () => {
  vi.stubEnv('PATH', bin);
  expect(await findEngine('k6')).toMatchObject({
    available: false,
    reason: expect.stringContaining('k6 is not on the PATH'),
  });
  expect(await start('passed').outcome).toMatchObject({
    exitCode: 255,
    meaning: 'broken',
    detail: expect.stringContaining('k6 is not on the PATH'),
  });
});

test('the built-in engine is always there', async () => {
  expect(await findEngine('builtin')).toEqual({
    available: true,
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  });
});
