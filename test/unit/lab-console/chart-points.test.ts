import { describe, expect, it } from 'vitest';
import { recordedRun } from '../../../lab/src/console/recorded-run.js';
import { buildResult } from '../../../lab/src/results/index.js';
import { cachedRecording } from '../lab-analysis/model/cached.js';

describe.each(['throttled', 'partition-key'])('the points of %s', (scenario) => {
  const recording = cachedRecording({ scenario, seed: 1 });
  const result = buildResult(recording);
  const run = recordedRun(recording, result);
  const { points } = run;
  const { measures } = result;
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const weighted = (name: 'drone-utilization' | 'delivery' | 'package') => {
    const ended = points.map((point) => point.operations[name]);
    return (
      sum(ended.map(({ count, meanMs }) => count * (meanMs ?? 0))) / sum(ended.map(({ count }) => count))
    );
  };

  it('are one for each second', () => {
    expect(points.map(({ second }) => second)).toEqual(Array.from({ length: 60 }, (_, second) => second));
  });

  it('add up to what result.json says', () => {
    expect(sum(points.map((point) => point.requests))).toBe(measures['client.requests']);
    expect(sum(points.map((point) => point.successes))).toBe(measures['utilization.operations']);
    expect(sum(points.map((point) => point.partitionQueries))).toBe(measures['cosmos.partitionQueries']);
    expect(sum(points.map((point) => point.throttled))).toBe(measures['cosmos.throttled']);
    expect(sum(points.map((point) => point.requests - point.failed)) / 60).toBeCloseTo(
      measures['throughput.mean'] as number,
    );
    expect(Math.max(...points.map(({ users }) => users))).toBe(measures['load.maxUsers']);
  });

  it('have the same means', () => {
    expect(weighted('drone-utilization')).toBeCloseTo(measures['utilization.meanMs'] as number);
    expect(weighted('delivery')).toBeCloseTo(measures['delivery.meanMs'] as number);
    expect(weighted('package')).toBeCloseTo(measures['package.meanMs'] as number);
    const client = points.filter(({ clientMeanMs }) => clientMeanMs !== null);
    const clientMs = sum(client.map(({ requests, clientMeanMs }) => requests * (clientMeanMs ?? 0)));
    expect(clientMs / (measures['client.requests'] as number)).toBeCloseTo(
      measures['client.meanMs'] as number,
    );
  });

  it('have the peak of the hottest partition below the same limit', () => {
    const peaks = points.flatMap(({ ruByPartition }) => Object.values(ruByPartition));
    expect(Math.max(...peaks)).toBeCloseTo(measures['partition.peakRuPerSecond'] as number);
    expect(new Set(points.map((point) => point.limitRuPerSecond))).toEqual(
      new Set([measures['partition.limitRuPerSecond']]),
    );
  });

  it('show CPU against the limit where there is one', () => {
    expect(run.limitedServices).toEqual(['delivery']);
    const percents = points.slice(-5).map(({ cpuPercent }) => cpuPercent.delivery ?? 0);
    expect(sum(percents) / 5).toBeCloseTo(measures['cpu.delivery.last5sPercent'] as number);
  });
});
