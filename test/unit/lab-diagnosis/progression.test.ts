import { describe, expect, it } from 'vitest';
import { cachedRecording, explain } from '../lab-analysis/model/cached.js';

const BOTTLENECK_OF = {
  throttled: 'throttling',
  serial: 'serial-fan-out',
  parallel: 'cross-partition-cost',
  'partition-key': 'cpu-saturation',
};
const SEEDS = Array.from({ length: 10 }, (_, at) => at + 1);

describe.each(Object.entries(BOTTLENECK_OF))('scenario %s', (scenario, bottleneck) => {
  it.each(SEEDS)('is explained right in 60 s with seed %i', (seed) => {
    const { diagnosis, validity } = explain(cachedRecording({ scenario, seed }));
    expect(validity.checks.filter((one) => one.ok === false)).toEqual([]);
    expect(diagnosis.findings[0]?.name).toBe(bottleneck);
    expect(diagnosis.findings[0]?.confidence).toBe('high');
  });

  it('is explained right in 480 s', () => {
    const { diagnosis, validity } = explain(cachedRecording({ scenario, plannedSeconds: 480 }));
    expect(validity.valid).toBe(true);
    expect(diagnosis.findings[0]?.name).toBe(bottleneck);
  });
});

it('names the service whose CPU is used up', () => {
  const { diagnosis } = explain(cachedRecording({ scenario: 'partition-key', seed: 1 }));
  expect(diagnosis.findings.map((one) => [one.name, one.subject])).toEqual([['cpu-saturation', 'delivery']]);
});

it.each([91, 96, 103, 108])(
  'finds the CPU at any ceiling that a calibration may reach: %i req/s',
  (ceiling) => {
    for (const seed of [1, 2, 3]) {
      const knobs = { deliveryRequestsPerSecond: ceiling };
      const { diagnosis } = explain(cachedRecording({ scenario: 'partition-key', seed, knobs }));
      expect(diagnosis.findings[0]).toMatchObject({ name: 'cpu-saturation', subject: 'delivery' });
    }
  },
);

it('names serial fan-out behind throttling, as the structure that remains', () => {
  const { diagnosis } = explain(cachedRecording({ scenario: 'throttled', seed: 1 }));
  expect(diagnosis.findings.map((one) => one.name)).toEqual(['throttling', 'serial-fan-out']);
});

it('does not look at the scenario: another name changes nothing', () => {
  const recording = cachedRecording({ scenario: 'throttled', seed: 1 });
  const [mystery] = [cachedRecording({ scenario: 'parallel', seed: 1 }).meta];
  const disguised = {
    ...recording,
    meta: { ...recording.meta, scenario: mystery.scenario, knobs: mystery.knobs },
  };
  expect(explain(disguised).diagnosis).toEqual(explain(recording).diagnosis);
});

it('gives evidence with the numbers of the run', () => {
  const recording = cachedRecording({ scenario: 'throttled', seed: 1 });
  const { analysis, diagnosis } = explain(recording);
  const sentences = diagnosis.findings[0]?.evidence.map((one) => one.text) ?? [];
  expect(sentences[0]).toMatch(
    /^2\.\d % of the requests to "utilization" were answered 429, [5-7](\.\d)? % in the last quarter/,
  );
  expect(sentences[1]).toMatch(
    /^partition \d of "utilization" used 1[34]\d of 100 RU\/s in second \d\d; its first 429 came in second [3-5]\d$/,
  );
  const hottest = Math.max(...analysis.partitions.map((one) => one.peakRuPerSecond));
  expect(sentences[1]).toContain(`used ${Math.round(hottest)} of 100 RU/s`);
  expect(diagnosis.findings[0]?.next[0]?.knob).toBe('ruPerSecond');
});
