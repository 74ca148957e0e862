import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { CHANNELS, statsResponse } from '@bottleneck-lab/contracts';
import { decodeFromCompressedBase64 } from 'hdr-histogram-js';
import { describe, expect, it } from 'vitest';
import { DurationLog } from '../../../libs/service-kit/src/stats/duration-log.js';
import type { ProcessSample } from '../../../libs/service-kit/src/stats/process-sampler.js';
import { ProcessSeconds } from '../../../libs/service-kit/src/stats/process-seconds.js';
import { StatsRecorder } from '../../../libs/service-kit/src/stats/recorder.js';

const SAMPLE: ProcessSample = {
  cpuMs: 0,
  periods: 0,
  throttledPeriods: 0,
  throttledMs: 0,
  eventLoopUtilization: 0,
  eventLoopDelayMaxMs: 0,
  residentBytes: 1,
};

describe('DurationLog', () => {
  it('keeps count, sum and maximum exactly and percentiles to three digits', () => {
    const log = new DurationLog();
    for (let ms = 1; ms <= 1_000; ms += 1) log.record(ms);
    const summary = log.summarize({ final: true });
    expect(summary).toMatchObject({ count: 1_000, sumMs: 500_500, maxMs: 1_000 });
    const histogram = decodeFromCompressedBase64(summary.histogram);
    expect(histogram.totalCount).toBe(1_000);
    for (const p of [50, 95, 99]) {
      expect(Math.abs(histogram.getValueAtPercentile(p) / 1_000 / (p * 10) - 1)).toBeLessThan(0.001);
    }
    expect(log.summarize({ final: true })).toBe(summary);
  });

  it('keeps values outside the range at its ends', () => {
    const log = new DurationLog();
    log.record(0);
    log.record(3_600_000);
    const histogram = decodeFromCompressedBase64(log.summarize({ final: true }).histogram);
    expect(histogram.minNonZeroValue).toBe(1);
    expect(histogram.maxValue / 600_000_000).toBeCloseTo(1, 2);
  });
});

describe('ProcessSeconds', () => {
  it('spreads CPU over the seconds between two samples', () => {
    const seconds = new ProcessSeconds(10_000, SAMPLE);
    seconds.add(11_200, { ...SAMPLE, cpuMs: 600, periods: 12, throttledPeriods: 3, throttledMs: 100 });
    seconds.add(12_000, { ...SAMPLE, cpuMs: 680, periods: 20, throttledPeriods: 3, throttledMs: 100 });
    expect(seconds.take(10)).toMatchObject({
      cpuMs: 500,
      periods: 12,
      throttledPeriods: 3,
      throttledMs: 100,
    });
    const second = seconds.take(11);
    expect(second?.cpuMs).toBeCloseTo(100 + 80);
    expect(second).toMatchObject({ periods: 8, throttledPeriods: 0, throttledMs: 0 });
    expect(seconds.take(12)).toBeUndefined();
  });

  it('ignores a clock that stands still or goes back', () => {
    const seconds = new ProcessSeconds(10_000, SAMPLE);
    seconds.add(10_000, { ...SAMPLE, cpuMs: 10 });
    seconds.add(9_000, { ...SAMPLE, cpuMs: 20 });
    expect(seconds.take(10)).toBeUndefined();
  });
});

