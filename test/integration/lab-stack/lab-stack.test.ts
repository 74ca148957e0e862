import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { INTERNAL_ROUTES, ROUTES } from '@bottleneck-lab/contracts';
import { startCosmosEmulator } from '@bottleneck-lab/cosmos-emulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isProcessAlive } from '../../../lab/src/stack/file-lock.js';
import { type HttpStatusError, requestJson } from '../../../lab/src/supervisor/http-json.js';
import { lab, startLab } from './lab-process.js';

/** Starting takes some seconds and a calibration; the machine of a test may be busy. */
const PATIENCE_MS = 180_000;
const INVOICE = `${ROUTES.invoices}?ownerId=o000042&year=2019&month=7`;

interface Status {
  state: string;
  pid: number;
  gatewayUrl: string;
  calibration: { ceilingRequestsPerSecond: number; deliveryCpuLimitCores: number };
  processes: { name: string; pid: number; internalUrl: string | null; instance: string }[];
}

let folder: string;
const stateDir = (name = 'first') => path.join(folder, name);
const runsDir = () => path.join(folder, 'runs');
const inState = (name = 'first') => ({ LAB_STATE_DIR: stateDir(name) });

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lab-stack-'));
});
afterAll(async () => {
  for (const name of ['first', 'second', 'account']) await lab(['down'], inState(name));
  rmSync(folder, { recursive: true });
}, PATIENCE_MS);

