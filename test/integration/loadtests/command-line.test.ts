import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../../loadtests/src/cli.js';
import { folder, runCommand } from './script-command.js';
import { startTarget } from './target-server.js';

const MAIN = fileURLToPath(new URL('../../../loadtests/dist/main.js', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(args: string[], { ipc = false } = {}): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? ['ipc' as const] : [])],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  );
  return { child, ended };
}

function script(source: string): string {
  const path = join(folder(), 'script.js');
  writeFileSync(path, source);
  return path;
}

async function cli(argv: string[], env: Record<string, string> = {}) {
  let stdout = '';
  let stderr = '';
  const code = await runCli(argv, {
    env,
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
    },
    stdoutIsTerminal: false,
    stderrIsTerminal: false,
    onStop: () => {},
  });
  return { code, stdout, stderr };
}

const ENDLESS = `
  import http from 'k6/http';
  import { sleep } from 'k6';
  export const options = { vus: 3, duration: '10m' };
  export default async function () { await http.get(__ENV.TARGET); await sleep(0.05); }
  export function teardown() { console.log('teardown ran'); }`;

describe('an interrupted process', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s: ends with 105 after teardown and summary, all samples written',
    async (signal) => {
      await using target = await startTarget();
      const directory = folder();
      const [points, summary] = [join(directory, 'points.ndjson'), join(directory, 'summary.json')] as const;
      const { child, ended } = start([
        'run',
        script(ENDLESS),
        '-e',
        `TARGET=${target.url}`,
        '--out',
        `json=${points}`,
        '--summary-export',
        summary,
      ]);
      await waitFor(() => target.seen.length > 5);
      child.kill(signal);
      const { code, stdout, stderr } = await ended;
      expect(code).toBe(105);
      expect(stderr).toContain('teardown ran');
      expect(stdout).toContain('http_reqs');
      const exported = JSON.parse(readFileSync(summary, 'utf8'));
      const written = readFileSync(points, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('{"metric":"http_reqs"'));
      expect(written).toHaveLength(exported.metrics.http_reqs.count);
    },
  );

  test('a message from the parent does the same, and so does its end', async () => {
    await using target = await startTarget();
    const asked = start(['run', script(ENDLESS), '-e', `TARGET=${target.url}`], { ipc: true });
    await waitFor(() => target.seen.length > 5);
    asked.child.send({ type: 'shutdown' });
    expect((await asked.ended).code).toBe(105);
    const orphan = start(['run', script(ENDLESS), '-e', `TARGET=${target.url}`], { ipc: true });
    const before = target.seen.length;
    await waitFor(() => target.seen.length > before + 5);
    const exited = new Promise((resolve) => orphan.child.once('exit', resolve));
    orphan.child.disconnect();
    expect(await exited).toBe(105);
  });
});

