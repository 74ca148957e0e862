import { DEPENDENCY_TYPES, ROLES } from '@bottleneck-lab/contracts';
import { describe, expect, it } from 'vitest';
import { analyse, MEASURE_NAMES } from '../../../lab/src/analysis/index.js';
import { summarizeDurations } from '../../../lab/src/recording/index.js';
import { syntheticRecording } from './model/synthetic-recording.js';
import {
  loadRow,
  partitionRow,
  processRow,
  queryRow,
  smallRecording,
  utilizationRow,
  ZERO,
} from './small-recording.js';

const seconds = (count: number) => Array.from({ length: count }, (_, at) => at);

describe('throughput', () => {
  const rates = [1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 4, 4, 4, 4, 4];
  const rows = rates.map((rate, at) => loadRow({ at, users: at + 1, durationsMs: Array(rate).fill(100) }));

  it('is successes inside the load over its planned length', () => {
    const { measures } = analyse(smallRecording(rows, { plannedSeconds: 15 }));
    expect(measures['throughput.mean']).toBeCloseTo(65 / 15);
    expect(measures['throughput.best5s']).toBe(6);
    expect(measures['throughput.last5s']).toBe(4);
    expect(measures['throughput.fallPercent']).toBe(50);
    expect(measures['throughput.best15s']).toBeCloseTo(65 / 15);
    expect(measures['load.maxUsers']).toBe(15);
  });

  it('of a load that ended early is still divided by the planned length', () => {
    const { measures } = analyse(smallRecording(rows, { plannedSeconds: 30 }));
    expect(measures['throughput.mean']).toBeCloseTo(65 / 30);
    expect(measures['throughput.last5s']).toBe(0);
  });

  it('leaves out failures, warm-up and what ended after the load; errors are counted to the end', () => {
    const all = [
      loadRow({ at: -2, durationsMs: [9_000, 9_000], failed: 2 }),
      loadRow({ at: 0, durationsMs: [100, 100], failed: 1 }),
      loadRow({ at: 10, durationsMs: [5_000], failed: 1 }),
    ];
    const { measures } = analyse(smallRecording(all));
    expect(measures).toMatchObject({ 'throughput.mean': 0.1, 'client.requests': 2 });
    // The failure at second -2 belongs to the warm-up, the one at second 10 to the load.
    expect(measures['client.errors']).toBe(2);
    expect(measures['client.meanMs']).toBe(100);
  });

  it.each([4, -4, 400, -400])('bins align to the load, whose start is off by %i ms', (offMs) => {
    const { measures } = analyse(
      smallRecording(rows, { plannedSeconds: 15, loadStartMs: ZERO * 1000 + offMs }),
    );
    expect(measures['throughput.mean']).toBeCloseTo(65 / 15);
  });

  it('is absent, like every other measure, when there are no rows', () => {
    expect(analyse(smallRecording([])).measures).toEqual({});
  });
});

it('percentiles hold across seconds', () => {
  const rows = seconds(10).map((at) =>
    loadRow({ at, durationsMs: Array.from({ length: 10 }, (_, i) => at * 10 + i + 1) }),
  );
  const { measures } = analyse(smallRecording(rows));
  expect(measures['client.meanMs']).toBeCloseTo(50.5);
  expect(measures['client.p50Ms']).toBeCloseTo(50, 0);
  expect(measures['client.p95Ms']).toBeCloseTo(95, 0);
  expect(measures['client.p99Ms']).toBeCloseTo(99, 0);
});

describe("Little's law", () => {
  const rows = seconds(10).map((at) => loadRow({ at, users: 4, durationsMs: Array(10).fill(100) }));

  it('is about 1 when users, latency, think time and throughput agree', () => {
    const recording = smallRecording(rows, {}, { thinkTimeSeconds: 0.3 });
    expect(analyse(recording).measures['load.littleRatio']).toBeCloseTo(1);
  });

  it('is absent when the think time is not known', () => {
    const recording = { ...smallRecording(rows), load: null };
    expect(analyse(recording).measures).not.toHaveProperty(['load.littleRatio']);
  });
});

