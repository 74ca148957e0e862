import { describe, expect, it } from 'vitest';
import { compareEngines } from '../../../lab/src/ci/engine-agreement.js';
import { judgeMeasure } from '../../../lab/src/ci/judge-measure.js';
import type { CiMeasure } from '../../../lab/src/ci/measure.js';
import { type Measured, measuredScenario } from '../../../lab/src/ci/measured.js';
import { buildResult, type RunResult } from '../../../lab/src/results/index.js';
import { cachedRecording } from '../lab-analysis/model/cached.js';

const recording = cachedRecording({ scenario: 'serial', seed: 1 });
const first = buildResult(recording);

function with_(measures: RunResult['measures'], changes: Partial<RunResult> = {}): RunResult {
  return { ...first, measures: { ...first.measures, ...measures }, ...changes };
}

function scaled(measure: string, factor: number): RunResult {
  return with_({ [measure]: (first.measures[measure] as number) * factor });
}

describe('two engines', () => {
  it('agree with themselves', () => {
    const comparison = compareEngines('x', first, first);
    expect(comparison.agree).toBe(true);
    expect(comparison.figures.map(({ differencePercent }) => differencePercent)).toEqual([0, 0, 0]);
  });

  it.each([
    ['throughput.mean', 1.049, true],
    ['throughput.mean', 0.949, false],
    ['client.p50Ms', 1.099, true],
    ['client.p50Ms', 1.101, false],
    ['client.p95Ms', 0.91, true],
    ['client.p95Ms', 0.89, false],
  ])('%s at %d of the other: %s', (measure, factor, agree) => {
    const comparison = compareEngines('x', first, scaled(measure, factor));
    expect(comparison.agree).toBe(agree);
    expect(comparison.figures.filter(({ ok }) => ok === false)).toHaveLength(agree ? 0 : 1);
  });

  it('are not judged when a run broke off, was disturbed or lacks a figure', () => {
    const disturbed = { ...first, validity: { valid: false, checks: [] } };
    expect(compareEngines('x', first, disturbed).agree).toBeNull();
    expect(compareEngines('x', { ...first, status: 'interrupted' }, first).agree).toBeNull();
    const { 'client.p95Ms': _, ...measures } = first.measures;
    expect(compareEngines('x', first, { ...first, measures }).agree).toBeNull();
  });
});

describe('a scenario as the gate sees it', () => {
  const measured = measuredScenario(first, recording.load);

  it('has its costs per operation, its failures and its times', () => {
    expect(Object.entries(measured.measures).map(([name, { kind }]) => `${kind} ${name}`)).toEqual(
      expect.arrayContaining([
        'machine-free cosmos.ruPerOperation',
        'machine-free cosmos.queriesPerOperation',
        'machine-free cosmos.throttledPercent',
        'machine-free requests.failedPercent',
        'time throughput.mean',
        'time client.p95Ms',
      ]),
    );
    expect(measured.expected?.measures.length).toBeGreaterThan(0);
  });

  it('allows no 429 where the baseline has none', () => {
    const none = measuredScenario(with_({ 'cosmos.throttledPercent': 0 }), recording.load);
    const some = measuredScenario(with_({ 'cosmos.throttledPercent': 0.1 }), recording.load);
    const judged = (reference: Measured, now: Measured) =>
      judgeMeasure({
        name: 'x',
        reference: reference.measures['cosmos.throttledPercent'] as CiMeasure,
        now: now.measures['cosmos.throttledPercent'] as CiMeasure,
      }).outcome;
    expect(judged(none, some)).toBe('failed');
    expect(judged(none, none)).toBe('passed');
    const many = measuredScenario(with_({ 'cosmos.throttledPercent': 10 }), recording.load);
    const fewer = measuredScenario(with_({ 'cosmos.throttledPercent': 7 }), recording.load);
    const more = measuredScenario(with_({ 'cosmos.throttledPercent': 15 }), recording.load);
    expect([judged(many, fewer), judged(many, more)]).toEqual(['passed', 'failed']);
  });

  it('is too busy for what made it not valid, and not for having been broken off', () => {
    const check = { check: 'machine-busy' as const, ok: false, text: 'all cores were busy' };
    const busy = { ...first, validity: { valid: false, checks: [check] } };
    expect(measuredScenario(busy, recording.load).tooBusy).toBe('all cores were busy');
    const broken = { ...check, check: 'complete' as const };
    const ended = { ...first, validity: { valid: false, checks: [broken] } };
    expect(measuredScenario(ended, recording.load).tooBusy).toBe('');
  });
});
