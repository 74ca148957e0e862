import { type Baseline, baselineOf, type CiMachine, type Subject, writeBaseline } from './baseline-file.js';
import { judgeMeasure } from './judge-measure.js';
import type { Measured } from './measured.js';
import { type CiCase, verdictOf } from './verdict.js';

/**
 * Records a baseline, unless the load is not one to be held to: broken off, failed by its own script's or scenario's
 * standards, or measured on a busy machine. Gives what is to be told, and a case where it was refused.
 */
export async function updateBaseline(input: {
  file: string;
  subject: Subject;
  measured: Measured;
  machine: CiMachine;
  before: Baseline | null;
  /** What the load says without a baseline. */
  own: readonly CiCase[];
}): Promise<{ baseline: Baseline | null; notes: string[]; cases: CiCase[] }> {
  const { file, subject, measured, machine, before, own } = input;
  if (measured.status !== 'complete' || verdictOf(own) === 'failed') {
    return { baseline: null, notes: [`the baseline ${file} was left as it was`], cases: [] };
  }
  if (measured.tooBusy !== '') {
    const text = `the baseline was not updated, the machine was too busy: ${measured.tooBusy}`;
    return {
      baseline: null,
      notes: [],
      cases: [{ group: 'baseline', name: 'update', outcome: 'undecided', text }],
    };
  }
  const baseline = baselineOf({ subject, measured, machine, before, now: new Date() });
  await writeBaseline(file, baseline);
  const count = Object.keys(baseline.measures).length;
  return {
    baseline,
    notes: [`the baseline ${file} was recorded with ${count} measures`, ...movesOf(before, baseline)],
    cases: [],
  };
}

/** What the old baseline would have failed for, so that an update is read before it is committed. */
function movesOf(before: Baseline | null, after: Baseline): string[] {
  return Object.entries(before?.measures ?? {}).flatMap(([name, reference]) => {
    const now = after.measures[name];
    if (now === undefined) return [`${name} is no longer in the baseline`];
    const { outcome, text } = judgeMeasure({ name, reference, now });
    return outcome === 'failed' ? [`taken into the baseline: ${text}`] : [];
  });
}
