import { describe, expect, test } from 'vitest';
import { LoadSeries } from '../../../loadtests/src/load-series.js';
import type { Point } from '../../../loadtests/src/point.js';

const START = 1_700_000_000_000;

function seriesOf(
  points: (Omit<Point, 'timeMs' | 'tags'> & { atMs: number; tags?: Record<string, string> })[],
): LoadSeries {
  const series = new LoadSeries();
  for (const { atMs, tags = {}, ...point } of points) {
    const scenario: Record<string, string> = point.metric === 'vus' ? {} : { scenario: 'load' };
    series.add({ ...point, timeMs: START + atMs, tags: { ...scenario, ...tags } });
  }
  return series;
}

const request = (atMs: number, value: number, tags: Record<string, string> = {}) => ({
  metric: 'http_req_duration',
  atMs,
  value,
  tags,
});

describe('seconds', () => {
  test('have the requests that ended in them, failures, drops and users, without gaps', () => {
    const series = seriesOf([
      { metric: 'load_start_ms', atMs: 10, value: START + 2 },
      request(100, 20),
      request(999, 30),
      { metric: 'http_req_failed', atMs: 100, value: 1 },
      { metric: 'http_req_failed', atMs: 999, value: 0 },
      { metric: 'vus', atMs: 1_002, value: 3 },
      { metric: 'dropped_iterations', atMs: 3_500, value: 4 },
      request(3_999, 40),
      { metric: 'vus', atMs: 3_002, value: 5 },
    ]);
    const second = START / 1_000;
    expect(series.seconds({ untilMs: Number.POSITIVE_INFINITY })).toEqual([
      { second, users: 3, requests: 2, failed: 1, droppedIterations: 0, durationsMs: [20, 30] },
      { second: second + 1, users: 3, requests: 0, failed: 0, droppedIterations: 0, durationsMs: [] },
      { second: second + 2, users: 3, requests: 0, failed: 0, droppedIterations: 0, durationsMs: [] },
      { second: second + 3, users: 5, requests: 1, failed: 0, droppedIterations: 4, durationsMs: [40] },
    ]);
    expect(series.loadStartMs).toBe(START + 2);
  });

  test('are handed out once they are over, going on where the last time ended', () => {
    const series = seriesOf([request(500, 1), request(1_500, 1), request(2_500, 1)]);
    expect(series.seconds({ untilMs: START + 999 })).toHaveLength(0);
    expect(series.seconds({ untilMs: START + 2_000 })).toHaveLength(2);
    expect(series.seconds({ from: START / 1_000 + 2, untilMs: START + 9_000 })).toMatchObject([
      { requests: 1 },
    ]);
  });

  test('do not count what setup() and teardown() do', () => {
    const series = new LoadSeries();
    series.add({ metric: 'http_req_duration', timeMs: START, value: 5, tags: { group: '::setup' } });
    expect(series.seconds({ untilMs: Number.POSITIVE_INFINITY })).toEqual([]);
  });
});

test('steps have rates over their own length, and percentiles of their own requests', () => {
  const series = seriesOf([
    { metric: 'step_seconds', atMs: 0, value: 4, tags: { step: '1' } },
    { metric: 'step_seconds', atMs: 0, value: 2, tags: { step: '10' } },
    { metric: 'step_seconds', atMs: 0, value: 2, tags: { step: '2' } },
    ...[10, 20, 30, 40].map((value) => request(value, value, { step: '1' })),
    { metric: 'http_req_failed', atMs: 1, value: 1, tags: { step: '1' } },
    request(50, 7, { step: '2' }),
    request(60, 9, { step: 'extra' }),
  ]);
  expect(series.steps.map(({ step }) => step)).toEqual(['1', '2', '10', 'extra']);
  expect(series.steps[0]).toEqual({
    step: '1',
    seconds: 4,
    requests: 4,
    failed: 1,
    requestsPerSecond: 1,
    meanMs: 25,
    p50Ms: 25,
    p95Ms: expect.closeTo(38.5, 9),
    p99Ms: expect.closeTo(39.7, 9),
    maxMs: 40,
  });
  expect(series.steps[2]).toMatchObject({ requests: 0, requestsPerSecond: 0, meanMs: 0 });
  expect(series.steps[3]).toMatchObject({ seconds: null, requestsPerSecond: null, requests: 1 });
});