describe('partition queries', () => {
  const rows = [
    utilizationRow({ at: 1, durationsMs: [150, 150] }),
    ...['0', '1', '2'].flatMap((partition) => [
      queryRow({ at: 1, partition, count: 2, requestCharge: 6, duration: summarizeDurations([50, 50]) }),
    ]),
    queryRow({
      at: 1,
      resultCode: '429',
      count: 2,
      retries: 1,
      requestCharge: 0,
      retryWaitMs: 60,
      duration: summarizeDurations([5, 5]),
    }),
    queryRow({ at: 1, type: DEPENDENCY_TYPES.metadata, count: 50 }),
    queryRow({ at: 1, type: DEPENDENCY_TYPES.pointRead, count: 50 }),
    queryRow({ at: 1, operation: 'another operation', count: 50 }),
  ];

  it('are counted with and without retries, and nothing else is', () => {
    const { measures } = analyse(smallRecording(rows));
    expect(measures).toMatchObject({
      'cosmos.partitionQueries': 7,
      'cosmos.throttled': 2,
      'cosmos.throttledPercent': 25,
      'cosmos.queriesPerOperation': 3.5,
      'cosmos.attemptsPerOperation': 4,
      'cosmos.ruPerOperation': 9,
      'cosmos.ruPerQuery': 3,
      'cosmos.queryMeanMs': 50,
      'cosmos.queryTimePerOperationMs': 185,
      'cosmos.retryWaitPercent': 20,
    });
    expect(measures['cosmos.overlap']).toBeCloseTo(370 / 300);
  });

  it('per operation follow the operations that were in flight at the end', () => {
    const late = [
      utilizationRow({ at: 5, durationsMs: [100] }),
      queryRow({ at: 5, count: 9 }),
      queryRow({ at: 9, count: 6 }),
      queryRow({ at: 10, count: 3 }),
      utilizationRow({ at: 10, durationsMs: [900] }),
    ];
    const { measures } = analyse(smallRecording(late));
    expect(measures['cosmos.queriesPerOperation']).toBe(9);
    expect(measures['cosmos.partitionQueries']).toBe(15);
    expect(measures['utilization.operations']).toBe(1);
  });

  it('are shared among successful operations only', () => {
    const failed = [
      utilizationRow({ at: 1, durationsMs: [10, 10, 10, 10], failed: 1, cancelled: 1 }),
      queryRow({ at: 1, count: 8 }),
    ];
    const { measures } = analyse(smallRecording(failed));
    expect(measures['cosmos.queriesPerOperation']).toBe(4);
    expect(measures['utilization.failed']).toBe(1);
  });
});

describe('physical partitions', () => {
  const charges = [10, 20, 150, 20, 50, 90, 90, 90, 90, 90];
  const rows = [
    queryRow({ at: 0 }),
    ...charges.map((requestUnits, at) => partitionRow({ at, partition: '4', requestUnits })),
    ...seconds(10).map((at) => partitionRow({ at, partition: '10', requestUnits: 10 })),
    partitionRow({ at: 3, partition: '4', throttled: 2, requests: 0, requestUnits: 0 }),
    ...seconds(10).map((at) =>
      partitionRow({ at, container: 'packages', requestUnits: 390, provisionedRuPerSecond: 400 }),
    ),
  ];
  const { measures, partitions, queriedContainer } = analyse(smallRecording(rows));

  it('are judged in the container that the operation queries', () => {
    expect(queriedContainer).toBe('utilization');
    expect(measures).toMatchObject({
      'partition.peakRuPerSecond': 150,
      'partition.limitRuPerSecond': 100,
      'partition.peakPercent': 150,
      'partition.sustainedPercent': 90,
      'partition.totalPercent': 40,
      'partition.skew': 1.75,
    });
  });

  it('are all listed, by number', () => {
    expect(partitions.map((one) => `${one.container}/${one.partition}`)).toEqual([
      'packages/0',
      'utilization/4',
      'utilization/10',
    ]);
    expect(partitions[1]).toMatchObject({ peakSecond: 2, firstThrottledSecond: 3, throttled: 2 });
    expect(partitions[2]?.firstThrottledSecond).toBeNull();
  });
});

