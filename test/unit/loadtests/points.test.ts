import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { MetricRegistry } from '../../../loadtests/src/engine/results/metric.js';
import { PointsFile } from '../../../loadtests/src/engine/results/points-file.js';
import { TagSet } from '../../../loadtests/src/engine/results/tags.js';
import { parsePointLine, parseTime } from '../../../loadtests/src/point.js';

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'points-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function write(path: string, only?: string[]): Promise<void> {
  const metrics = new MetricRegistry();
  metrics.addThresholds({ 'http_reqs{step:1}': [], http_reqs: ['count>0'] });
  const file = new PointsFile(path, only);
  metrics.listen((...sample) => file.add(...sample));
  const [reqs, vus] = ['http_reqs', 'vus'].map((name) => metrics.get(name));
  if (reqs === undefined || vus === undefined) throw new Error('both are built in');
  const tags = TagSet.root().withAll({ step: '1', group: '', name: 'GET "x"' });
  metrics.add(reqs, 1, tags, 1_700_000_000_123.456);
  metrics.add(vus, 5, TagSet.root(), 1_700_000_000_999);
  metrics.add(reqs, 1, tags, 1_700_000_001_000);
  await file.close();
}

test('a metric is defined once, before its first sample, and samples have time, value and tags', async () => {
  const path = join(folder(), 'points.ndjson');
  await write(path);
  const lines = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(lines).toEqual([
    {
      type: 'Metric',
      metric: 'http_reqs',
      data: {
        name: 'http_reqs',
        type: 'counter',
        contains: 'default',
        thresholds: ['count>0'],
        submetrics: [{ name: 'http_reqs{step:1}', suffix: 'step:1', tags: { step: '1' } }],
      },
    },
    {
      metric: 'http_reqs',
      type: 'Point',
      data: {
        time: '2023-11-14T22:13:20.123456Z',
        value: 1,
        tags: { group: '', name: 'GET "x"', step: '1' },
      },
    },
    {
      type: 'Metric',
      metric: 'vus',
      data: { name: 'vus', type: 'gauge', contains: 'default', thresholds: [], submetrics: null },
    },
    { metric: 'vus', type: 'Point', data: { time: '2023-11-14T22:13:20.999000Z', value: 5, tags: {} } },
    {
      metric: 'http_reqs',
      type: 'Point',
      data: {
        time: '2023-11-14T22:13:21.000000Z',
        value: 1,
        tags: { group: '', name: 'GET "x"', step: '1' },
      },
    },
  ]);
});

test('a name that ends in .gz is compressed', async () => {
  const path = join(folder(), 'points.ndjson.gz');
  await write(path);
  expect(gunzipSync(readFileSync(path)).toString().split('\n')).toHaveLength(6);
});

test('other metrics can be left out; their definitions stay', async () => {
  const path = join(folder(), 'points.ndjson');
  await write(path, ['vus']);
  const lines = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; metric: string });
  expect(lines.map(({ type, metric }) => `${type} ${metric}`)).toEqual([
    'Metric http_reqs',
    'Metric vus',
    'Point vus',
  ]);
});

test('a file that cannot be made is an error before the test, with exit code 255', () => {
  expect(() => new PointsFile('/nowhere/points.ndjson')).toThrow('the output file cannot be written');
  expect(() => new PointsFile('/nowhere/points.ndjson')).toThrow(expect.objectContaining({ exitCode: 255 }));
});

test('a reader understands lines of k6: nanoseconds, zones, keys in any order, no tags', () => {
  const wanted = new Set(['vus']);
  const line =
    '{"metric":"vus","type":"Point","data":{"time":"2023-11-14T23:13:20.123456789+01:00","value":7,"tags":null}}';
  expect(parsePointLine(line, wanted)).toEqual({
    point: { metric: 'vus', timeMs: expect.closeTo(1_700_000_000_123.457, 3), value: 7, tags: {} },
  });
  const other =
    '{"type":"Point","data":{"time":"2023-11-14T22:13:20Z","value":7,"tags":{"a":"b"}},"metric":"vus"}';
  expect(parsePointLine(other, wanted)).toMatchObject({
    point: { timeMs: 1_700_000_000_000, tags: { a: 'b' } },
  });
  const definition =
    '{"type":"Metric","metric":"x","data":{"name":"x","type":"rate","contains":"default","thresholds":[]}}';
  expect(parsePointLine(definition, wanted)).toEqual({
    definition: { name: 'x', type: 'rate', contains: 'default' },
  });
  expect(
    parsePointLine('{"metric":"data_sent","type":"Point","data":"not even read"}', wanted),
  ).toBeUndefined();
});

test('a time that is none is not a number', () => {
  expect(parseTime('yesterday')).toBeNaN();
});
