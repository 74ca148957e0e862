#!/usr/bin/env node
// Stands in for k6 where k6 is not installed: takes its flags, writes files in its shapes, and ends as it ends.
// It writes down how it was called; STAND_IN (given with -e) says how it should behave.
import { appendFileSync, writeFileSync } from 'node:fs';

const [command, ...args] = process.argv.slice(2);
if (command === 'version') {
  process.stdout.write(`k6 v${process.env.STAND_IN_VERSION ?? '2.2.0'} (commit/abc, go1.25, linux/amd64)\n`);
  process.exit(0);
}
const value = (flag) => args[args.indexOf(flag) + 1];
const variables = Object.fromEntries(
  args.flatMap((arg, i) => (arg === '-e' ? [args[i + 1].split(/=(.*)/s).slice(0, 2)] : [])),
);
writeFileSync(variables.CALL_FILE, JSON.stringify({ command, args, env: process.env }));
const points = value('--out').replace(/^json=/, '');

const time = (ms) => new Date(ms).toISOString().replace('Z', '456789Z');
const point = (metric, ms, value_, tags) =>
  `${JSON.stringify({ metric, type: 'Point', data: { time: time(ms), value: value_, tags } })}\n`;
const definition = (name, type, contains = 'default') =>
  `${JSON.stringify({ type: 'Metric', data: { name, type, contains, thresholds: [], submetrics: null }, metric: name })}\n`;

const startMs = Math.ceil(Date.now() / 1000) * 1000 - 3000;
const tags = { scenario: 'load', step: '1', group: '', status: '200', method: 'GET' };

function writePoints() {
  appendFileSync(points, definition('http_req_duration', 'trend', 'time') + definition('vus', 'gauge'));
  appendFileSync(points, point('http_req_duration', startMs - 500, 99, { group: '::setup' }));
  appendFileSync(
    points,
    point('load_start_ms', startMs, startMs, tags) + point('step_seconds', startMs, 2, tags),
  );
  for (const second of [0, 1]) {
    appendFileSync(points, point('vus', startMs + second * 1000 + 1, second + 1, {}));
    for (const ms of [10, 20]) {
      appendFileSync(points, point('http_req_duration', startMs + second * 1000 + 100, ms, tags));
      appendFileSync(points, point('http_req_failed', startMs + second * 1000 + 100, 0, tags));
    }
  }
}

function writeSummary() {
  const metrics = {
    http_req_duration: { avg: 15, 'p(95)': 20, thresholds: { 'p(95)<10': true, 'avg<500': false } },
    http_req_failed: { value: 0, passes: 0, fails: 4 },
  };
  const checks = {
    'status is 200': { name: 'status is 200', path: '::status is 200', id: 'x', passes: 4, fails: 0 },
  };
  writeFileSync(
    value('--summary-export'),
    JSON.stringify({ metrics, root_group: { name: '', groups: {}, checks } }),
  );
  process.stdout.write('the end-of-test text\n');
}

const endings = {
  thresholds: () => {
    writePoints();
    writeSummary();
    process.exitCode = 99;
  },
  passed: () => {
    writePoints();
    writeSummary();
  },
  exception: () => {
    process.stderr.write(
      'time="..." level=error msg="Error: not ready at setup (file:///step-load.ts:1:1)"\n',
    );
    process.exitCode = 107;
  },
  endless: () => {
    writePoints();
    const busy = setInterval(() => {}, 1000);
    process.on('SIGINT', () => {
      clearInterval(busy);
      writeSummary();
      process.exitCode = 105;
    });
    appendFileSync(variables.READY_FILE, 'ready');
  },
};
endings[variables.STAND_IN]();
