import { describe, expect, it } from 'vitest';
import type { MeasureName } from '../../../lab/src/analysis/index.js';
import { buildResult, compareRuns, type RunResult } from '../../../lab/src/results/index.js';
import { cachedRecording } from '../lab-analysis/model/cached.js';

function resultOf(scenario: string, seed = 1): RunResult {
  return buildResult(cachedRecording({ scenario, seed }));
}

function verdicts(first: RunResult, second: RunResult): Map<MeasureName, string> {
  return new Map(compareRuns(first, second).differences.map((one) => [one.measure, one.verdict]));
}

describe.each(['throttled', 'serial', 'parallel', 'partition-key'])('repeats of %s', (scenario) => {
  it('come out within noise, each against each', () => {
    const results = [1, 2, 3, 4, 5, 6].map((seed) => resultOf(scenario, seed));
    for (const first of results) {
      for (const second of results) {
        const judged = compareRuns(first, second).differences.filter((one) => one.verdict !== 'within noise');
        expect(judged).toEqual([]);
      }
    }
  });
});

describe('the steps of the progression', () => {
  it('from serial to parallel: faster and more, at the same price', () => {
    const judged = verdicts(resultOf('serial'), resultOf('parallel'));
    expect(judged.get('throughput.mean')).toBe('better');
    expect(judged.get('utilization.meanMs')).toBe('better');
    expect(judged.get('cosmos.ruPerOperation')).toBe('within noise');
    expect(judged.get('partition.peakPercent')).toBe('different');
  });

  it('from parallel to the right partition key: cheaper', () => {
    const judged = verdicts(resultOf('parallel'), resultOf('partition-key'));
    expect(judged.get('cosmos.ruPerOperation')).toBe('better');
    expect(judged.get('cpu.delivery.last5sThrottledPeriodsPercent')).toBe('worse');
  });

  it('and back again is worse', () => {
    const judged = verdicts(resultOf('parallel'), resultOf('serial'));
    expect(judged.get('throughput.mean')).toBe('worse');
    expect(judged.get('utilization.meanMs')).toBe('worse');
  });

  it('names the knobs that were turned', () => {
    expect(compareRuns(resultOf('throttled'), resultOf('serial')).knobs).toEqual([
      { knob: 'ruPerSecond', first: 900, second: 2500 },
    ]);
  });
});

describe('runs that were not measured in the same way', () => {
  const first = resultOf('serial');
  const cases: [string, Partial<RunResult>, string][] = [
    ['duration', { plannedSeconds: 480 }, 'duration (s): 60 and 480'],
    ['burst', { knobs: { ...first.knobs, burstSeconds: 0 } }, 'saved throughput (s): 1.25 and 0'],
    ['telemetry', { telemetry: true }, 'telemetry: false and true'],
    [
      'profile',
      { load: first.load && { ...first.load, profile: 'notebook' } },
      'load profile: article and notebook',
    ],
    [
      'users',
      { scenario: { ...first.scenario, load: { profile: 'article', maxUsers: 120 } } },
      'users: 40 and 120',
    ],
  ];
  it.each(cases)('are refused for their %s', (_, change, message) => {
    expect(() => compareRuns(first, { ...first, ...change })).toThrow(
      expect.objectContaining({ code: 'RUNS_NOT_COMPARABLE', message: expect.stringContaining(message) }),
    );
  });

  it('are refused with every reason at once', () => {
    const second = { ...first, plannedSeconds: 480, telemetry: true };
    expect(() => compareRuns(first, second)).toThrow(/duration .*; telemetry/);
  });
});

it('nothing is judged when a run is not valid, and the reason is given', () => {
  const first = resultOf('serial');
  const busy = cachedRecording({ scenario: 'parallel', seed: 1 });
  const second = buildResult({
    ...busy,
    machineSamples: busy.machineSamples.map((sample) => ({ ...sample, busyCores: 2 })),
  });
  const comparison = compareRuns(first, second);
  expect(new Set(comparison.differences.map((one) => one.verdict))).toEqual(new Set(['not judged']));
  expect(comparison.notes[0]).toContain('is not valid: all cores were busy');
});

it('other machines and engines are pointed out', () => {
  const first = resultOf('serial');
  const second = {
    ...first,
    machine: { ...first.machine, cores: 16 },
    load: first.load && { ...first.load, engine: { name: 'k6', version: '2.2.0' } },
  };
  const { notes } = compareRuns(first, second);
  expect(notes).toHaveLength(2);
  expect(notes.join(' ')).toMatch(/different machines.*model and k6/);
});

it('a change from zero has no percentage', () => {
  const first = resultOf('serial');
  const [throttled] = compareRuns(first, resultOf('throttled')).differences.filter(
    (one) => one.measure === 'cosmos.throttledPercent',
  );
  expect(throttled).toMatchObject({ first: 0, changePercent: null, verdict: 'worse' });
});
