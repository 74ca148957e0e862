import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readXml } from '../../unit/lab-ci/xml-reader.js';

const LAB = fileURLToPath(new URL('../../../lab/dist/main.js', import.meta.url));
const SERVICE = fileURLToPath(new URL('./service.mjs', import.meta.url));

const SCRIPT = `import http from 'k6/http';
import { check } from 'k6';
import { Counter } from 'k6/metrics';
const charge = new Counter('request_charge');
export const options = { vus: 2, iterations: Number(__ENV.ITERATIONS || 40) };
export default async function () {
  const response = await http.get(__ENV.BASE_URL + '/answer');
  charge.add(Number(response.headers['X-Request-Charge']));
  check(response, { 'status is 200': (r) => r.status === 200 });
}`;

let folder: string;
let script: string;
let baseline: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lab-ci-test-'));
  script = path.join(folder, 'orders.js');
  baseline = path.join(folder, 'baseline.json');
  writeFileSync(script, SCRIPT);
  const recorded = await gate(['--target', service(5), '--baseline', baseline, '--update-baseline']);
  expect(recorded.stderr).toContain('was recorded with 6 measures');
  expect(recorded.exitCode).toBe(0);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function service(...args: number[]): string {
  return `"${process.execPath}" "${SERVICE}" ${args.join(' ')}`;
}

interface Gate {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  /** Files of the folder of results. */
  files: string[];
  read(name: string): string;
}

let gates = 0;

function start(args: readonly string[]): { child: ChildProcess; ended: Promise<Gate>; out: string } {
  const out = path.join(folder, `out-${++gates}`);
  const child = spawn(process.execPath, [LAB, 'ci', script, '--out', out, ...args]);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text) => (stdout += text));
  child.stderr.on('data', (text) => (stderr += text));
  const ended = new Promise<Gate>((resolve) => {
    child.on('close', (exitCode) => {
      const files = existsSync(out) ? readdirSync(out).sort() : [];
      resolve({
        exitCode,
        stdout,
        stderr,
        files,
        read: (name) => readFileSync(path.join(out, name), 'utf8'),
      });
    });
  });
  return { child, ended, out };
}

function gate(args: readonly string[]): Promise<Gate> {
  return start(args).ended;
}

const ALL = ['junit.xml', 'result.json', 'summary.md'];

/** Loosens the tolerances of times, which a shared machine can't promise. */
function looseBaseline(): string {
  const file = path.join(folder, 'loose.json');
  const value = JSON.parse(readFileSync(baseline, 'utf8'));
  for (const measure of Object.values(value.measures) as { kind: string; tolerance: object }[]) {
    if (measure.kind === 'time') measure.tolerance = { relativePercent: 10_000, absolute: 10_000 };
  }
  writeFileSync(file, JSON.stringify(value));
  return file;
}

