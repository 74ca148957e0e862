import { expect, test } from 'vitest';
import { summaryExport } from '../../../loadtests/src/engine/results/summary-export.js';
import { writeSummary } from '../../../loadtests/src/engine/results/summary-files.js';
import { summaryText } from '../../../loadtests/src/engine/results/summary-text.js';
import { readSummaryExport } from '../../../loadtests/src/summary-file.js';
import { runScript, type ScriptResult } from './script-run.js';

const SCRIPT = `
  import { check, group, sleep } from 'k6';
  import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
  const wait = new Trend('wait', true);
  const items = new Counter('items');
  const level = new Gauge('level');
  const good = new Rate('good');
  export const options = {
    iterations: 4,
    summaryTrendStats: ['avg', 'p(99)', 'count'],
    thresholds: {
      wait: ['avg<100', 'p(99)<10'],
      good: ['rate>0.5'],
      'items{step:1}': [],
      'wait{step:9}': [],
    },
  };
  export function setup() { return { ready: true }; }
  export default async function () {
    wait.add(10 * (__ITER + 1));
    items.add(3, { step: 1 });
    level.add(__ITER);
    good.add(__ITER > 0);
    group('orders', () => check(1, { one: true, two: __ITER === 0 }));
    await sleep(1);
  }`;

const run = (): Promise<ScriptResult> => runScript(SCRIPT);

test("handleSummary's data has the shape of k6", async () => {
  const { summary } = await run();
  expect(summary.state).toEqual({ isStdOutTTY: false, isStdErrTTY: false, testRunDurationMs: 4_000 });
  expect(summary.options).toEqual({
    summaryTrendStats: ['avg', 'p(99)', 'count'],
    summaryTimeUnit: '',
    noColor: true,
  });
  expect(summary.setup_data).toEqual({ ready: true });
  expect(summary.metrics.wait).toEqual({
    type: 'trend',
    contains: 'time',
    values: { avg: 25, 'p(99)': expect.closeTo(39.7, 9), count: 4 },
    thresholds: { 'avg<100': { ok: true }, 'p(99)<10': { ok: false } },
  });
  expect(summary.metrics.items).toEqual({
    type: 'counter',
    contains: 'default',
    values: { count: 12, rate: 3 },
  });
  expect(summary.metrics.level?.values).toEqual({ value: 3, min: 0, max: 3 });
  expect(summary.metrics.good?.values).toEqual({ rate: 0.75, passes: 3, fails: 1 });
  expect(summary.metrics['items{step:1}']).toEqual({
    type: 'counter',
    contains: 'default',
    values: { count: 12, rate: 3 },
  });
  expect(summary.metrics['wait{step:9}']?.values).toEqual({ avg: 0, 'p(99)': 0, count: 0 });
  expect(summary.root_group).toMatchObject({
    name: '',
    path: '',
    id: 'd41d8cd98f00b204e9800998ecf8427e',
    checks: [],
  });
  expect(summary.root_group.groups).toMatchObject([
    {
      name: 'orders',
      path: '::orders',
      checks: [
        { name: 'one', path: '::orders::one', passes: 4 },
        { name: 'two', passes: 1, fails: 3 },
      ],
    },
  ]);
  expect(Object.keys(summary.metrics)).not.toContain('http_reqs');
});

test('the exported summary has the older shape: flat, rates as value, a kept threshold is false', async () => {
  const exported = summaryExport((await run()).summary) as Record<string, Record<string, unknown>>;
  expect(exported.metrics?.wait).toEqual({
    avg: 25,
    'p(99)': expect.closeTo(39.7, 9),
    count: 4,
    thresholds: { 'avg<100': false, 'p(99)<10': true },
  });
  expect(exported.metrics?.good).toEqual({
    value: 0.75,
    passes: 3,
    fails: 1,
    thresholds: { 'rate>0.5': false },
  });
  expect(exported.root_group?.groups).toMatchObject({ orders: { checks: { one: { passes: 4, fails: 0 } } } });
  expect(exported.setup_data).toEqual({ ready: true });
});

test('reading the exported summary gives back values, thresholds and checks', async () => {
  const { summary } = await run();
  const definitions = new Map([['wait', { name: 'wait', type: 'trend', contains: 'time' }]]);
  const read = readSummaryExport(JSON.parse(JSON.stringify(summaryExport(summary))), definitions);
  expect(read.metrics.wait).toEqual({ ...summary.metrics.wait });
  expect(read.metrics.good).toMatchObject({
    values: summary.metrics.good?.values,
    thresholds: { 'rate>0.5': { ok: true } },
  });
  expect(read.metrics.level).toMatchObject({ values: { value: 3, min: 0, max: 3 }, thresholds: {} });
  expect(read.checks).toEqual([
    { name: 'orders > one', passes: 4, fails: 0 },
    { name: 'orders > two', passes: 1, fails: 3 },
  ]);
});

test('the text names thresholds, checks and metrics, without colours when asked', async () => {
  const text = summaryText((await run()).summary);
  expect(text).toContain("✗ 'p(99)<10' p(99)=39.7ms");
  expect(text).toContain("✓ 'rate>0.5' rate=75.00%");
  expect(text).toContain('✗ orders > two (25%: 1 passed, 3 failed)');
  expect(text).toMatch(/items\.+: 12 {2}3\/s/);
  expect(text).toMatch(/{ step:1 }\.+: 12 {2}3\/s/);
  expect(text).toMatch(/iteration_duration\.+: avg=1s/);
  expect(text.includes('\u001b')).toBe(false);
});

test('what handleSummary returns goes to streams and files; what cannot be written is reported', () => {
  const written: string[] = [];
  writeSummary(
    { stdout: 'out', stderr: 'err', '/nowhere/at/all.json': '{}', bad: 42 },
    {
      stdout: (text) => written.push(`out:${text}`),
      stderr: (text) => written.push(`err:${text}`),
      failed: (message) => written.push(`failed:${message}`),
    },
  );
  expect(written).toEqual([
    'out:out',
    'err:err',
    expect.stringContaining('failed:handleSummary(): ENOENT'),
    "failed:handleSummary(): 'bad' must be text or an ArrayBuffer",
  ]);
});
