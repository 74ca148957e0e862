import { MEASURE_TABLE, type Measures } from '../analysis/measure-table.js';
import { quantity, withUnit } from '../analysis/quantity.js';
import type { Diagnosis } from '../diagnosis/diagnose.js';
import type { RunMeta } from '../recording/recording.js';
import { boundsOf, type Expectation } from '../scenarios/expectation.js';
import type { ExpectedRange, RunResult } from './result-schema.js';

/** How a run did against what its scenario expects; `null` when the scenario expects nothing. */
export function judgeExpected(input: {
  meta: RunMeta;
  measures: Measures;
  diagnosis: Diagnosis;
  valid: boolean;
}): RunResult['expected'] {
  const { meta, measures, diagnosis, valid } = input;
  const { expected } = meta.scenario;
  if (expected === undefined) return null;
  const found = diagnosis.findings[0]?.name ?? 'none-found';
  const turned = (meta.turnedKnobs ?? []).length > 0;
  const unjudged = valid ? (turned ? 'knobs were turned while it ran' : null) : 'the run is not valid';
  return {
    bottleneck: {
      expected: expected.bottleneck,
      found,
      ok: unjudged === null ? found === expected.bottleneck : null,
    },
    measures: expected.measures.map((range) =>
      judgeRange({ range, value: measures[range.measure], calibrated: meta.target.calibrated, unjudged }),
    ),
  };
}

function judgeRange(input: {
  range: Expectation;
  value: number | undefined;
  calibrated: boolean;
  /** Why nothing of this run is judged; null when it is. */
  unjudged: string | null;
}): ExpectedRange {
  const { range, value, calibrated, unjudged } = input;
  const { min, max } = boundsOf(range);
  const { unit } = MEASURE_TABLE[range.measure];
  const judged = (ok: boolean | null, reason: string): ExpectedRange => ({
    measure: range.measure,
    unit,
    min,
    max,
    value: value ?? null,
    ok,
    reason,
  });
  if (unjudged !== null) return judged(null, unjudged);
  if (range.targets === 'calibrated' && !calibrated) {
    return judged(null, 'an absolute figure, and this target is not calibrated');
  }
  if (value === undefined) return judged(calibrated ? false : null, 'not measured');
  return judged((min === null || value >= min) && (max === null || value <= max), '');
}

/** `20.5 ± 15 %` as `17.4 to 23.6 req/s`; an open side as `at least` or `at most`. */
export function describeRange({ min, max, unit }: Pick<ExpectedRange, 'min' | 'max' | 'unit'>): string {
  if (min !== null && max !== null) {
    return min === max ? withUnit(min, unit, 3) : `${quantity(min, 3)} to ${withUnit(max, unit, 3)}`;
  }
  if (min !== null) return `at least ${withUnit(min, unit, 3)}`;
  return max === null ? 'anything' : `at most ${withUnit(max, unit, 3)}`;
}

/** Every expectation that was missed, one sentence each; empty when all were met or none was judged. */
export function missedExpectations(result: RunResult): string[] {
  const { expected } = result;
  if (expected === null) return [];
  const missed = expected.measures
    .filter((range) => range.ok === false)
    .map((range) => {
      const value = range.value === null ? range.reason : withUnit(range.value, range.unit, 3);
      return `${result.scenario.name}: ${range.measure} is ${value}, expected ${describeRange(range)}`;
    });
  const { bottleneck } = expected;
  if (bottleneck.ok === false) {
    missed.push(
      `${result.scenario.name}: the bottleneck found is ${bottleneck.found}, expected ${bottleneck.expected}`,
    );
  }
  return missed;
}
