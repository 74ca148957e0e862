import { describe, expect, it } from 'vitest';
import type { Recording } from '../../../lab/src/recording/index.js';
import { cachedRecording, explain, namesOf } from '../lab-analysis/model/cached.js';

const recording = cachedRecording({ scenario: 'partition-key' });

function checkOf(changed: Recording, name: string) {
  return explain(changed).validity.checks.find((one) => one.check === name);
}

function loaded(change: (load: NonNullable<Recording['load']>) => Partial<Recording['load']>): Recording {
  if (recording.load === null) throw new Error('the model always has a load');
  return { ...recording, load: { ...recording.load, ...change(recording.load) } };
}

function sampled(share: number, sample: Partial<Recording['machineSamples'][number]>): Recording {
  const { machineSamples } = recording;
  const many = Math.round(machineSamples.length * share);
  return {
    ...recording,
    machineSamples: machineSamples.map((one, at) => (at < many ? { ...one, ...sample } : one)),
  };
}

function delayed(share: number, eventLoopDelayMaxMs: number): Recording {
  const from = 1_700_000_000 + 60 * (1 - share);
  return {
    ...recording,
    rows: recording.rows.map((row) =>
      row.kind === 'process' && row.second >= from && row.cpuLimitCores === null
        ? { ...row, eventLoopDelayMaxMs }
        : row,
    ),
  };
}

it('a quiet run is valid, and every check had something to judge by', () => {
  const { validity } = explain(recording);
  expect(validity.valid).toBe(true);
  expect(validity.checks.map((one) => one.ok)).not.toContain(null);
});

describe('a machine that is too busy', () => {
  const cases: [string, Recording, Recording][] = [
    ['machine-busy', sampled(0.5, { busyCores: 1.98, foreignCores: 1.3 }), sampled(0.1, { busyCores: 1.98 })],
    ['cpu-steal', sampled(1, { stealCores: 0.3 }), sampled(1, { stealCores: 0.1 })],
    ['event-loop-delay', delayed(0.5, 400), delayed(0.1, 400)],
  ];
  const starved = (factor: number): Recording => ({
    ...recording,
    rows: recording.rows.map((row) =>
      row.kind === 'process' && row.cpuLimitCores === null
        ? { ...row, eventLoopUtilization: Math.min(1, (factor * row.cpuMs) / 1000) }
        : row,
    ),
  });
  cases.push(['cpu-wait', starved(3), starved(1.3)]);

  it.each(cases)('is found by %s, and a little of it is tolerated', (check, bad, tolerable) => {
    expect(checkOf(bad, check)?.ok).toBe(false);
    const { diagnosis } = explain(bad);
    expect(diagnosis.findings[0]).toMatchObject({ name: 'invalid-run', title: 'The machine was too busy' });
    expect(diagnosis.findings[0]?.next[0]?.text).toMatch(/repeat the run/i);
    expect(checkOf(tolerable, check)?.ok).toBe(true);
    expect(explain(tolerable).validity.valid).toBe(true);
    const others = diagnosis.findings.slice(1).map((one) => one.confidence);
    expect(new Set(others)).toEqual(new Set(['low']));
  });

  it('does not count the standstill of a thread under a CPU quota', () => {
    const rows = recording.rows.map((row) =>
      row.kind === 'process' && row.cpuLimitCores !== null ? { ...row, eventLoopDelayMaxMs: 900 } : row,
    );
    expect(explain({ ...recording, rows }).validity.valid).toBe(true);
  });

  it('is not guessed where the system does not tell', () => {
    const silent = {
      ...recording,
      machineSamples: recording.machineSamples.map((one) => ({
        ...one,
        stealCores: null,
        foreignCores: null,
      })),
    };
    expect(checkOf(silent, 'cpu-steal')?.ok).toBeNull();
    expect(checkOf({ ...recording, machineSamples: [] }, 'machine-busy')?.ok).toBeNull();
  });
});