describe('StatsRecorder', () => {
  function recorder() {
    let nowMs = 1_000_000;
    let cpuMs = 0;
    const stats = new StatsRecorder({
      role: 'fabrikam-gateway',
      instance: 'gateway-1',
      cpu: { limitCores: 0.5, source: 'quota' },
      sampleProcess: () => {
        cpuMs += 50;
        return { ...SAMPLE, cpuMs };
      },
      nowMs: () => nowMs,
    });
    return {
      stats,
      advance: (ms: number) => {
        nowMs += ms;
      },
    };
  }
  const request = { operation: 'GET /x', durationMs: 5, failed: false, cancelled: false };
  const call = {
    operation: 'GET /x',
    type: 'Http',
    target: 'delivery',
    resultCode: '200',
    durationMs: 3,
    retry: false,
  };

  it('gives nothing of the current second', () => {
    const { stats } = recorder();
    stats.recordOperation(request);
    expect(stats.read(0)).toEqual({ role: 'fabrikam-gateway', instance: 'gateway-1', second: 999, rows: [] });
  });

  it('gives one set of rows per finished second, each once per reader', () => {
    const { stats, advance } = recorder();
    stats.recordOperation(request);
    stats.recordOperation({ ...request, durationMs: 15, failed: true });
    stats.recordOperation({ ...request, cancelled: true });
    stats.recordDependency(call);
    stats.recordDependency({
      ...call,
      partition: '4',
      resultCode: '429',
      requestCharge: 0.38,
      retryWaitMs: 120,
    });
    stats.recordDependency({ ...call, partition: '4', resultCode: '429', retry: true, requestCharge: 0.38 });
    advance(1_000);
    stats.recordOperation({ ...request, operation: 'GET /y' });
    const first = statsResponse.parse(stats.read(0));
    expect(first.second).toBe(1_000);
    expect(first.rows.map((row) => row.kind)).toEqual(['operation', 'dependency', 'dependency', 'process']);
    expect(first.rows[0]).toMatchObject({
      second: 1_000,
      operation: 'GET /x',
      count: 3,
      failed: 1,
      cancelled: 1,
    });
    expect(first.rows[0]).toMatchObject({ duration: { count: 3, sumMs: 25, maxMs: 15 } });
    expect(first.rows[2]).toMatchObject({
      partition: '4',
      resultCode: '429',
      count: 2,
      retries: 1,
      retryWaitMs: 120,
    });
    expect(first.rows[2]).toHaveProperty('requestCharge', 0.76);
    expect(first.rows[3]).toMatchObject({ cpuMs: 50, cpuLimitCores: 0.5, cpuLimitSource: 'quota' });
    advance(1_000);
    const second = stats.read(first.second);
    expect(second.rows.filter((row) => row.kind === 'operation')).toHaveLength(1);
    expect(second.rows[0]).toMatchObject({ second: 1_001, operation: 'GET /y' });
    expect(stats.read(second.second).rows).toEqual([]);
  });

  it('accounts for seconds in which nothing happened and for readings that come late', () => {
    const { stats, advance } = recorder();
    stats.recordOperation(request);
    advance(3_500);
    const { second, rows } = stats.read(0);
    expect(second).toBe(1_002);
    expect(rows.filter((row) => row.kind === 'operation').map((row) => row.second)).toEqual([1_000]);
    expect(rows.filter((row) => row.kind === 'process').map((row) => row.second)).toEqual([
      1_000, 1_001, 1_002,
    ]);
  });

  it('holds 120 seconds', () => {
    const { stats, advance } = recorder();
    for (let i = 0; i < 300; i += 1) {
      stats.recordOperation(request);
      advance(1_000);
    }
    const seconds = stats.read(0).rows.filter((row) => row.kind === 'operation');
    expect(seconds).toHaveLength(120);
    expect(seconds.at(-1)?.second).toBe(1_299);
    advance(3_600_000);
    expect(stats.read(0).rows.every((row) => row.kind === 'process')).toBe(true);
    expect(stats.read(0).rows.length).toBeLessThanOrEqual(120);
  });

  it('finishes no second twice when the clock is set back', () => {
    const { stats, advance } = recorder();
    stats.recordOperation(request);
    advance(1_000);
    stats.recordOperation(request);
    advance(-5_000);
    stats.recordOperation(request);
    advance(6_000);
    const counts = stats
      .read(0)
      .rows.flatMap((row) => (row.kind === 'operation' ? [[row.second, row.count]] : []));
    expect(counts).toEqual([
      [1_000, 1],
      [1_001, 2],
    ]);
  });

  it('publishes the process row of each finished second to listeners in the process', () => {
    const published: unknown[] = [];
    const listener = (message: unknown) => void published.push(message);
    subscribe(CHANNELS.processUsage, listener);
    const { stats, advance } = recorder();
    advance(2_000);
    const rows = stats.read(0).rows.filter((row) => row.kind === 'process');
    unsubscribe(CHANNELS.processUsage, listener);
    expect(rows).toHaveLength(2);
    expect(published).toEqual(rows);
  });

  it('hands over at the end what nobody has read, the unfinished second included', () => {
    const { stats, advance } = recorder();
    stats.recordOperation(request);
    advance(1_000);
    stats.read(0);
    stats.recordOperation(request);
    advance(1_000);
    stats.recordOperation(request);
    advance(400);
    const rows = stats.takeUnread().filter((row) => row.kind === 'operation');
    expect(rows.map((row) => row.second)).toEqual([1_001, 1_002]);
  });
});
