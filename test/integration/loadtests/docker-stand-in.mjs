#!/usr/bin/env node
// Stands in for the Docker client where a test must not depend on an engine: DOCKER_STATE says what it finds. It writes
// down each of its calls.
import { appendFileSync } from 'node:fs';

const args = process.argv.slice(2);
const state = process.env.DOCKER_STATE ?? 'ready';
if (process.env.DOCKER_CALLS) appendFileSync(process.env.DOCKER_CALLS, `${JSON.stringify(args)}\n`);

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

const info = { OSType: 'linux', OperatingSystem: 'Debian GNU/Linux 12', SecurityOptions: [] };
const answers = {
  info: () => {
    if (state === 'down') return fail('Cannot connect to the Docker daemon at unix:///var/run/docker.sock.');
    process.stdout.write(JSON.stringify(state === 'windows' ? { ...info, OSType: 'windows' } : info));
  },
  image: () =>
    state === 'ready' || state === 'other' ? process.stdout.write('sha256:1\n') : fail('No such image'),
  pull: () =>
    state === 'offline'
      ? fail('dial tcp: lookup registry-1.docker.io: no such host')
      : process.stdout.write('ok\n'),
  run: () => {
    if (!args.includes('version')) return fail('docker: Error response from daemon: out of memory.');
    process.stdout.write(state === 'other' ? 'nginx\n' : 'k6 v2.2.0 (commit/abc, go1.25, linux/amd64)\n');
  },
};
answers[args[0]]?.();
