import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type EngineName, findEngine, type LoadRun, startLoad } from '@bottleneck-lab/loadtests';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { docker } from './docker.js';
import { buildK6StandIn } from './k6-stand-in.js';

const LAB = fileURLToPath(new URL('../../lab/dist/main.js', import.meta.url));
const images = inject('images');

/** Imports and opens what lies beside it, above it too, as scripts do. */
const SCRIPT = `import http from 'k6/http';
import { check, sleep } from 'k6';
import { path } from '../shared/path.ts';
const data = JSON.parse(open('./data.json'));
export const options = {
  scenarios: { load: { executor: 'constant-vus', vus: 2, duration: __ENV.DURATION || '2s' } },
  thresholds: { http_req_duration: ['p(95)<' + (__ENV.P95_MS || 5000)] },
};
export function setup() { if (__ENV.FAIL) throw new Error('no cart'); }
export default async function () {
  const response = await http.get(__ENV.BASE_URL + path + '?' + data.note);
  check(response, { 'status is 200': (r) => r.status === 200 });
  await sleep(0.02);
}`;

let folder: string;
let server: http.Server;
let url: string;
let asked: string[];
let engine: EngineName;

describe.skipIf(!images.available)('k6 in a container', () => {
  beforeAll(async () => {
    if (!images.available) return;
    engine = `docker=${await buildK6StandIn(images.base)}`;
    folder = mkdtempSync(path.join(os.tmpdir(), 'k6-containers-'));
    mkdirSync(path.join(folder, 'load'));
    mkdirSync(path.join(folder, 'shared'));
    writeFileSync(path.join(folder, 'package.json'), '{}');
    writeFileSync(path.join(folder, 'shared', 'path.ts'), "export const path: string = '/cart';");
    writeFileSync(path.join(folder, 'load', 'data.json'), '{"note":"opened"}');
    writeFileSync(path.join(folder, 'load', 'cart.ts'), SCRIPT);
    asked = [];
    server = http.createServer((request, response) => {
      asked.push(request.url ?? '');
      response.setHeader('content-type', 'application/json');
      setTimeout(
        () => response.end('{"deliveries":{"count":1},"drones":{"x":1},"packages":{"count":1}}'),
        20,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  let runs = 0;
  function start(env: Record<string, string> = {}): { load: LoadRun; outDir: string } {
    const outDir = path.join(folder, `out-${++runs}`);
    const script = path.join(folder, 'load', 'cart.ts');
    return { load: startLoad({ engine, script, outDir, env: { BASE_URL: url, ...env } }), outDir };
  }

  it('runs a script with all that it needs, as the user who asked, and gives results as the built-in engine does', async () => {
    expect(await findEngine(engine)).toEqual({ available: true, version: '2.2.0' });
    const { load, outDir } = start();
    const outcome = await load.outcome;
    expect(outcome.detail).toBe('');
    expect(outcome).toMatchObject({ meaning: 'passed', engine: { name: 'docker', version: '2.2.0' } });
    expect(new Set(asked)).toEqual(new Set(['/cart?opened']));
    const requests = outcome.seconds.reduce((sum, second) => sum + second.requests, 0);
    expect(requests).toBe(asked.length);
    expect(outcome.summary?.checks).toEqual([{ name: 'status is 200', passes: requests, fails: 0 }]);
    // The container's own time, not that of the client that looks after it.
    expect(outcome.generator.cpuMs).toBeGreaterThan(50);

    const call = JSON.parse(readFileSync(path.join(outDir, 'call.json'), 'utf8'));
    expect(call).toMatchObject({
      uid: process.getuid?.(),
      gid: process.getgid?.(),
      k6: { K6_NO_USAGE_REPORT: 'true', K6_AUTO_EXTENSION_RESOLUTION: 'false' },
    });
    expect(call.args.at(-1)).toBe('/scripts/load/cart.ts');
    expect(statSync(path.join(outDir, 'summary.json')).uid).toBe(process.getuid?.());
  });

  it('sees scripts read-only, whoever it runs as', async () => {
    const { load, outDir } = start();
    await load.outcome;
    expect(JSON.parse(readFileSync(path.join(outDir, 'call.json'), 'utf8')).scriptsWritable).toBe(false);
  });

  it('tells crossed thresholds from a run that broke', async () => {
    const crossed = await start({ P95_MS: '1' }).load.outcome;
    expect(crossed).toMatchObject({ exitCode: 99, meaning: 'thresholds-crossed' });
    expect(crossed.seconds.length).toBeGreaterThan(0);
    const broken = await start({ FAIL: '1' }).load.outcome;
    expect(broken).toMatchObject({ exitCode: 107, meaning: 'broken' });
    expect(broken.detail).toContain('no cart');
  });

  it.each([
    ['summary-denied', 0, 'left no results'],
    ['points-denied', 255, 'permission denied'],
  ])('is broken, and says so, when results could not be written: %s', async (behaviour, exitCode, said) => {
    const outcome = await start({ STAND_IN: behaviour }).load.outcome;
    expect(outcome).toMatchObject({ exitCode, meaning: 'broken', summary: null });
    expect(outcome.detail).toContain(said);
    expect(outcome.detail).toContain('permission denied');
  });

  it('stopped, keeps its results and leaves no container behind', async () => {
    const { load } = start({ DURATION: '10m' });
    for await (const { requests } of load.seconds) if (requests > 0) load.stop();
    const outcome = await load.outcome;
    expect(outcome).toMatchObject({ exitCode: 105, meaning: 'interrupted' });
    expect(outcome.summary?.checks).toHaveLength(1);
    const { stdout } = await docker(['ps', '--all', '--quiet', '--filter', `name=lab-k6-${process.pid}-`]);
    expect(stdout).toBe('');
  });

  it('is stopped too when it was told before it had begun', async () => {
    const { load } = start({ DURATION: '10m' });
    load.stop();
    expect((await load.outcome).meaning).toBe('interrupted');
  });

  it('is compared with the built-in engine on one scenario', async () => {
    const args = ['run', 'serial', '--compare-engines', '--engine', engine, '--duration', '5', '--json'];
    const child = spawn(process.execPath, [
      ...[LAB, ...args, '--target', 'attach', '--gateway-url', url],
      ...['--runs-dir', path.join(folder, 'runs')],
    ]);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text) => (stdout += text));
    child.stderr.on('data', (text) => (stderr += text));
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    // Whether two engines agree, and whether the machine was quiet enough to tell, is the machine's affair here.
    expect([0, 1, 5], stderr).toContain(code);
    const comparison = JSON.parse(stdout);
    expect(comparison).toMatchObject({ kind: 'engine-comparison', scenario: 'serial' });
    expect(comparison.runs.map(({ engine: one }: { engine: { name: string } }) => one.name)).toEqual([
      'builtin',
      'docker',
    ]);
    const shown = comparison.figures.map(({ measure, first, second }: Record<string, number>) => [
      measure,
      first !== undefined && first > 0,
      second !== undefined && second > 0,
    ]);
    expect(shown).toEqual([
      ['throughput.mean', true, true],
      ['client.p50Ms', true, true],
      ['client.p95Ms', true, true],
    ]);
    expect({ true: 0, false: 1, null: 5 }[String(comparison.agree)]).toBe(code);
  });
});
