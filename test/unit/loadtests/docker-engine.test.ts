import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  containerPath,
  containerValue,
  mountArguments,
  mountsFor,
} from '../../../loadtests/src/docker/container-paths.js';
import { containerCommand } from '../../../loadtests/src/docker/docker-engine.js';
import { readDockerInfo } from '../../../loadtests/src/docker/docker-host.js';

let project: string;
let script: string;
let outDir: string;

beforeEach(() => {
  project = mkdtempSync(path.join(os.tmpdir(), 'docker-paths-'));
  mkdirSync(path.join(project, 'load', 'deep'), { recursive: true });
  writeFileSync(path.join(project, 'package.json'), '{}');
  script = path.join(project, 'load', 'deep', 'checkout.js');
  outDir = path.join(project, 'out');
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

function command(
  options: { desktop?: boolean; user?: string | undefined; env?: NodeJS.ProcessEnv; given?: object } = {},
) {
  return containerCommand({
    image: 'grafana/k6:2.2.0',
    invocation: {
      metrics: undefined,
      script,
      env: { BASE_URL: 'http://127.0.0.1:8080', ...options.given },
      files: {
        points: path.join(outDir, 'points.ndjson'),
        summaryExport: path.join(outDir, 'summary-export.json'),
        generatorReport: path.join(outDir, 'generator.json'),
      },
    },
    host: { desktop: options.desktop ?? false, rootless: false },
    name: 'lab-k6-1',
    user: 'user' in options ? options.user : '1000:1000',
    env: options.env ?? {},
  });
}

describe('the container that k6 runs in', () => {
  test('sees the project read-only, its results, and the network of a Linux machine', () => {
    expect(command().args).toEqual([
      ...['run', '--rm', '--name', 'lab-k6-1', '--network', 'host', '--user', '1000:1000'],
      ...['--mount', `type=bind,source=${project},target=/scripts,readonly`],
      ...['--mount', `type=bind,source=${outDir},target=/out`],
      ...['--env', 'K6_NO_USAGE_REPORT=true', '--env', 'K6_AUTO_EXTENSION_RESOLUTION=false'],
      'grafana/k6:2.2.0',
      ...['run', '--quiet', '--no-color', '--out', 'json=/out/points.ndjson'],
      ...['--summary-export', '/out/summary-export.json', '-e', 'BASE_URL=http://127.0.0.1:8080'],
      '/scripts/load/deep/checkout.js',
    ]);
  });

  test('reaches this machine by its name under Docker Desktop, whose network is another', () => {
    const { args } = command({ desktop: true });
    expect(args).not.toContain('--network');
    expect(args).toContain('BASE_URL=http://host.docker.internal:8080');
  });

  test('runs as whoever the image says where the system has no user numbers', () => {
    expect(command({ user: undefined }).args).not.toContain('--user');
  });

  test("gets k6's own settings of this machine without showing them, and no other variable", () => {
    const { args } = command({
      env: {
        K6_VUS: '3',
        K6_CLOUD_TOKEN: 'secret',
        K6_IMAGE: 'x',
        K6_NO_USAGE_REPORT: 'false',
        PATH: '/bin',
      },
    });
    const text = args.join(' ');
    expect(text).toContain('--env K6_VUS --env K6_CLOUD_TOKEN grafana/k6');
    expect(text).not.toMatch(/secret|K6_IMAGE|PATH|K6_NO_USAGE_REPORT=false/);
  });

  test('finds files that variables name where it has them', () => {
    const { args } = command({
      given: { PROFILE: path.join(outDir, 'a.json'), DATA: path.join(project, 'd.csv') },
    });
    expect(args).toEqual(expect.arrayContaining(['PROFILE=/out/a.json', 'DATA=/scripts/d.csv']));
  });

  test('is interrupted and removed by its name', () => {
    const { elsewhere } = command();
    expect(elsewhere?.interrupt.args).toEqual(['kill', '--signal', 'INT', 'lab-k6-1']);
    expect(elsewhere?.kill.args).toEqual(['rm', '--force', 'lab-k6-1']);
  });
});

describe('paths and addresses', () => {
  test('a script outside of any project is mounted with its own folder', () => {
    const lonely = mkdtempSync(path.join(os.tmpdir(), 'lonely-'));
    const { scripts } = mountsFor(path.join(lonely, 'a.js'), outDir);
    // Somebody's temporary folder may itself lie in a project.
    expect(lonely.startsWith(scripts.source)).toBe(true);
    rmSync(lonely, { recursive: true });
  });

  test('the innermost mount counts, and a folder beside is not inside', () => {
    const { scripts, out } = mountsFor(script, outDir);
    const mounts = [scripts, out];
    expect(containerPath(path.join(outDir, 'x', 'y'), mounts)).toBe('/out/x/y');
    expect(containerPath(script, mounts)).toBe('/scripts/load/deep/checkout.js');
    expect(containerPath(`${project}-beside`, mounts)).toBeUndefined();
    expect(containerPath(path.dirname(project), mounts)).toBeUndefined();
  });

  test.each([
    ['http://localhost:8080/a', 'http://H:8080/a'],
    ['https://127.0.0.1', 'https://H'],
    ['http://[::1]:1,http://0.0.0.0:2', 'http://H:1,http://H:2'],
    ['http://localhost.example.com', 'http://localhost.example.com'],
    ['http://127.0.0.10:1', 'http://127.0.0.10:1'],
    ['localhost', 'localhost'],
  ])('%s is %s in a virtual machine', (value, expected) => {
    expect(containerValue(value, { mounts: [], hostName: 'H' })).toBe(expected);
    expect(containerValue(value, { mounts: [], hostName: undefined })).toBe(value);
  });

  test('a comma in a path does not end a mount', () => {
    const mount = { source: '/a,b "c"', target: '/scripts', readonly: true };
    expect(mountArguments(mount)[1]).toBe('type=bind,"source=/a,b ""c""",target=/scripts,readonly');
  });
});

describe("the engine's description of itself", () => {
  const info = (changes: object) =>
    readDockerInfo(JSON.stringify({ OSType: 'linux', OperatingSystem: 'Debian', ...changes }));

  test.each([
    [{}, { host: { desktop: false, rootless: false } }],
    [{ OperatingSystem: 'Docker Desktop' }, { host: { desktop: true, rootless: false } }],
    [{ SecurityOptions: ['name=rootless'] }, { host: { desktop: false, rootless: true } }],
    [{ OSType: 'windows' }, { problem: 'Docker runs windows containers here; k6 needs Linux containers' }],
    [{ OSType: '', ServerErrors: ['Cannot connect'] }, { problem: 'Docker does not answer: Cannot connect' }],
  ])('%j', (changes, expected) => {
    expect(info(changes)).toEqual(expected);
  });

  test('no JSON is quoted', () => {
    expect(readDockerInfo('podman')).toEqual({ problem: "'docker info' gave no JSON: podman" });
  });
});
