import { describe, expect, test } from 'vitest';
import { MetricRegistry } from '../../../loadtests/src/engine/results/metric.js';
import { TagSet } from '../../../loadtests/src/engine/results/tags.js';
import { parseMetricSelector, parseThreshold } from '../../../loadtests/src/engine/results/threshold.js';
import {
  evaluateThresholds,
  thresholdThatAborts,
} from '../../../loadtests/src/engine/results/threshold-evaluation.js';

test.each([
  ['p(95)<500', 499.9, 500],
  ['p(99.9) <= 500', 500, 500.1],
  ['avg>10', 11, 10],
  ['max>=1.5', 1.5, 1.4],
  ['count==3', 3, 4],
  ['value===0', 0, 1],
  ['rate!=1', 0.5, 1],
  ['rate<1e-2', 0.009, 0.01],
  ['value>-5', -4, -5],
])('%s holds for %d and not for %d', (source, holds, fails) => {
  const threshold = parseThreshold('metric', source);
  expect([threshold.passes(holds), threshold.passes(fails)]).toEqual([true, false]);
});

test.each([
  ['p(95)', 'is not of the form'],
  ['p(95)<fast', 'is not of the form'],
  ['<500', 'is not of the form'],
  [42, 'must be text or an object'],
  [{ threshold: 'avg<1', abortOnFial: true }, "unknown field 'abortOnFial'"],
  [{ abortOnFail: true }, "needs 'threshold'"],
  [{ threshold: 'avg<1', abortOnFail: 'yes' }, 'not true or false'],
  [{ threshold: 'avg<1', delayAbortEval: 'soon' }, 'not a duration'],
])('%j is refused and says why', (entry, message) => {
  expect(() => parseThreshold('http_req_duration', entry)).toThrow(message);
});

test.each([
  ['http_reqs', 'rate<0.1', undefined],
  ['http_reqs', 'avg<1', 'a counter has count, rate'],
  ['http_req_failed', 'count<1', 'a rate has rate'],
  ['vus', 'max<1', 'a gauge has value'],
  ['http_req_duration', 'count>1', 'a trend has avg, min, max, med, p(N)'],
  ['http_req_duration', 'p(101)<1', 'N from 0 to 100'],
  ['http_req_durations', 'avg<1', "there is no metric 'http_req_durations'"],
  ['http_reqs{step', 'count>1', 'is not a metric or a sub-metric'],
  ['http_reqs{step}', 'count>1', 'is not a metric or a sub-metric'],
])('thresholds of %s with %s', (metric, source, message) => {
  const add = () => new MetricRegistry().addThresholds({ [metric]: [source] });
  if (message === undefined) expect(add).not.toThrow();
  else expect(add).toThrow(message);
});

test('a selector names the tags that a sample must have, all of them', () => {
  expect(parseMetricSelector('http_reqs{step:3,name:GET /api}')).toEqual({
    name: 'http_reqs',
    tags: { step: '3', name: 'GET /api' },
  });
  expect(parseMetricSelector('m{url:http://host:80/x}').tags).toEqual({ url: 'http://host:80/x' });
  expect(parseMetricSelector('m{ step : "3" }').tags).toEqual({ step: '3' });
});

describe('evaluation', () => {
  function registry(thresholds: Record<string, unknown>): MetricRegistry {
    const metrics = new MetricRegistry();
    metrics.addThresholds(thresholds);
    return metrics;
  }

  test('counts a sample for the sub-metrics whose tags all match', () => {
    const metrics = registry({
      'http_reqs{step:1}': [],
      'http_reqs{step:1,status:200}': [],
      'http_reqs{step:2}': [],
    });
    const reqs = metrics.get('http_reqs');
    if (reqs === undefined) throw new Error('http_reqs is built in');
    const step1 = TagSet.root().with('step', '1');
    metrics.add(reqs, 1, step1.with('status', '200'), 0);
    metrics.add(reqs, 1, step1.with('status', '500'), 0);
    expect(reqs.subMetrics.map((sub) => sub.sink.aggregate('count', 1))).toEqual([2, 1, 0]);
  });

  test('leaves metrics without samples out while the test runs and judges them as empty at its end', () => {
    const metrics = registry({
      http_req_duration: ['avg<500'],
      http_req_failed: ['rate<0.1'],
      checks: ['rate>0.9'],
      http_reqs: ['count>0'],
      vus: ['value>5'],
    });
    expect(evaluateThresholds(metrics, { elapsedMs: 1_000, final: false })).toEqual([]);
    const verdicts = evaluateThresholds(metrics, { elapsedMs: 1_000, final: true });
    expect(Object.fromEntries(verdicts.map(({ view, ok }) => [view.selector, ok]))).toEqual({
      http_req_duration: true,
      http_req_failed: true,
      checks: true,
      http_reqs: false,
      vus: false,
    });
  });

  test('aborts only for a failed threshold that wants it, after its delay', () => {
    const metrics = registry({
      http_reqs: ['count<1', { threshold: 'count<2', abortOnFail: true, delayAbortEval: '3s' }],
    });
    const reqs = metrics.get('http_reqs');
    if (reqs === undefined) throw new Error('http_reqs is built in');
    for (let i = 0; i < 2; i++) metrics.add(reqs, 1, TagSet.root(), 0);
    const verdicts = evaluateThresholds(metrics, { elapsedMs: 2_000, final: false });
    expect(thresholdThatAborts(verdicts, 2_000)).toBeUndefined();
    expect(thresholdThatAborts(verdicts, 3_000)).toBeUndefined();
    expect(thresholdThatAborts(verdicts, 4_000)?.threshold.source).toBe('count<2');
  });
});