describe('the command line', () => {
  test('replaces the load of the script', async () => {
    const source = "export const options = { vus: 9, duration: '1h' };\nexport default function () {}";
    const byIterations = await runCommand(source, { flags: ['--iterations', '3', '--vus', '2', '--quiet'] });
    expect(byIterations.metrics.iterations?.count).toBe(3);
    const byVariable = await runCommand(source, { env: { K6_ITERATIONS: '4', K6_VUS: '1' } });
    expect(byVariable.metrics.iterations?.count).toBe(4);
    const flagWins = await runCommand(source, { env: { K6_ITERATIONS: '4' }, flags: ['-i', '2', '-u', '1'] });
    expect(flagWins.metrics.iterations?.count).toBe(2);
    const byStages = await runCommand(
      "import { sleep } from 'k6';\nexport default async function () { await sleep(0.1); }",
      {
        flags: [
          '-s',
          '200ms:2',
          '--stage',
          '300ms:0',
          '--tag',
          'build=7',
          '--summary-trend-stats',
          'max,count',
        ],
      },
    );
    expect(byStages.metrics.vus_max?.value).toBe(2);
    expect(byStages.points.every(({ data }) => data.tags.build === '7')).toBe(true);
    expect(Object.keys(byStages.metrics.iteration_duration ?? {})).toEqual(['max', 'count']);
  });

  test('gives variables: -e over the environment', async () => {
    const source =
      'export const options = { iterations: 1 };\nexport default function () { console.log(__ENV.A, __ENV.B, __ENV.C); }';
    const { stderr } = await runCommand(source, {
      env: { A: '1', B: '2' },
      flags: ['-e', 'B=x=y', '-e', 'C='],
    });
    expect(stderr).toContain('1 x=y  source=console');
  });

  test('leaves out what it is told to', async () => {
    const source = `
      export const options = { thresholds: { iterations: ['count>5'] } };
      export function setup() { console.log('setup'); } export function teardown() { console.log('teardown'); }
      export function handleSummary() { console.log('summary'); return {}; } export default function () {}`;
    const all = await runCommand(source);
    expect(all.exitCode).toBe(99);
    for (const name of ['setup', 'teardown', 'summary'])
      expect(all.stderr).toContain(`${name} source=console`);
    const none = await runCommand(source, {
      flags: ['--no-thresholds', '--no-setup', '--no-teardown', '--no-summary'],
    });
    expect(none.exitCode).toBe(0);
    expect(none.stderr).not.toContain('source=console');
  });

  test('inspect shows options, length and users without any load', async () => {
    const path = script(
      "export const options = { stages: [{ duration: '30s', target: Number(__ENV.USERS) }] };\nexport function setup() { throw new Error('not called'); }\nexport default function () {}",
    );
    const { code, stdout } = await cli(['inspect', path, '-e', 'USERS=12']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      plannedSeconds: 30,
      maxVUs: 12,
      options: { scenarios: [{ executor: 'ramping-vus' }] },
    });
  });

  test.each([
    [['run'], 104, "missing required argument 'script'"],
    [['run', 'x.js', '--vuss', '3'], 104, "unknown option '--vuss'"],
    [['run', 'x.js', '--vus', 'three'], 104, 'It must be a whole number of at least 1.'],
    [['run', 'x.js', '-e', 'NOVALUE'], 104, 'It must be NAME=VALUE.'],
    [['run', 'x.js', '--out', 'csv=x'], 104, "--out 'csv=x' is not supported; supported is json=FILE"],
    [['run', 'x.js', '--stage', '10'], 104, "stage '10' must be DURATION:VUS"],
    [['fly'], 104, "unknown command 'fly'"],
    [['run', '/nowhere.js'], 255, 'the script /nowhere.js does not exist'],
    [['inspect', '/nowhere.js'], 255, 'the script /nowhere.js does not exist'],
  ])('%j ends with %d and says why', async (argv, exitCode, message) => {
    const { code, stderr } = await cli(argv);
    expect(stderr).toContain(message);
    expect(code).toBe(exitCode);
  });

  test('an output that cannot be written is found before the load', async () => {
    const { code, stderr } = await cli([
      'run',
      script('export default function () { console.log("ran"); }'),
      '--out',
      'json=/nowhere/x',
    ]);
    expect(code).toBe(255);
    expect(stderr).toContain('the output file cannot be written');
    expect(stderr).not.toContain('ran');
  });

  test.skipIf(!existsSync('/dev/full'))(
    'an output that fills the disk ends with 255, after the summary',
    async () => {
      const { code, stdout, stderr } = await cli([
        'run',
        script('export default function () {}'),
        '--out',
        'json=/dev/full',
      ]);
      expect(code).toBe(255);
      expect(stderr).toContain('the output file is not complete: ENOSPC');
      expect(stdout).toContain('iterations');
    },
  );

  test('--help names every flag, --version the version', async () => {
    const help = await cli(['run', '--help']);
    expect(help.code).toBe(0);
    for (const flag of ['--env', '--vus', '--stage', '--out', '--summary-export', '--generator-report'])
      expect(help.stdout).toContain(flag);
    expect((await cli(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

test('a generator that cannot keep up says so in its report', async () => {
  const directory = folder();
  const report = join(directory, 'generator.json');
  const busy = script(
    "export const options = { vus: 1, duration: '4s' };\nexport default function () { const until = Date.now() + 300; while (Date.now() < until); }",
  );
  const { code, stderr } = await start(['run', busy, '--quiet', '--generator-report', report]).ended;
  expect(code).toBe(0);
  expect(stderr).toContain('the load generator was saturated');
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ saturated: true, plannedSeconds: 4 });
});

async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('interrupts that come at once are one; the test still ends in order', async () => {
  await using target = await startTarget();
  const { child, ended } = start(['run', script(ENDLESS), '-e', `TARGET=${target.url}`], { ipc: true });
  await waitFor(() => target.seen.length > 5);
  child.kill('SIGINT');
  child.send({ type: 'shutdown' });
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(105);
  expect(stderr).toContain('teardown ran');
  expect(stdout).toContain('http_reqs');
});
