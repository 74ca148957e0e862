import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Baseline, baselineOf, readBaseline, writeBaseline } from '../../../lab/src/ci/baseline-file.js';
import { judgeBaseline, refuseOtherSubject } from '../../../lab/src/ci/judge-baseline.js';
import type { LoadCounts } from '../../../lab/src/ci/load-figures.js';
import type { Measured } from '../../../lab/src/ci/measured.js';
import { updateBaseline } from '../../../lab/src/ci/update-baseline.js';
import { verdictOf } from '../../../lab/src/ci/verdict.js';
import { COUNTS, MACHINE, measuredLoad } from './measured-load.js';

const SUBJECT = { kind: 'script', name: 'checkout.js' } as const;
const now = new Date('2026-11-30T10:00:00Z');

function baseline(measured: Measured = measuredLoad(), before: Baseline | null = null): Baseline {
  return baselineOf({ subject: SUBJECT, measured, machine: MACHINE, before, now });
}

/** What failed, as sentences. */
function failed(reference: Baseline, measured: Measured, machine = MACHINE): string[] {
  return judgeBaseline(reference, measured, machine)
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ text }) => text);
}

function checks(fails: number, of = 1_000): LoadCounts['checks'] {
  return { 'status is 200': { passes: of - fails, fails } };
}

describe('counts against a baseline', () => {
  it('pass when nothing has changed', () => {
    const cases = judgeBaseline(baseline(), measuredLoad(), MACHINE);
    expect(cases).toHaveLength(7);
    expect(cases.map(({ outcome }) => outcome)).toEqual(Array(7).fill('passed'));
  });

  it.each([
    [
      'request units',
      { counters: { ru: 1_900 } },
      'ru.perIteration rose from 3 per iteration to 3.8 per iteration (+26.7 %, allowed ±0.12 per iteration)',
    ],
    [
      'queries',
      { requests: 1_050 },
      'requests.perIteration rose from 2 requests to 2.1 requests (+5 %, allowed ±0.04 requests)',
    ],
    ['one failed request', { failed: 1 }, 'requests.failedPercent rose from 0 % to 0.1 % (allowed none)'],
    [
      'one failed check',
      { checks: checks(1) },
      'check.failedPercent{status is 200} rose from 0 % to 0.1 % (allowed none)',
    ],
    [
      'a check that is gone',
      { checks: {} },
      'check.failedPercent{status is 200} is gone: the baseline has it, this load does not',
    ],
    [
      'a counter that fell, as nobody knows which way is better',
      { counters: { ru: 1_000 } },
      'ru.perIteration fell from 3 per iteration to 2 per iteration (-33.3 %, allowed ±0.12 per iteration)',
    ],
  ])('fail for %s, on any machine', (_, counts, text) => {
    const elsewhere = { ...MACHINE, fingerprint: 'bbbb' };
    expect(failed(baseline(), measuredLoad({ counts }))).toEqual([text]);
    expect(failed(baseline(), measuredLoad({ counts }), elsewhere)).toEqual([text]);
    expect(failed(baseline(), measuredLoad({ counts, tooBusy: 'no CPU' }))).toEqual([text]);
  });

  it('pass for fewer requests, and say that it is better', () => {
    const cases = judgeBaseline(baseline(), measuredLoad({ counts: { requests: 800 } }), MACHINE);
    const found = cases.find(({ name }) => name === 'requests.perIteration');
    expect(found).toMatchObject({
      outcome: 'passed',
      text: expect.stringContaining('better; --update-baseline'),
    });
  });

  it('allow failures to differ by chance where there were some, and no more', () => {
    const some = baseline(measuredLoad({ counts: { failed: 50 } }));
    expect(failed(some, measuredLoad({ counts: { failed: 70 } }))).toEqual([]);
    expect(failed(some, measuredLoad({ counts: { failed: 100 } }))).toHaveLength(1);
    // Ten times as many requests tell finer differences.
    const many = { requests: 10_000, iterations: 5_000, counters: { ru: 15_000 } };
    const exact = baseline(measuredLoad({ counts: { ...many, failed: 500 } }));
    expect(failed(exact, measuredLoad({ counts: { ...many, failed: 700 } }))).toHaveLength(1);
  });
});

describe('times against a baseline', () => {
  it('fail beyond the tolerance on the same machine', () => {
    expect(failed(baseline(), measuredLoad({ p50Ms: 30 }))).toEqual([
      'requests.p50Ms rose from 20 ms to 30 ms (+50 %, allowed ±3 ms)',
    ]);
    expect(failed(baseline(), measuredLoad({ p50Ms: 22, p95Ms: 45 }))).toEqual([]);
  });

  it('are not judged on another machine, which is named, and the gate passes', () => {
    const other = { ...MACHINE, fingerprint: 'bbbb', cpuModel: 'Another processor', cores: 8 };
    const cases = judgeBaseline(baseline(), measuredLoad({ p50Ms: 300 }), other);
    const skipped = cases.filter(({ outcome }) => outcome === 'skipped');
    expect(skipped.map(({ name }) => name)).toEqual([
      'requests.p50Ms',
      'requests.p95Ms',
      'requests.perSecond',
    ]);
    expect(skipped[0]?.text).toContain('A processor, 2 cores');
    expect(skipped[0]?.text).toContain('Another processor, 8 cores');
    expect(verdictOf(cases)).toBe('passed');
  });

  it('are not judged for another engine', () => {
    const k6 = measuredLoad({ p50Ms: 300, engine: { name: 'k6', version: '2.2.0' } });
    expect(failed(baseline(), k6)).toEqual([]);
  });

  it('are undecided on a busy machine, which is not the same as passed', () => {
    const cases = judgeBaseline(baseline(), measuredLoad({ tooBusy: 'no CPU' }), MACHINE);
    expect(verdictOf(cases)).toBe('undecided');
  });
});