async function up(name = 'first', args: string[] = [], env: Record<string, string> = {}): Promise<Status> {
  const { code, stdout, stderr } = await lab(['up', '--json', ...args], { ...inState(name), ...env });
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

const status = async (name = 'first'): Promise<Status> =>
  JSON.parse((await lab(['status', '--json'], inState(name))).stdout);

const pidsOf = ({ pid, processes }: Status) => [pid, ...processes.map((one) => one.pid)];

const runFolders = () => (existsSync(runsDir()) ? readdirSync(runsDir()) : []);

describe('a stack', () => {
  it(
    'starts, answers, refuses a second start, and is calibrated',
    async () => {
      const running = await up();
      expect(running.state).toBe('ready');
      expect(running.processes.map(({ name }) => name).sort()).toEqual(
        ['cosmos-emulator', 'delivery', 'drone-utilization', 'gateway', 'package'].sort(),
      );
      expect(running.calibration.ceilingRequestsPerSecond).toBeGreaterThan(90);
      expect(running.calibration.ceilingRequestsPerSecond).toBeLessThan(108);
      expect(await requestJson(running.gatewayUrl + INVOICE)).toMatchObject({
        deliveries: { count: expect.any(Number) },
        drones: { traveledMiles: expect.any(Number) },
        packages: { totalWeight: expect.any(Number) },
      });
      const again = await lab(['up'], inState());
      expect(again.code).toBe(3);
      expect(again.stderr).toContain('already running');
      expect(again.stderr).toContain('lab down');
    },
    PATIENCE_MS,
  );

  it('keeps its token to its owner', async () => {
    const file = path.join(stateDir(), 'stack.json');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    const { controlUrl, token } = JSON.parse(readFileSync(file, 'utf8'));
    expect(JSON.stringify(await status())).not.toContain(token);
    expect(JSON.stringify(await status())).not.toContain('controlToken');

    const answer = (url: string, headers: Record<string, string>, options: { body?: unknown } = {}) =>
      requestJson(controlUrl + url, {
        headers,
        ...(options.body === undefined ? {} : { method: 'POST', body: options.body }),
      }).then(
        () => 200,
        (error: HttpStatusError) => error.status,
      );
    const authorization = { authorization: `Bearer ${token}` };
    expect(await answer('/status', {})).toBe(401);
    expect(await answer('/status', { authorization: 'Bearer no' })).toBe(401);
    expect(await answer('/nothing', authorization)).toBe(404);
    expect(await answer('/knobs', authorization, { body: { knobs: { ruPerSecond: 1 } } })).toBe(400);
    expect(await answer('/knobs', authorization, { body: 'x'.repeat(70_000) })).toBe(400);
    expect(await answer('/status', authorization)).toBe(200);
  });

  it(
    'runs a scenario on what is running: stdout is the result, files are whole',
    async () => {
      const before = await status();
      const args = ['run', 'parallel', '--duration', '6', '--json', '--runs-dir', runsDir()];
      const { code, stdout, stderr } = await lab(args, inState());
      // 5: another test kept the machine busy, which the run reports.
      expect([0, 5], stderr).toContain(code);
      const result = JSON.parse(stdout);
      expect(result).toMatchObject({
        status: 'complete',
        scenario: { name: 'parallel' },
        plannedSeconds: 6,
        target: { kind: 'local', calibrated: true, database: 'stand-in' },
        knobs: { ruPerSecond: 2_500, burstSeconds: 0.125 },
      });
      expect(result.id).toMatch(/^\d{8}T\d{6}Z-parallel-[0-9a-f]{4}$/);
      expect(result.measures['cosmos.queriesPerOperation']).toBeCloseTo(9, 6);
      expect(result.measures['client.errors']).toBe(0);
      expect(stderr).toMatch(/ 5 s of 6 +\d+ users/);
      expect(stderr).toContain('drone-utilization replaced: parallel');
      expect(readdirSync(path.join(runsDir(), result.id)).sort()).toEqual([
        'load-summary.json',
        'recording.json',
        'report.html',
        'report.md',
        'result.json',
        'rows.ndjson.gz',
        'series.csv',
      ]);
      // Only what had to change was replaced, and the stack runs on.
      const after = await status();
      const instances = (one: Status) =>
        one.processes.filter(({ name }) => name !== 'drone-utilization').map(({ instance }) => instance);
      expect(instances(after)).toEqual(instances(before));
      expect(after.state).toBe('ready');
    },
    PATIENCE_MS,
  );

  it(
    'is loaded as it is when attached to',
    async () => {
      const before = await status();
      const stats = before.processes.flatMap(({ name, internalUrl }) =>
        internalUrl === null ? [] : ['--stats-url', `${name}=${internalUrl}`],
      );
      const { code, stdout, stderr } = await lab(
        [
          ...['run', 'throttled', '--target', 'attach', '--gateway-url', before.gatewayUrl, ...stats],
          ...['--duration', '5', '--json', '--runs-dir', runsDir()],
        ],
        inState(),
      );
      expect([0, 5], stderr).toContain(code);
      const result = JSON.parse(stdout);
      expect(result.target).toMatchObject({ kind: 'attach', calibrated: false });
      expect(result.target.capabilities.ruPerSecond).toEqual({
        available: false,
        reason: expect.stringContaining('attached'),
      });
      expect(result.measures['delivery.meanMs']).toBeGreaterThan(0);
      expect(pidsOf(await status())).toEqual(pidsOf(before));
    },
    PATIENCE_MS,
  );

  it(
    'names a process that dies under load, ends the run as broken, and is failed afterwards',
    async () => {
      const args = ['run', 'serial', '--duration', '60', '--json', '--runs-dir', runsDir()];
      const run = startLab(args, inState());
      await run.says('5 s of 60');
      const { processes } = await status();
      process.kill(processes.find(({ name }) => name === 'package')?.pid as number, 'SIGKILL');
      const { code, stdout, stderr } = await run.exited;
      expect(code, stderr).toBe(4);
      expect(stderr).toContain('was killed by SIGKILL; the run ends');
      expect(stderr).toContain('"msg":"listening"');
      const result = JSON.parse(stdout);
      expect(result).toMatchObject({ status: 'broken', reason: 'package was killed by SIGKILL' });
      expect(result.validity.valid).toBe(false);
      for (const report of ['report.md', 'report.html']) {
        expect(existsSync(path.join(runsDir(), result.id, report))).toBe(true);
      }

      expect((await status()).state).toBe('failed');
      const next = await lab(['run', 'serial', '--runs-dir', runsDir()], inState());
      expect(next.code).toBe(3);
      expect(next.stderr).toContain('package was killed by SIGKILL');
      expect(await lab(['down', '--json'], inState())).toMatchObject({ code: 0 });
    },
    PATIENCE_MS,
  );

  it(
    'takes its children with it, even when it is killed, and the next one finds no trace',
    async () => {
      const running = await up();
      const pids = pidsOf(running);
      expect(pids.every(isProcessAlive)).toBe(true);
      process.kill(running.pid, 'SIGKILL');
      await expect.poll(() => pids.filter(isProcessAlive), { timeout: 10_000 }).toEqual([]);
      expect((await status()).state).toBe('stopped');
      const next = await up();
      expect(next.pid).not.toBe(running.pid);
      expect((await lab(['down'], inState())).stdout).toBe('stopped\n');
      await expect.poll(() => pidsOf(next).filter(isProcessAlive), { timeout: 10_000 }).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    'interrupted under load: keeps and marks what was measured, and leaves no process',
    async () => {
      const before = runFolders();
      const run = startLab(
        ['run', 'serial', '--duration', '60', '--json', '--runs-dir', runsDir()],
        inState(),
      );
      await run.says('5 s of 60');
      const pids = pidsOf(await status());
      run.interrupt();
      const { code, stdout, stderr } = await run.exited;
      expect(code, stderr).toBe(130);
      const result = JSON.parse(stdout);
      expect(result.status).toBe('interrupted');
      expect(result.measuredSeconds).toBeGreaterThanOrEqual(4);
      expect(runFolders().filter((name) => !before.includes(name))).toEqual([result.id]);
      expect(pids.filter(isProcessAlive)).toEqual([]);
      expect((await status()).state).toBe('stopped');
    },
    PATIENCE_MS,
  );

  it(
    'interrupted while starting: nothing is left',
    async () => {
      const run = startLab(['run', 'serial', '--duration', '5', '--runs-dir', runsDir()], inState());
      await run.says('database');
      run.interrupt();
      const { code, stdout } = await run.exited;
      expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
      expect((await status()).state).toBe('stopped');
      expect(readdirSync(stateDir()).filter((name) => name.endsWith('.lock'))).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    'names a busy port',
    async () => {
      const server = http.createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as { port: number };
      const { code, stderr } = await lab(['up', '--port', String(port)], inState());
      expect(code).toBe(3);
      expect(stderr).toContain(`port ${port} on 127.0.0.1 is in use; choose another with --port`);
      await new Promise((resolve) => server.close(resolve));
    },
    PATIENCE_MS,
  );

  it('does not trust a damaged state file', async () => {
    writeFileSync(path.join(stateDir(), 'stack.json'), '{"version":1,');
    const { code, stderr } = await lab(['status'], inState());
    expect(code).toBe(3);
    expect(stderr).toContain('stack.json is damaged');
    rmSync(path.join(stateDir(), 'stack.json'));
  });
});

describe('two stacks on one host', () => {
  it(
    'live beside each other, one on the stand-in and one on an account, and end on their own',
    async () => {
      // As an account in Azure would be: started elsewhere, with a key of its own, and throttled only when it runs.
      await using account = await startCosmosEmulator({ throttling: false });
      const endpoint = account.endpoint.replace(/\/$/, '');
      const wrong = await lab(['up', '--cosmos-endpoint', endpoint], {
        ...inState('account'),
        COSMOS_KEY: Buffer.from('wrong').toString('base64'),
      });
      expect(wrong.code).toBe(3);
      expect(wrong.stderr).toContain('refused the key in COSMOS_KEY (401)');

      const key = { COSMOS_KEY: account.key };
      const [second, onAccount] = await Promise.all([
        up('second'),
        up('account', ['--cosmos-endpoint', endpoint], key),
      ]);
      expect(new URL(second.gatewayUrl).port).not.toBe(new URL(onAccount.gatewayUrl).port);
      expect(onAccount.processes.map(({ name }) => name)).not.toContain('cosmos-emulator');
      const [one, other] = await Promise.all([
        requestJson(second.gatewayUrl + INVOICE),
        requestJson(onAccount.gatewayUrl + INVOICE),
      ]);
      expect(one).toEqual(other);

      await lab(['down'], inState('second'));
      expect(await requestJson(onAccount.gatewayUrl + INTERNAL_ROUTES.ready)).toMatchObject({
        status: 'ready',
      });
      expect((await status('account')).state).toBe('ready');
      await lab(['down'], inState('account'));

      // The data is there the second time.
      const again = await lab(['up', '--cosmos-endpoint', endpoint], { ...inState('account'), ...key });
      expect(again.code, again.stderr).toBe(0);
      expect(again.stderr).toContain('already there');
      await lab(['down'], inState('account'));
    },
    PATIENCE_MS,
  );
});