describe('CPU', () => {
  it('is measured against the limit of all instances together, across a restart', () => {
    const rows = seconds(10).flatMap((at) => [
      processRow({
        at,
        instance: at < 5 ? 'a' : 'b',
        cpuMs: at < 5 ? 100 : 190,
        throttledPeriods: at < 5 ? 0 : 8,
      }),
      processRow({ at, instance: 'c', cpuMs: 100 }),
    ]);
    const { measures, processes } = analyse(smallRecording(rows));
    expect(measures['cpu.delivery.meanPercent']).toBeCloseTo(61.25);
    expect(measures['cpu.delivery.last5sPercent']).toBeCloseTo(72.5);
    expect(measures['cpu.delivery.best5sPercent']).toBeCloseTo(72.5);
    expect(measures['cpu.delivery.throttledPeriodsPercent']).toBe(20);
    expect(measures['cpu.delivery.last5sThrottledPeriodsPercent']).toBe(40);
    expect(measures['cpu.delivery.meanCores']).toBeCloseTo(0.245);
    expect(processes).toMatchObject([{ service: 'delivery', instances: 3, limitCores: 0.4 }]);
  });

  it('without a limit has no share of it', () => {
    const rows = seconds(10).map((at) =>
      processRow({ at, role: ROLES.gateway, cpuLimitCores: null, cpuLimitSource: 'none', periods: 0 }),
    );
    const { measures } = analyse(smallRecording(rows));
    expect(Object.keys(measures).toSorted()).toEqual([
      'cpu.gateway.eventLoopPercent',
      'cpu.gateway.meanCores',
    ]);
  });
});

describe('steps', () => {
  const rows = seconds(40).map((at) =>
    loadRow({ at, users: at + 1, durationsMs: Array(Math.min(at + 1, 20)).fill(100) }),
  );

  it('of a ramp are eight equal slices', () => {
    const { steps } = analyse(smallRecording(rows, { plannedSeconds: 40 }));
    expect(steps.map((one) => [one.fromSecond, one.toSecond])).toEqual(
      seconds(8).map((at) => [at * 5, at * 5 + 5]),
    );
    expect(steps[0]).toMatchObject({ users: 3, measures: { 'throughput.mean': 3 } });
  });

  it('of the load are taken as they are', () => {
    const steps = [
      { name: 'quiet', fromSecond: 0, toSecond: 20 },
      { name: 'busy', fromSecond: 20, toSecond: 40 },
    ];
    const analysis = analyse(smallRecording(rows, { plannedSeconds: 40 }, { steps }));
    expect(analysis.steps.map((one) => one.name)).toEqual(['quiet', 'busy']);
    expect(analysis.steps[1]?.measures['throughput.mean']).toBe(20);
  });

  it('show the knee: from there on, users bring less', () => {
    const { measures } = analyse(smallRecording(rows, { plannedSeconds: 40 }));
    // 20 req/s is 80 % of one per user at 25 users: in the sixth slice, with 28 on average.
    expect(measures['load.kneeUsers']).toBe(28);
    const straight = seconds(40).map((at) =>
      loadRow({ at, users: at + 1, durationsMs: Array(at + 1).fill(1) }),
    );
    const { measures: none } = analyse(smallRecording(straight, { plannedSeconds: 40 }));
    expect(none).not.toHaveProperty(['load.kneeUsers']);
  });
});

describe('a whole run', () => {
  const recording = syntheticRecording({ scenario: 'throttled' });

  it('gives every measure that the table knows, for a system with limits', () => {
    const limited = syntheticRecording({
      scenario: 'throttled',
      cpu: {
        gateway: { costMs: 1, limitCores: 0.5 },
        delivery: { costMs: 2.5, limitCores: 0.25 },
        package: { costMs: 1, limitCores: 0.5 },
        'drone-utilization': { costMs: 3, limitCores: 0.5 },
      },
    });
    expect(Object.keys(analyse(limited).measures).toSorted()).toEqual(MEASURE_NAMES.toSorted());
  });

  it('does not depend on the order of rows, nor on what was before the load', () => {
    const shuffled = { ...recording, rows: recording.rows.toReversed() };
    const { measures } = analyse(shuffled);
    for (const [name, value] of Object.entries(analyse(recording).measures)) {
      expect(measures[name as keyof typeof measures], name).toBeCloseTo(value, 9);
    }
    const warmUp = recording.rows
      .filter((row) => row.second < ZERO + 20)
      .map((row) => ({ ...row, second: row.second - 30 }));
    expect(analyse({ ...recording, rows: [...warmUp, ...recording.rows] })).toEqual(analyse(recording));
  });

  it('is not changed by analysing it', () => {
    const before = structuredClone(recording);
    analyse(recording);
    expect(recording).toEqual(before);
  });
});
