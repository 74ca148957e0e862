import { isMeasureName, MEASURE_NAMES, MEASURE_TABLE, type MeasureName } from '../analysis/measure-table.js';
import { ResultError } from './errors.js';
import type { RunResult } from './result-schema.js';

export type Verdict = 'better' | 'worse' | 'different' | 'within noise' | 'not judged';

export interface Difference {
  measure: MeasureName;
  unit: string;
  first: number;
  second: number;
  change: number;
  /** Of the first value; `null` when that is 0. */
  changePercent: number | null;
  /** What two repeats may differ by. */
  noise: number;
  verdict: Verdict;
}

export interface Comparison {
  first: { id: string; scenario: string; bottleneck: string };
  second: { id: string; scenario: string; bottleneck: string };
  /** Knobs that were turned between the two. */
  knobs: { knob: string; first: unknown; second: unknown }[];
  differences: Difference[];
  /** What to keep in mind. */
  notes: string[];
}

/** What decides how a run is measured: two runs that differ in one of these can't be compared. */
const KNOBS_OF_MEASUREMENT: readonly [string, (result: RunResult) => unknown][] = [
  ['duration (s)', (result) => result.plannedSeconds],
  ['saved throughput (s)', (result) => result.knobs.burstSeconds],
  ['telemetry', (result) => result.telemetry],
  ['telemetry SDK', (result) => result.telemetryUse?.sdk ?? null],
  ['share of traces kept', (result) => result.telemetryUse?.samplingRatio ?? null],
  ['load profile', (result) => result.load?.profile ?? null],
  ['think time (s)', (result) => result.load?.thinkTimeSeconds ?? null],
  ['users', (result) => result.scenario.load?.maxUsers ?? null],
  ['share of one owner', (result) => result.scenario.load?.hotOwnerShare ?? 0],
];

/** Turned by scenarios; the burst is a knob of measurement and the ceiling a property of the target. */
const COMPARED_KNOBS = [
  'ruPerSecond',
  'physicalPartitions',
  'queryFanout',
  'partitionKey',
  'queryBaseRu',
  'queryLatency',
  'pointReadLatency',
  'deliveryRequestsPerSecond',
  'deliveryReplicas',
] as const;

/**
 * The second run against the first. A difference is judged only when it is larger than the measure's noise
 * (docs/reference/measures.md), and nothing is judged when one of the runs is not valid.
 * Throws RUNS_NOT_COMPARABLE, naming each knob of measurement that differs.
 */
export function compareRuns(first: RunResult, second: RunResult): Comparison {
  refuseUnequal(first, second);
  const valid = first.validity.valid && second.validity.valid;
  return {
    first: summaryOf(first),
    second: summaryOf(second),
    knobs: COMPARED_KNOBS.map((knob) => ({
      knob,
      first: first.knobs[knob],
      second: second.knobs[knob],
    })).filter((one) => JSON.stringify(one.first) !== JSON.stringify(one.second)),
    differences: MEASURE_NAMES.flatMap((measure) => {
      const [a, b] = [first.measures[measure], second.measures[measure]];
      return a === undefined || b === undefined
        ? []
        : [differenceOf({ measure, first: a, second: b, valid })];
    }),
    notes: notesOn(first, second),
  };
}

function refuseUnequal(first: RunResult, second: RunResult): void {
  const unequal = KNOBS_OF_MEASUREMENT.map(([name, of]) => ({ name, a: of(first), b: of(second) })).filter(
    ({ a, b }) => a !== b,
  );
  if (unequal.length === 0) return;
  const list = unequal.map(({ name, a, b }) => `${name}: ${a} and ${b}`).join('; ');
  throw new ResultError(
    'RUNS_NOT_COMPARABLE',
    `${first.id} and ${second.id} were not measured in the same way (${list}); these must be equal to compare runs`,
  );
}

function differenceOf(input: {
  measure: MeasureName;
  first: number;
  second: number;
  valid: boolean;
}): Difference {
  const { measure, first, second, valid } = input;
  const { unit, noise: band } = MEASURE_TABLE[measure];
  const change = second - first;
  const larger = Math.max(Math.abs(first), Math.abs(second));
  const noise = Math.max(band.absolute, (band.relativePercent / 100) * larger);
  return {
    measure,
    unit,
    first,
    second,
    change,
    changePercent: first === 0 ? null : (100 * change) / Math.abs(first),
    noise,
    verdict: valid ? verdictOf(measure, change, noise) : 'not judged',
  };
}

function verdictOf(measure: MeasureName, change: number, noise: number): Verdict {
  if (Math.abs(change) <= noise) return 'within noise';
  const { better } = MEASURE_TABLE[measure];
  if (better === 'neutral') return 'different';
  return change > 0 === (better === 'higher') ? 'better' : 'worse';
}

function notesOn(first: RunResult, second: RunResult): string[] {
  const notes: string[] = [];
  for (const run of [first, second]) {
    const reasons = run.validity.checks.filter((one) => one.ok === false).map((one) => one.text);
    if (reasons.length > 0) notes.push(`${run.id} is not valid: ${reasons.join('; ')}. Nothing is judged.`);
    if (run.turnedKnobs.length > 0) {
      const turned = run.turnedKnobs.map(
        ({ second, knob, to }) => `${knob} to ${to} at ${Math.round(second)} s`,
      );
      notes.push(
        `Knobs were turned while ${run.id} ran: ${turned.join(', ')}. Its figures mix what was before and after.`,
      );
    }
    const unknown = Object.keys(run.measures).filter((name) => !isMeasureName(name));
    if (unknown.length > 0)
      notes.push(`${run.id} has measures that this lab does not know: ${unknown.join(', ')}`);
  }
  if (first.machine.cpuModel !== second.machine.cpuModel || first.machine.cores !== second.machine.cores) {
    notes.push('The runs come from different machines; durations and CPU differ for that alone.');
  }
  if (first.target.kind !== second.target.kind || first.target.database !== second.target.database) {
    notes.push('The runs come from different targets.');
  }
  if (first.load?.engine.name !== second.load?.engine.name) {
    notes.push(
      `The load came from different engines: ${first.load?.engine.name} and ${second.load?.engine.name}.`,
    );
  }
  return notes;
}

function summaryOf(result: RunResult) {
  return {
    id: result.id,
    scenario: result.scenario.name,
    bottleneck: result.diagnosis.findings[0]?.title ?? '',
  };
}
