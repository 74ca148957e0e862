import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRun, readResult } from '../../../lab/src/results/index.js';
import { childPids } from '../../../lab/src/runner/machine-sampler.js';
import { isProcessAlive } from '../../../lab/src/stack/file-lock.js';
import { lab } from '../lab-stack/lab-process.js';
import { type ConsoleProcess, startConsole } from './console-process.js';

const PATIENCE_MS = 180_000;

interface Status {
  state: string;
  pid: number;
  load: { run: string; pid: number } | null;
  processes: { pid: number }[];
}

let folder: string;
let runsDir: string;
const env = () => ({ LAB_STATE_DIR: path.join(folder, 'state') });

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lab-ending-'));
  runsDir = path.join(folder, 'runs');
});
afterAll(async () => {
  await lab(['down'], env());
  rmSync(folder, { recursive: true, force: true });
}, PATIENCE_MS);

const open = (...args: string[]) => startConsole(['--port', '0', '--runs-dir', runsDir, ...args], env());
const status = async (): Promise<Status> => JSON.parse((await lab(['status', '--json'], env())).stdout);
const names = () => (existsSync(runsDir) ? readdirSync(runsDir) : []);

/** Starts a run from the console and waits until its load has lasted for two seconds. */
async function loaded({ url }: ConsoleProcess): Promise<void> {
  const body = JSON.stringify({ scenario: 'throttled', seconds: 120 });
  const headers = { 'content-type': 'application/json' };
  const started = await fetch(new URL('api/run', url), { method: 'POST', headers, body });
  expect(started.status).toBe(202);
  const points = async () => {
    const state = (await (await fetch(new URL('api/state', url))).json()) as {
      run: { points: unknown[]; detail: string };
    };
    return state.run.points.length;
  };
  await expect.poll(points, { timeout: PATIENCE_MS, interval: 200 }).toBeGreaterThan(1);
}

const gone = (pids: readonly number[]) =>
  expect.poll(() => pids.filter(isProcessAlive), { timeout: 30_000 }).toEqual([]);

describe('a console that ends while a run goes on', () => {
  it(
    'by SIGTERM, on a stack of its own: the run is written as interrupted, and nothing is left running',
    async () => {
      const console = await open('--no-telemetry');
      await loaded(console);
      const { pid, processes, load } = await status();
      expect(load?.pid).toBe(console.pid);
      const pids = [pid, ...processes.map((one) => one.pid), ...childPids(console.pid)];
      expect(await console.terminate()).toBe(0);
      await gone(pids);
      const result = readResult(findRun(runsDir, 'latest'));
      expect(result).toMatchObject({ status: 'interrupted', reason: 'the console was ended' });
      expect(result.id).toBe(load?.run);
      expect(names()).toEqual([result.id]);
    },
    PATIENCE_MS,
  );

  it(
    'by SIGKILL, on a stack of its own: its children notice and end',
    async () => {
      const before = names();
      const console = await open('--no-telemetry');
      await loaded(console);
      const { pid, processes } = await status();
      const pids = [pid, ...processes.map((one) => one.pid), ...childPids(console.pid)];
      await console.kill();
      await gone(pids);
      expect(names()).toEqual(before);
    },
    PATIENCE_MS,
  );

  it(
    'by SIGKILL, on a stack that goes on: that is ready for the next run at once',
    async () => {
      const { code, stderr } = await lab(['up', '--telemetry', '--runs-dir', runsDir], env());
      expect(code, stderr).toBe(0);
      const console = await open();
      await loaded(console);
      const engines = childPids(console.pid);
      expect(engines.length).toBeGreaterThan(0);
      await console.kill();
      await gone(engines);
      await expect.poll(async () => (await status()).load, { timeout: 30_000 }).toBeNull();
      expect((await status()).state).toBe('ready');

      const again = await open();
      const next = await lab(['run', 'throttled', '--duration', '5', '--json', '--runs-dir', runsDir], env());
      // 5: another test kept the machine busy.
      expect([0, 5], next.stderr).toContain(next.code);
      const { id } = JSON.parse(next.stdout) as { id: string };
      const followed = async () => {
        const { run } = (await (await fetch(new URL('api/state', again.url))).json()) as {
          run: { id: string; state: string } | null;
        };
        return `${run?.id} ${run?.state}`;
      };
      await expect.poll(followed, { timeout: 60_000 }).toBe(`${id} complete`);
      expect(await again.stop()).toBe(0);
      expect((await status()).state).toBe('ready');
      expect(names().filter((name) => name.startsWith('.'))).toEqual([]);
    },
    PATIENCE_MS,
  );
});