describe('the load', () => {
  it('that was held back by its generator outranks every bottleneck', () => {
    const result = explain(loaded((load) => ({ generator: { ...load.generator, saturated: true } })));
    expect(namesOf(result)[0]).toBe('generator-saturated');
    expect(result.validity.valid).toBe(false);
  });

  it('that missed a threshold is complete; one that broke off is not', () => {
    expect(
      checkOf(
        loaded(() => ({ exitCode: 99 })),
        'complete',
      )?.ok,
    ).toBe(true);
    expect(
      checkOf(
        loaded(() => ({ exitCode: 107, meaning: 'script exception' })),
        'complete',
      ),
    ).toMatchObject({
      ok: false,
      text: 'the load ended with 107: script exception',
    });
  });

  it('of a run that was interrupted is measured over the time it had', () => {
    const broken: Recording = {
      ...recording,
      meta: { ...recording.meta, status: 'interrupted', reason: 'Ctrl-C' },
      rows: recording.rows.filter((row) => row.second < 1_700_000_000 + 30),
    };
    const result = explain(broken);
    expect(result.analysis.lengthSeconds).toBe(30);
    expect(namesOf(result)[0]).toBe('invalid-run');
    expect(result.diagnosis.findings[0]).toMatchObject({
      title: 'The run is not complete',
      evidence: [{ text: 'the run was interrupted: Ctrl-C' }],
    });
  });
});

describe('the calibration', () => {
  const withCeiling = (ceilingRequestsPerSecond: number): Recording => ({
    ...recording,
    meta: {
      ...recording.meta,
      calibration: { deliveryCpuLimitCores: 0.25, ceilingRequestsPerSecond, source: 'cached' },
    },
  });

  it('that has drifted makes the run invalid', () => {
    expect(checkOf(withCeiling(99), 'calibration-drift')?.ok).toBe(true);
    expect(checkOf(withCeiling(140), 'calibration-drift')?.ok).toBe(false);
    expect(checkOf(withCeiling(85), 'calibration-drift')?.ok).toBe(false);
    expect(explain(withCeiling(140)).diagnosis.findings[0]?.title).toBe(
      'The measurement does not agree with itself',
    );
  });

  /** As in a container on a core that gets slower: a request takes more time, and the limit is moved with it. */
  const onSlowerCore = (share: number, follows: boolean): Recording => {
    const { rows, meta } = withCeiling(99);
    const slower = rows.map((row) =>
      row.kind === 'process' && row.role === 'fabrikam-delivery' && row.second % 2 === 0
        ? {
            ...row,
            cpuMs: row.cpuMs * share,
            cpuLimitCores: (row.cpuLimitCores ?? 0) * (follows ? share : 1),
            cpuLimitSource: 'cgroup' as const,
          }
        : row,
    );
    return { ...recording, meta, rows: slower };
  };

  it('holds where a limit of the kernel follows what a request costs, and says how far it was moved', () => {
    const followed = checkOf(onSlowerCore(1.6, true), 'calibration-drift');
    expect(followed).toMatchObject({
      ok: true,
      text: expect.stringMatching(/moved between 0.\d+ and 0.\d+ cores/),
    });
    expect(checkOf(onSlowerCore(2.5, false), 'calibration-drift')?.ok).toBe(false);
    expect(checkOf(withCeiling(99), 'calibration-drift')?.text).not.toContain('moved');
  });

  it('is judged until somebody turns the ceiling', () => {
    const { rows, meta } = withCeiling(99);
    const turnedAt = (second: number) => ({
      ...recording,
      rows,
      meta: { ...meta, turnedKnobs: [{ second, knob: 'deliveryRequestsPerSecond', from: 99, to: 150 }] },
    });
    expect(checkOf(turnedAt(5), 'calibration-drift')?.ok).toBeNull();
    expect(checkOf(turnedAt(58), 'calibration-drift')?.ok).toBe(true);
  });

  it('is not judged when delivery was never saturated', () => {
    const serial = cachedRecording({ scenario: 'serial' });
    expect(checkOf(serial, 'calibration-drift')?.ok).toBeNull();
  });
});

it("Little's law finds a load whose users and answers do not agree", () => {
  const rows = recording.rows.map((row) => (row.kind === 'load' ? { ...row, users: row.users * 2 } : row));
  expect(checkOf({ ...recording, rows }, 'littles-law')?.ok).toBe(false);
  expect(checkOf(recording, 'littles-law')?.ok).toBe(true);
});
