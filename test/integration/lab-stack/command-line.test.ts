import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lab } from './lab-process.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lab-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => lab(args, { LAB_STATE_DIR: folder });

describe('a wrong command line', () => {
  it.each([
    [['strat'], ["unknown command 'strat'", 'Did you mean start?']],
    [
      ['start', '--sed', '1'],
      ["unknown option '--sed'", 'Did you mean --seed?'],
    ],
    [
      ['start', '--seed', '-1'],
      ["'--seed <number>' argument '-1'", 'from 0 to 4294967295'],
    ],
    [
      ['start', '--duration', '2'],
      ["'2'", 'from 5 to 3600'],
    ],
    [
      ['start', '--duration', '60', '--full'],
      ["'--full'", "cannot be used with option '--duration"],
    ],
    [
      ['start', '--engine', 'locust'],
      ["'locust'", 'builtin, k6'],
    ],
    [['run'], ["missing required argument 'scenario'"]],
    [
      ['run', 'throtled'],
      ['unknown scenario "throtled"', 'throttled', 'partition-key'],
    ],
    [
      ['run', 'serial', '--target', 'cloud'],
      ["'cloud'", 'local, ', 'compose, ', 'attach'],
    ],
    [['run', 'serial', '--target', 'attach'], ['--gateway-url']],
    [['run', 'serial', '--gateway-url', 'http://127.0.0.1:1'], ['--target attach']],
    [['run', 'serial', '--target', 'attach', '--gateway-url', 'ftp://x'], ['http or https URL']],
    [['run', 'serial', '--stats-url', 'billing=http://127.0.0.1:1'], ['gateway, delivery, package']],
    [['up', '--port', '70000'], ['from 0 to 65535']],
    [['up', '--cosmos-endpoint', 'http://127.0.0.1:1'], ['COSMOS_KEY']],
    [
      ['compare', 'a', 'b', '--runs-dir', '/nonexistent'],
      ['no run "a"', '"latest"'],
    ],
  ])('%j ends with 2 and says why', async (args, words) => {
    const { code, stdout, stderr } = await run(...args);
    for (const word of words) expect(stderr).toContain(word);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('leaves nothing behind', () => {
    expect(readdirSync(folder).filter((name) => name !== 'logs')).toEqual([]);
  });
});

describe('what a run would need at its end', () => {
  let file: string;
  beforeAll(() => {
    file = path.join(folder, 'a-file');
    writeFileSync(file, '');
  });
  afterAll(() => rmSync(file));

  const attached = ['run', 'serial', '--target', 'attach', '--gateway-url', 'http://127.0.0.1:1'];

  it.each([[['start']], [['run', 'serial']], [attached]])(
    '%j asks for a writable folder for runs before it starts anything',
    async (command) => {
      const { code, stdout, stderr } = await run(...command, '--runs-dir', path.join(file, 'runs'));
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^error: runs can not be written to .*a-file.runs \(ENOTDIR.*--runs-dir\n$/);
    },
  );

  it.each([[['start']], [['run', 'serial']], [attached]])(
    '%j asks for the load engine before it starts anything',
    async (command) => {
      const args = [...command, '--engine', 'k6', '--runs-dir', path.join(folder, 'runs')];
      const { code, stdout, stderr } = await lab(args, { LAB_STATE_DIR: folder, PATH: folder });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^error: --engine k6 can not be used: k6 is not on the PATH.*\n$/);
    },
  );

  it.each(['up', 'down', 'status'])('%s says that the state directory is not usable', async (command) => {
    const { code, stdout, stderr } = await run(command, '--state-dir', path.join(file, 'state'));
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/^error: the state directory .*a-file.state can not be used .*--state-dir\n$/);
  });
});

describe('commands without a stack', () => {
  it('shows help with examples and the exit codes', async () => {
    const top = await run('--help');
    expect(top.code).toBe(0);
    expect(top.stdout).toContain('130 | Interrupted');
    for (const command of ['start', 'run', 'up', 'down', 'status', 'scenarios', 'compare', 'doctor']) {
      expect(top.stdout).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
      const { code, stdout } = await run(command, '--help');
      expect(code).toBe(0);
      expect(stdout).toContain('Examples:');
    }
  });

  it('says that nothing runs', async () => {
    expect(await run('status', '--json')).toMatchObject({ code: 0, stdout: '{\n  "state": "stopped"\n}\n' });
    expect((await run('status')).stdout).toContain(`no stack is running from ${folder}`);
    const down = await run('down', '--json');
    expect(down.code).toBe(0);
    expect(JSON.parse(down.stdout)).toEqual({ stopped: false, killed: false });
  });

  it('examines the machine', async () => {
    const { code, stdout } = await run('doctor', '--json', '--runs-dir', path.join(folder, 'runs'));
    const report = JSON.parse(stdout);
    expect([0, 6]).toContain(code);
    expect(code === 6).toBe(report.level === 'fail');
    const names = report.checks.map((check: { name: string }) => check.name);
    expect(names).toEqual(expect.arrayContaining(['Node.js', 'memory', 'loopback ports', 'clock', 'build']));
    for (const check of report.checks) {
      expect(check.remedy === '').toBe(check.level === 'ok' || check.level === 'info');
    }
  });

  it('lists scenarios as a table and as JSON', async () => {
    expect((await run('scenarios')).stdout).toMatch(/^throttled +900/m);
    const { stdout } = await run('scenarios', '--json');
    expect(JSON.parse(stdout)[0]).toMatchObject({ name: 'throttled', knobs: { ruPerSecond: 900 } });
  });
});
