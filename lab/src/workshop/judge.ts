import { isMeasureName, MEASURE_TABLE, type MeasureName } from '../analysis/measure-table.js';
import { withUnit } from '../analysis/quantity.js';
import type { RunResult } from '../results/index.js';
import type { ResultFinding } from '../results/result-schema.js';
import { type AskedEvidence, type BottleneckName, FIXES, type FixName } from '../scenarios/index.js';
import type { Answer } from './answer.js';
import { WorkshopError } from './errors.js';
import type { WorkshopExercise } from './exercises.js';

/** One part of an answer, judged. */
export interface JudgedPart {
  /** `null`: the run holds nothing to judge it by. */
  ok: boolean | null;
  /** A sentence or two for the participant. A wrong answer is never followed by the right one. */
  reply: string;
}

export interface Judgement {
  run: string;
  right: boolean;
  bottleneck: JudgedPart & { given: BottleneckName };
  evidence: JudgedEvidence[];
  fix: JudgedPart & { given: FixName };
  /** What to do next; null until the answer is right. */
  afterwards: string | null;
}

export interface JudgedEvidence extends JudgedPart {
  /** The question; null until the bottleneck is right, because it gives it away. */
  ask: string | null;
  given: number | null;
  /** What the run measured; null unless the given number is right. */
  measured: number | null;
}

const LATER: JudgedPart = { ok: null, reply: 'Judged when the bottleneck is right.' };

/**
 * Judges a participant's answer by what the run measured and what the rules found in it: no number of an exercise is
 * written down anywhere. Pure. Throws RUN_NOT_JUDGEABLE.
 */
export function judgeAnswer(input: {
  exercise: WorkshopExercise;
  answer: Answer;
  result: RunResult;
}): Judgement {
  const { exercise, answer, result } = input;
  refuseUnjudgeable(result);
  const bottleneck = { given: answer.bottleneck, ...judgeBottleneck(answer.bottleneck, result) };
  const found = bottleneck.ok === true;
  const evidence = exercise.exercise.evidence.map((asked, at): JudgedEvidence => {
    const given = answer.evidence[at] ?? null;
    if (!found) return { ask: null, given, measured: null, ...LATER };
    if (given === null) {
      return { ask: asked.ask, given, measured: null, ok: false, reply: `A number is missing. ${asked.ask}` };
    }
    return { ask: asked.ask, given, ...judgeEvidence(asked, given, result) };
  });
  const fix = { given: answer.fix, ...(found ? judgeFix({ exercise, fix: answer.fix, result }) : LATER) };
  const right = found && [...evidence, fix].every((part) => part.ok !== false);
  const afterwards = right ? exercise.exercise.afterwards : null;
  return { run: result.id, right, bottleneck, evidence, fix, afterwards };
}

/** A run that is no measurement of its scenario says nothing about an answer. */
export function refuseUnjudgeable(result: RunResult): void {
  const why = whyUnjudgeable(result);
  if (why !== null) throw new WorkshopError('RUN_NOT_JUDGEABLE', why);
}

/** Why nothing can be judged by a run; null when it can. */
export function whyUnjudgeable({ id, status, reason, validity, turnedKnobs }: RunResult): string | null {
  const because = (why: string) => `run ${id} can not be judged, ${why}; repeat it`;
  if (status !== 'complete') return because(`it was ${status}: ${reason}`);
  const failed = validity.checks.filter((check) => check.ok === false).map((check) => check.text);
  if (!validity.valid) return because(`it is not valid: ${failed.join('; ')}`);
  return turnedKnobs.length > 0 ? because('knobs were turned while it ran') : null;
}

export function judgeBottleneck(given: BottleneckName, result: RunResult): JudgedPart {
  const [first, ...others] = result.diagnosis.findings;
  // Without its evidence, which is asked for next.
  if (first?.name === given) return { ok: true, reply: `Yes: ${first.title}.` };
  const other = others.find((finding) => finding.name === given);
  if (other !== undefined) {
    return {
      ok: false,
      reply: `That is so as well (${evidenceOf(other)}), but it is not what holds this run back. Something else weighs more.`,
    };
  }
  if (given === 'none-found') {
    return { ok: false, reply: 'There is one. Something is used up, or time is spent where it need not be.' };
  }
  return { ok: false, reply: whyNot(given, result) };
}

/** The words of the rule that did not find it, with the run's numbers. */
function whyNot(given: BottleneckName, { diagnosis }: RunResult): string {
  const outcome = diagnosis.rules.find((rule) => rule.rule === given);
  if (outcome?.outcome === 'not-found') return `Not in this run: ${outcome.because}.`;
  if (outcome?.outcome === 'no-data') return `This run can not show it: ${outcome.missing}.`;
  return 'Not in this run.';
}

function evidenceOf(finding: ResultFinding): string {
  return finding.evidence[0]?.text ?? finding.title;
}

/** Numbers are read from charts and tables: at least this much may be off, and no more than that. */
const READING_PERCENT = { least: 5, most: 15 };

export function judgeEvidence(
  asked: AskedEvidence,
  given: number,
  result: RunResult,
): JudgedPart & { measured: number | null } {
  const { ask, measure } = asked;
  const measured = measuredValue(asked, result);
  if (measured === null) {
    return { measured, ok: null, reply: 'This run holds no such number, so yours is taken as it is.' };
  }
  const { unit } = MEASURE_TABLE[measure];
  const allowed = toleranceOf(measure, measured);
  if (Math.abs(given - measured) <= allowed) {
    return { measured, ok: true, reply: `Yes: the run measured ${withUnit(measured, unit, 3)}.` };
  }
  const isScaled = [100, 0.01, 1_000, 0.001].some((factor) => Math.abs(given * factor - measured) <= allowed);
  const reply = isScaled
    ? `Right digits, another unit: the question asks for ${unit === 'ratio' ? 'a ratio' : unit}.`
    : `The run measured ${given > measured ? 'less' : 'more'} than ${given}. ${ask}`;
  return { measured: null, ok: false, reply };
}

function toleranceOf(measure: MeasureName, measured: number): number {
  const { noise } = MEASURE_TABLE[measure];
  const percent = Math.min(READING_PERCENT.most, Math.max(READING_PERCENT.least, noise.relativePercent));
  return Math.max(noise.absolute, (percent / 100) * Math.abs(measured));
}

/** The number asked for, as the run measured it; null when it did not. */
export function measuredValue({ measure, of }: AskedEvidence, result: RunResult): number | null {
  if (!isMeasureName(measure)) return null;
  const from = {
    'whole-load': result.measures,
    'first-step': result.steps[0]?.measures,
    'last-step': result.steps.at(-1)?.measures,
    'last-quarter': result.lastQuarter,
  }[of];
  return from?.[measure] ?? null;
}

export function judgeFix(input: { exercise: WorkshopExercise; fix: FixName; result: RunResult }): JudgedPart {
  const { exercise, fix, result } = input;
  const { replies, fixes } = exercise.exercise;
  const { text, knob, helpsAgainst } = FIXES[fix];
  const [first] = result.diagnosis.findings;
  const proposed = knob !== null && first?.next.some((next) => next.knob === knob);
  const reply = replies[fix];
  if (reply !== undefined) return { ok: false, reply };
  if (proposed || fixes.includes(fix)) return { ok: true, reply: `Yes, worth trying: ${text}.` };
  const against = helpsAgainst[0];
  return {
    ok: false,
    reply:
      `To ${text} helps against ${helpsAgainst.join(', ')}. ${against === undefined ? '' : whyNot(against, result)}`.trim(),
  };
}
