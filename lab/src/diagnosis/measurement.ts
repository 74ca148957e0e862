import { evidence, found, notFound, type RuleOutcome } from './finding.js';
import type { Validity, ValidityCheck, ValidityCheckName } from './validity.js';

/** What to do about each check that failed. */
const REMEDY: Record<Exclude<ValidityCheckName, 'load-generator'>, string> = {
  complete: 'Repeat the run and let it end.',
  'event-loop-delay': 'Close what else is running on this machine and repeat the run.',
  'cpu-wait': 'Close what else is running on this machine and repeat the run.',
  'cpu-steal': 'Repeat the run when the other guests of this host are quiet.',
  'machine-busy': 'Close what else is running on this machine, or use a larger one, and repeat the run.',
  'calibration-drift': 'Calibrate again on the quiet machine and repeat the run.',
  'littles-law': 'Repeat the run; if it happens again, the load generator and its report do not agree.',
};

/** The run is no measurement of the system. */
export function judgeInvalidRun(validity: Validity): RuleOutcome {
  const rule = 'invalid-run';
  const failed = validity.checks.filter((one) => one.ok === false && one.check !== 'load-generator');
  const [first] = failed;
  if (first === undefined) return notFound(rule, 'every validity check passed or had nothing to judge by');
  return found(rule, {
    name: rule,
    title: titleFor(failed),
    subject: '',
    score: 100,
    confidence: 'high',
    evidence: failed.map((one) => evidence(one.text, [], `validity check ${one.check}`)),
    // Several checks may fail for the same reason and ask for the same.
    next: [...new Set(failed.map((one) => REMEDY[one.check as keyof typeof REMEDY]))].map((text) => ({
      text,
      knob: null,
    })),
  });
}

const BUSY: readonly ValidityCheckName[] = ['event-loop-delay', 'cpu-wait', 'cpu-steal', 'machine-busy'];

function titleFor(failed: ValidityCheck[]): string {
  const names = failed.map((one) => one.check);
  if (names.includes('complete')) return 'The run is not complete';
  if (names.some((name) => BUSY.includes(name))) {
    return 'The machine was too busy';
  }
  return 'The measurement does not agree with itself';
}

/** The generator, not the system, held the load back. */
export function judgeLoadGenerator(validity: Validity): RuleOutcome {
  const rule = 'generator-saturated';
  const check = validity.checks.find((one) => one.check === 'load-generator');
  if (check === undefined || check.ok === null) {
    return { rule, outcome: 'no-data', missing: 'nothing is known about the load generator' };
  }
  if (check.ok) return notFound(rule, check.text);
  return found(rule, {
    name: rule,
    title: 'The load generator was saturated',
    subject: 'load generator',
    score: 90,
    confidence: 'high',
    evidence: [evidence(check.text, [], 'the load generator about itself')],
    next: [{ text: 'Run the load generator on another machine, or with fewer users.', knob: null }],
  });
}