describe('the baseline file', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'ci-baseline-'));
    file = path.join(folder, 'baseline.json');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('comes back as it was written, and nothing else is left beside it', async () => {
    await writeBaseline(file, baseline());
    expect(readBaseline(file)).toEqual(baseline());
    expect(readdirSync(folder)).toEqual(['baseline.json']);
    expect(readBaseline(path.join(folder, 'none.json'))).toBeNull();
  });

  it.each([
    ['half of it', (text: string) => text.slice(0, text.length / 2), /JSON/],
    ['a conflict', (text: string) => `<<<<<<< HEAD\n${text}`, /JSON/],
    ['nothing', () => '', /JSON/],
    [
      'a value that is text',
      (text: string) => text.replace(/"value": 20,/, '"value": "20",'),
      /measures\.requests\.p50Ms\.value/,
    ],
    ['no machine', (text: string) => text.replace('"machine"', '"maschine"'), /machine/],
    ['a list', () => '[]', /can not be used/],
  ])('is refused with %s, by its name and with what to do', async (_, damage, named) => {
    await writeBaseline(file, baseline());
    writeFileSync(file, damage(readFileSync(file, 'utf8')));
    const read = () => readBaseline(file);
    expect(read).toThrow(expect.objectContaining({ code: 'BASELINE_UNREADABLE' }));
    expect(read).toThrow(named);
    expect(read).toThrow(file);
    expect(read).toThrow('--update-baseline');
  });

  it('is refused in another major version', async () => {
    await writeBaseline(file, { ...baseline(), schemaVersion: '2.0' });
    expect(() => readBaseline(file)).toThrow(expect.objectContaining({ code: 'BASELINE_VERSION' }));
  });

  it('is refused for another subject or length, with everything that differs', () => {
    const other = { subject: { kind: 'scenario', name: 'serial' } as const, plannedSeconds: 60 };
    expect(() => refuseOtherSubject(file, baseline(), other)).toThrow(
      /kind: script there and scenario here; name: checkout.js there and serial here; duration/,
    );
    expect(() =>
      refuseOtherSubject(file, baseline(), { subject: SUBJECT, plannedSeconds: null }),
    ).not.toThrow();
  });

  it('keeps tolerances that somebody changed when it is recorded anew', () => {
    const edited = baseline();
    const p50 = edited.measures['requests.p50Ms'];
    if (p50 !== undefined) p50.tolerance = { relativePercent: 5, absolute: 0 };
    const again = baseline(measuredLoad({ p50Ms: 30 }), edited);
    expect(again.measures['requests.p50Ms']).toMatchObject({
      value: 30,
      tolerance: { relativePercent: 5, absolute: 0 },
    });
    expect(failed(again, measuredLoad({ p50Ms: 32 }))).toHaveLength(1);
  });
});

describe('recording a baseline', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'ci-update-'));
    file = path.join(folder, 'baseline.json');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const input = (measured: Measured, before: Baseline | null = null) => ({
    file,
    subject: SUBJECT,
    measured,
    machine: MACHINE,
    before,
    own: [],
  });

  it('says what has moved, so that it is read before it is committed', async () => {
    const moved = measuredLoad({ counts: { counters: { ru: 3_000 } } });
    const { notes } = await updateBaseline(input(moved, baseline()));
    expect(notes.join('\n')).toContain('taken into the baseline: ru.perIteration rose from 3');
    expect(readBaseline(file)?.measures['ru.perIteration']?.value).toBe(6);
  });

  it.each([
    ['broke off', measuredLoad({ status: 'broken', reason: 'gone' }), []],
    ['was measured on a busy machine', measuredLoad({ tooBusy: 'no CPU' }), []],
    ['failed itself', measuredLoad(), [{ group: 'check', name: 'x', outcome: 'failed', text: 'x' }]],
  ] as const)('leaves the file alone when the load %s', async (_, measured, own) => {
    const { baseline: written } = await updateBaseline({ ...input(measured), own });
    expect(written).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('has every measure that a load has', () => {
    expect(Object.keys(baseline().measures)).toEqual([
      'requests.failedPercent',
      'requests.perIteration',
      'ru.perIteration',
      'check.failedPercent{status is 200}',
      'requests.p50Ms',
      'requests.p95Ms',
      'requests.perSecond',
    ]);
    expect(COUNTS.iterations).toBe(500);
  });
});
