import type { Baseline, CiMachine, Subject } from './baseline-file.js';
import { describeCiMachine } from './baseline-file.js';
import { CiError } from './errors.js';
import { judgeMeasure } from './judge-measure.js';
import { busy } from './judge-run.js';
import type { CiMeasure } from './measure.js';
import type { Measured } from './measured.js';
import type { CiCase } from './verdict.js';

/** Throws BASELINE_NOT_COMPARABLE before any load is made for a baseline that can't judge it. */
export function refuseOtherSubject(
  file: string,
  baseline: Baseline,
  now: { subject: Subject; plannedSeconds: number | null },
): void {
  const { subject, plannedSeconds } = baseline;
  const unequal: [string, unknown, unknown][] = [
    ['kind', subject.kind, now.subject.kind],
    ['name', subject.name, now.subject.name],
    ['duration (s)', plannedSeconds, now.plannedSeconds],
  ];
  const list = unequal
    .filter(([, a, b]) => a !== b)
    .map(([what, a, b]) => `${what}: ${a} there and ${b} here`)
    .join('; ');
  if (list === '') return;
  throw new CiError(
    'BASELINE_NOT_COMPARABLE',
    `the baseline ${file} was recorded for something else (${list}); one file belongs to one scenario or script`,
  );
}

/** Measures against a baseline: machine-free ones always, times on the machine that it was recorded on. */
export function judgeBaseline(baseline: Baseline, measured: Measured, machine: CiMachine): CiCase[] {
  if (measured.status !== 'complete') return [];
  const unjudgedTimes = reasonAgainstTimes(baseline, { measured, machine });
  const cases = Object.entries(baseline.measures).map(([name, reference]): CiCase => {
    const now = measured.measures[name];
    const base = { group: 'baseline' as const, name };
    if (reference.kind === 'time' && unjudgedTimes !== '') {
      return { ...base, outcome: 'skipped', text: `${name} was not judged: ${unjudgedTimes}` };
    }
    if (reference.kind === 'time' && measured.tooBusy !== '') {
      return { ...base, outcome: 'undecided', text: busy(name, measured.tooBusy) };
    }
    if (now === undefined) {
      return { ...base, outcome: 'failed', text: `${name} is gone: the baseline has it, this load does not` };
    }
    return judged(name, reference, now);
  });
  const added = Object.keys(measured.measures).filter((name) => baseline.measures[name] === undefined);
  return [...cases, ...added.map(notInBaseline)];
}

function judged(name: string, reference: CiMeasure, now: CiMeasure): CiCase {
  const { outcome, text, changePercent, allowed } = judgeMeasure({ name, reference, now });
  const figures = {
    reference: reference.value,
    value: now.value,
    unit: reference.unit,
    changePercent,
    allowed,
  };
  return { group: 'baseline', name, outcome, text, figures };
}

function notInBaseline(name: string): CiCase {
  return {
    group: 'baseline',
    name,
    outcome: 'skipped',
    text: `${name} is not in the baseline; --update-baseline takes it in`,
  };
}

function reasonAgainstTimes(
  { machine: before, engine }: Baseline,
  now: { measured: Measured; machine: CiMachine },
): string {
  if (before.fingerprint !== now.machine.fingerprint) {
    return `the baseline is of another machine (${before.description}; this is ${describeCiMachine(now.machine)})`;
  }
  const { name } = now.measured.engine;
  return engine === name ? '' : `the baseline's load came from another engine (${engine}; this is ${name})`;
}