describe('against a baseline', () => {
  it('passes when nothing has changed, and leaves JUnit, Markdown and JSON', async () => {
    const done = await gate(['--target', service(5), '--baseline', looseBaseline(), '--json']);
    expect(done.exitCode).toBe(0);
    expect(done.files).toEqual(ALL);
    expect(JSON.parse(done.stdout)).toEqual(JSON.parse(done.read('result.json')));
    const junit = readXml(done.read('junit.xml'));
    expect(junit.attributes).toMatchObject({ failures: '0', errors: '0' });
    const names = junit.children.flatMap(({ children }) => children.map(({ attributes }) => attributes.name));
    expect(names).toEqual(expect.arrayContaining(['request_charge.perIteration', 'status is 200']));
    expect(done.read('summary.md')).toContain('| request_charge.perIteration | 3 ');
  });

  it('fails with 1 and names what moved and by how much', async () => {
    const done = await gate(['--target', service(5, 4, 10), '--baseline', looseBaseline()]);
    expect(done.exitCode).toBe(1);
    expect(done.stderr).toContain('request_charge.perIteration rose from 3');
    expect(done.stderr).toContain('+33.3 %');
    expect(done.stderr).toContain('requests.failedPercent rose from 0 % to 10 % (allowed none)');
    const failures = readXml(done.read('junit.xml')).children.flatMap((suite) =>
      suite.children.filter(({ children }) => children[0]?.name === 'failure'),
    );
    expect(failures.map(({ attributes }) => attributes.name)).toEqual(
      expect.arrayContaining(['requests.failedPercent', 'request_charge.perIteration', 'status is 200']),
    );
  });

  it('judges counts and no times where the baseline is of another machine', async () => {
    const file = path.join(folder, 'elsewhere.json');
    const value = JSON.parse(readFileSync(baseline, 'utf8'));
    value.machine = { fingerprint: 'ffff', description: 'a machine far away' };
    writeFileSync(file, JSON.stringify(value));
    const slow = await gate(['--target', service(60), '--baseline', file]);
    expect(slow.exitCode).toBe(0);
    expect(slow.read('summary.md')).toContain('a machine far away');
    const dear = await gate(['--target', service(5, 4), '--baseline', file]);
    expect(dear.exitCode).toBe(1);
  });

  it('does not replace a baseline by a load that failed', async () => {
    const file = path.join(folder, 'kept.json');
    const before = readFileSync(baseline, 'utf8');
    writeFileSync(file, before);
    const done = await gate(['--target', service(5, 3, 4), '--baseline', file, '--update-baseline']);
    expect(done.exitCode).toBe(1);
    expect(done.stderr).toContain('was left as it was');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it.each([
    [
      'half of a baseline',
      (file: string) => writeFileSync(file, readFileSync(baseline, 'utf8').slice(0, 200)),
    ],
    ['no baseline', () => {}],
    [
      'the baseline of another script',
      (file: string) => writeFileSync(file, readFileSync(baseline, 'utf8').replace('orders.js', 'other.js')),
    ],
  ])('refuses %s with 2, before anything is loaded or written', async (name, make) => {
    const file = path.join(folder, `${name.replaceAll(' ', '-')}.json`);
    make(file);
    const done = await gate(['--target', service(5), '--baseline', file]);
    expect(done.exitCode).toBe(2);
    expect(done.stderr).toContain(file);
    expect(done.files).toEqual([]);
  });
});

describe('against another version', { timeout: 180_000 }, () => {
  const rounds = ['--rounds', '4', '-e', 'ITERATIONS=16'];

  it('catches one that is slower, and says by how much with an interval', async () => {
    const done = await gate(['--target', service(80), '--against', service(15), ...rounds, '--json']);
    expect(done.exitCode).toBe(1);
    expect(done.stderr).toMatch(
      /requests\.p50Ms is [\d.]+ % higher than against \(interval [\d.]+ to [\d,.]+ %\)/,
    );
    const { changes } = JSON.parse(done.stdout);
    expect(changes[0].lowPercent).toBeGreaterThan(0);
    expect(changes[0].pairs).toBe(4);
    expect(readXml(done.read('junit.xml')).attributes.errors).toBe('0');
  });

  it('passes two that are equal', async () => {
    // An interval misses now and then: only a change that would be half as much again counts here.
    const done = await gate([
      ...['--target', service(15), '--against', service(15), ...rounds],
      ...['--smallest-change', '50', '--confidence', '99'],
    ]);
    expect(done.exitCode).toBe(0);
    expect(done.files).toEqual(ALL);
  });
});

describe('a gate that can not judge', { timeout: 120_000 }, () => {
  it('says that nothing answers, exits with 3, and tells it in JUnit', async () => {
    const done = await gate(['--target', 'http://127.0.0.1:1', '--wait', '0']);
    expect(done.exitCode).toBe(3);
    expect(done.stderr).toContain('nothing answers at http://127.0.0.1:1');
    expect(done.files).toEqual(ALL);
    expect(readXml(done.read('junit.xml')).attributes.errors).toBe('1');
  });

  it('says what a command printed that did not start a system', async () => {
    const failing = path.join(folder, 'failing.mjs');
    writeFileSync(failing, `console.error('no such database'); process.exit(7);`);
    const done = await gate(['--target', `"${process.execPath}" "${failing}"`]);
    expect(done.exitCode).toBe(3);
    expect(done.stderr).toContain('exit code 7');
    expect(done.stderr).toContain('| no such database');
  });

  it('says why a script does not run, and exits with 4', async () => {
    const broken = path.join(folder, 'broken.js');
    writeFileSync(broken, `export default function () {}\nthrow new Error('no cart');`);
    const child = spawn(process.execPath, [
      LAB,
      'ci',
      broken,
      '--target',
      service(5),
      '--out',
      path.join(folder, 'b'),
    ]);
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(4);
    const [load] = readXml(readFileSync(path.join(folder, 'b', 'junit.xml'), 'utf8')).children;
    expect(load?.children.at(-1)?.children[0]?.text).toContain('no cart');
  });

  it('interrupted, ends with 130, leaves no half files and stops what it started', async () => {
    const pidFile = path.join(folder, 'pid');
    const noting = path.join(folder, 'noting.mjs');
    writeFileSync(
      noting,
      `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(pidFile)}, String(process.pid));\nawait import(${JSON.stringify(new URL('./service.mjs', import.meta.url).href)});`,
    );
    const { child, ended, out } = start([
      ...['--target', `"${process.execPath}" "${noting}"`],
      ...['-e', 'ITERATIONS=1000000', '--baseline', path.join(folder, 'never.json'), '--update-baseline'],
    ]);
    let told = '';
    child.stderr?.on('data', (text) => (told += text));
    await vi.waitUntil(() => told.includes('req/s'), { timeout: 40_000 });
    child.kill('SIGTERM');
    const done = await ended;
    expect(done.exitCode).toBe(130);
    expect(readdirSync(out).sort()).toEqual(ALL);
    expect(JSON.parse(done.read('result.json')).verdict).toBe('interrupted');
    readXml(done.read('junit.xml'));
    expect(existsSync(path.join(folder, 'never.json'))).toBe(false);
    expect(() => process.kill(Number(readFileSync(pidFile, 'utf8')), 0)).toThrow('ESRCH');
  });

  it.each([
    [['--baseline', 'x.json'], '--target'],
    [['--target', 'http://127.0.0.1:1', '--update-baseline'], '--baseline'],
    [['--target', 'http://127.0.0.1:1', '--rounds', '8'], '--against'],
    [['--target', 'http://127.0.0.1:1', '--duration', '10'], '--duration'],
    [['--target', 'http://127.0.0.1:1', '--against', 'x', '--baseline', 'x.json'], '--baseline'],
    [['--target', 'http://127.0.0.1:1', '--rounds', '1', '--against', 'x'], '4 to 100'],
    [['--target', 'node "open'], 'open "'],
    [['--target', 'http://127.0.0.1:1', '--baseline', `${LAB}/b.json`, '--update-baseline'], '--baseline'],
    [['--target', 'http://127.0.0.1:1', '--engine', 'wrk'], 'docker=IMAGE'],
  ])('refuses %j', async (args, named) => {
    const done = await gate(args as string[]);
    expect(done.exitCode).toBe(2);
    expect(done.stderr).toContain(named);
  });
});
