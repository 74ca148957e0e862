import { describe, expect, it } from 'vitest';
import { checkLines } from '../../../lab/src/cli/check-lines.js';
import type { Recording } from '../../../lab/src/recording/index.js';
import { buildResult, describeRange, missedExpectations, runResult } from '../../../lab/src/results/index.js';
import { cachedRecording } from '../lab-analysis/model/cached.js';

const SCENARIOS = ['throttled', 'serial', 'parallel', 'partition-key'];

describe.each(SCENARIOS)('the model of scenario %s', (scenario) => {
  it.each([1, 2, 3, 4, 5])('meets every expected range with seed %i', (seed) => {
    const result = buildResult(cachedRecording({ scenario, seed }));
    expect(missedExpectations(result)).toEqual([]);
    expect(result.expected?.measures.map((one) => one.ok)).not.toContain(null);
    expect(result.expected?.bottleneck.ok).toBe(true);
  });

  it('gives a result that its own schema accepts unchanged', () => {
    const result = buildResult(cachedRecording({ scenario, seed: 1 }));
    expect(runResult.parse(JSON.parse(JSON.stringify(result)))).toEqual(JSON.parse(JSON.stringify(result)));
  });
});

const recording = cachedRecording({ scenario: 'throttled', seed: 1 });

function withMeta(meta: Partial<Recording['meta']>, base = recording): Recording {
  return { ...base, meta: { ...base.meta, ...meta } };
}

describe('expected ranges', () => {
  it('that are missed are named with value and range', () => {
    const serial = cachedRecording({ scenario: 'serial', seed: 1 });
    const disguised = withMeta({ scenario: recording.meta.scenario }, serial);
    expect(missedExpectations(buildResult(disguised))).toEqual([
      'throttled: throughput.fallPercent is 0 %, expected at least 8 %',
      'throttled: utilization.meanMs is 560 ms, expected 569 to 769 ms',
      'throttled: cosmos.throttledPercent is 0 %, expected 1 to 20 %',
      'throttled: the bottleneck found is serial-fan-out, expected throttling',
    ]);
  });

  it('in absolute figures are judged on calibrated targets only', () => {
    const { expected } = buildResult(withMeta({ target: { ...recording.meta.target, calibrated: false } }));
    const outcomes = new Map(expected?.measures.map((one) => [one.measure, one]));
    expect(outcomes.get('throughput.mean')).toMatchObject({
      ok: null,
      reason: expect.stringContaining('not calibrated'),
    });
    expect(outcomes.get('throughput.fallPercent')?.ok).toBe(true);
    expect(outcomes.get('cosmos.queriesPerOperation')?.ok).toBe(true);
  });

  it('of a run that is not valid are not judged', () => {
    const busy = {
      ...recording,
      machineSamples: recording.machineSamples.map((sample) => ({ ...sample, busyCores: 2 })),
    };
    const result = buildResult(busy);
    expect(result.validity.valid).toBe(false);
    expect(result.expected?.measures.every((one) => one.ok === null)).toBe(true);
    expect(result.expected?.bottleneck).toEqual({ expected: 'throttling', found: 'invalid-run', ok: null });
    expect(missedExpectations(result)).toEqual([]);
    expect(checkLines([buildResult(recording)])).toEqual(['no expected range was missed']);
    expect(checkLines([buildResult(recording), result])).toEqual([
      'not judged: the expected ranges of throttled',
    ]);
  });

  it('of something that was not measured are missed where it must be known', () => {
    const blind = { ...recording, rows: recording.rows.filter((row) => row.kind !== 'process') };
    expect(missedExpectations(buildResult(blind))).toContain(
      'throttled: cpu.delivery.last5sPercent is not measured, expected at most 70 %',
    );
  });

  it('include both ends', () => {
    const { scenario } = recording.meta;
    const value = buildResult(recording).measures['throughput.mean'] as number;
    const exact = { measure: 'throughput.mean' as const, min: value, max: value, targets: 'all' as const };
    const result = buildResult(
      withMeta({ scenario: { ...scenario, expected: { bottleneck: 'throttling', measures: [exact] } } }),
    );
    expect(result.expected?.measures[0]?.ok).toBe(true);
  });

  it.each([
    [{ min: 1, max: 2, unit: '%' }, '1 to 2 %'],
    [{ min: null, max: 0, unit: 'requests' }, 'at most 0 requests'],
    [{ min: 9, max: null, unit: 'RU' }, 'at least 9 RU'],
    [{ min: 9, max: 9, unit: 'RU' }, '9 RU'],
  ])('%j reads "%s"', (range, text) => {
    expect(describeRange(range)).toBe(text);
  });

  it('are none for a scenario without', () => {
    const { expected: _, article: __, ...scenario } = recording.meta.scenario;
    const result = buildResult(withMeta({ scenario }));
    expect(result).toMatchObject({ expected: null, published: null });
    expect(missedExpectations(result)).toEqual([]);
  });
});

describe('published figures', () => {
  it.each([
    ['throttled', 19.11, 669, 16_071, 13.98],
    ['serial', 23.25, 569, 0, 0],
    ['parallel', 42, 215, 0, 0],
    ['partition-key', 59.46, 176, 0, 0],
  ])('of %s are those of the article', (scenario, throughput, meanMs, throttled, percent) => {
    expect(buildResult(cachedRecording({ scenario, seed: 1 })).published?.measures).toMatchObject({
      'throughput.mean': throughput,
      'utilization.meanMs': meanMs,
      'cosmos.throttled': throttled,
      'cosmos.throttledPercent': percent,
    });
  });
});
