import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const LAB = fileURLToPath(new URL('../../../lab/dist/main.js', import.meta.url));
const EXAMPLE = fileURLToPath(new URL('../../../docs/examples/own-service.js', import.meta.url));

let folder: string;
let server: http.Server;
let target: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lab-load-test-'));
  server = http.createServer((request, response) => {
    response.statusCode = request.url === '/' ? 200 : 404;
    response.end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

async function load(args: readonly string[]) {
  const child = spawn(process.execPath, [LAB, 'load', ...args, '--runs-dir', path.join(folder, 'runs')]);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text) => (stdout += text));
  child.stderr.on('data', (text) => (stderr += text));
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { exitCode, stdout, stderr };
}

async function script(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

const ITERATIONS = `import http from 'k6/http';
export const options = { iterations: 5, vus: 1, thresholds: { 'http_req_failed': ['rate<0.5'] } };
export default async function () { await http.get(__ENV.BASE_URL + __ENV.ROUTE); }`;

describe('lab load', () => {
  it('runs the example of the docs against a service that is not the lab', async () => {
    const { exitCode, stdout } = await load([
      EXAMPLE,
      '--target',
      target,
      '-e',
      'DURATION=1s',
      '-e',
      'USERS=1',
      '--json',
    ]);
    const result = JSON.parse(stdout);
    // A generator that shares two busy cores may find itself short of CPU (5); the answer is written all the same.
    expect([0, 1, 5]).toContain(exitCode);
    expect(result.kind).toBe('load');
    expect(result.summary.checks).toEqual([{ name: 'status is 200', passes: expect.any(Number), fails: 0 }]);
    const requests = result.seconds.reduce(
      (sum: number, second: { requests: number }) => sum + second.requests,
      0,
    );
    expect(requests).toBe(result.summary.metrics.http_reqs.values.count);
    const [run] = await readdir(path.join(folder, 'runs'));
    expect(JSON.parse(await readFile(path.join(folder, 'runs', run as string, 'load.json'), 'utf8'))).toEqual(
      result,
    );
  });

  it('names a crossed threshold and exits with 1', async () => {
    const file = await script('iterations.js', ITERATIONS);
    const kept = await load([file, '--target', target, '-e', 'ROUTE=/']);
    const crossed = await load([file, '--target', target, '-e', 'ROUTE=/missing']);
    expect([kept.exitCode, crossed.exitCode]).toEqual([0, 1]);
    expect(crossed.stderr).toContain('http_req_failed: rate<0.5');
  });

  it('says why a script does not load, and exits with 4', async () => {
    const file = await script(
      'broken.js',
      `import ws from 'k6/ws';\nexport default function () { ws.connect(); }`,
    );
    const { exitCode, stderr } = await load([file, '--target', target]);
    expect(exitCode).toBe(4);
    expect(stderr).toContain('k6/ws');
  });

  it.each([
    [['nowhere.js', '--target', 'http://127.0.0.1:1'], 'nowhere.js'],
    [[EXAMPLE], '--target'],
    [[EXAMPLE, '--target', 'here'], '--target'],
    [[EXAMPLE, '--target', 'http://127.0.0.1:1', '-e', 'USERS'], 'NAME=VALUE'],
  ])('refuses %j', async (args, named) => {
    const { exitCode, stderr } = await load(args as string[]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(named);
  });
});
