import { quantity } from '../analysis/quantity.js';
import { judgeMeasure, signed } from './judge-measure.js';
import { addCounts, countMeasures, type LoadCounts, type LoadTimes, TIME_MEASURES } from './load-figures.js';
import type { PairedChange } from './paired-interval.js';
import { FEWEST_PAIRS, pairedChange } from './paired-interval.js';
import type { CiCase } from './verdict.js';

/** One load on each side, right after one another. */
export interface Round {
  target: Block;
  against: Block;
}

export interface Block {
  counts: LoadCounts;
  times: LoadTimes | null;
  /** Why its times say nothing; empty when they do. */
  tooBusy: string;
}

export interface AgainstRules {
  /** Of all times together, 0 to 1: the chance that no interval misses what it should hold. */
  confidence: number;
  /** A change of a time below this is not worth failing for, percent. */
  smallestPercent: number;
}

export interface TimeChange extends PairedChange {
  measure: string;
}

/** Counts of all rounds together are judged strictly; times by the interval of their paired changes. */
export function judgeAgainst(
  rounds: readonly Round[],
  rules: AgainstRules,
): { cases: CiCase[]; changes: TimeChange[] } {
  const fit = rounds.filter(({ target, against }) => target.tooBusy === '' && against.tooBusy === '');
  const names = Object.keys(TIME_MEASURES) as (keyof typeof TIME_MEASURES)[];
  // Bonferroni: each interval is wider, so that all of them hold together with the confidence asked for.
  const confidence = 1 - (1 - rules.confidence) / names.length;
  const changes: TimeChange[] = [];
  const times = names.map((name): CiCase => {
    const change = pairedChange(pairsOf(fit, name), confidence);
    if (change !== null) changes.push({ measure: name, ...change });
    if (change !== null) return judgeTime(name, change, rules);
    return tooFew({ name, rounds: rounds.length, fit });
  });
  return { cases: [...judgeCounts(rounds), ...times], changes };
}

function pairsOf(rounds: readonly Round[], name: keyof typeof TIME_MEASURES): [number, number][] {
  const { of } = TIME_MEASURES[name];
  return rounds.flatMap(({ target, against }): [number, number][] => {
    const [value, reference] = [target.times?.[of] ?? null, against.times?.[of] ?? null];
    return value === null || reference === null ? [] : [[value, reference]];
  });
}

function judgeTime(name: keyof typeof TIME_MEASURES, change: PairedChange, rules: AgainstRules): CiCase {
  const { changePercent, lowPercent, highPercent } = change;
  const seen = `${quantity(lowPercent, 3)} to ${quantity(highPercent, 3)} %`;
  const higher = lowPercent > 0;
  const lower = highPercent < 0;
  const large = Math.abs(changePercent) >= rules.smallestPercent;
  const base = { group: 'against' as const, name };
  if (!(higher || lower)) {
    const text = `${name}: no change is certain (${signed(changePercent)} %, interval ${seen})`;
    return { ...base, outcome: 'passed', text };
  }
  const moved = `${name} is ${quantity(Math.abs(changePercent), 3)} % ${higher ? 'higher' : 'lower'} than against (interval ${seen})`;
  if (!large) return { ...base, outcome: 'passed', text: `${moved}: less than ${rules.smallestPercent} %` };
  const worse = higher === (TIME_MEASURES[name].better === 'lower');
  return { ...base, outcome: worse ? 'failed' : 'passed', text: worse ? moved : `${moved}: better` };
}

/** Too short a load has no rate, whatever the machine; a busy machine can be tried again. */
function tooFew(input: { name: string; rounds: number; fit: readonly Round[] }): CiCase {
  const { name, rounds, fit } = input;
  const base = { group: 'against' as const, name };
  if (fit.length < FEWEST_PAIRS) {
    const text = `${name} was not judged: the machine was too busy in ${rounds - fit.length} of ${rounds} rounds`;
    return { ...base, outcome: 'undecided', text };
  }
  return { ...base, outcome: 'skipped', text: `${name} was not judged: each load is too short to tell it` };
}

function judgeCounts(rounds: readonly Round[]): CiCase[] {
  const reference = countMeasures(addCounts(rounds.map(({ against }) => against.counts)));
  const now = countMeasures(addCounts(rounds.map(({ target }) => target.counts)));
  return Object.entries(reference).map(([name, before]): CiCase => {
    const after = now[name];
    const base = { group: 'against' as const, name };
    if (after === undefined) {
      return { ...base, outcome: 'failed', text: `${name} is gone: only the system against has it` };
    }
    const { outcome, text, changePercent, allowed } = judgeMeasure({ name, reference: before, now: after });
    const figures = {
      reference: before.value,
      value: after.value,
      unit: before.unit,
      changePercent,
      allowed,
    };
    return { ...base, outcome, text, figures };
  });
}
