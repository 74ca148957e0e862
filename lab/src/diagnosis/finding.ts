import type { MeasureName } from '../analysis/measure-table.js';
import type { KnobName } from '../scenarios/knobs.js';
import type { BottleneckName } from '../scenarios/scenario.js';
import { type QueryName, queryBehind } from './evidence-queries.js';

/** What a rule can name: a bottleneck of the system, or a reason not to trust the measurement. */
export type FindingName = BottleneckName | 'invalid-run' | 'generator-saturated';

/** One sentence with its numbers and where they come from. */
export interface Evidence {
  text: string;
  /** Measures that the sentence quotes. */
  measures: MeasureName[];
  /** Rows of the measurement model that it quotes beyond those, in words; empty if none. */
  rows: string;
  /** The query of the library that shows it from telemetry; null where telemetry can't. */
  query: QueryName | null;
}

/** Something to try next, with the knob that does it where there is one. */
export interface Experiment {
  text: string;
  knob: KnobName | null;
}

export interface Finding {
  name: FindingName;
  /** In a few words, with the subject: `CPU of delivery`. */
  title: string;
  /** What it concerns: a service, a partition, a container; empty if the system as a whole. */
  subject: string;
  /** Ranks findings of one class, 0 to 100: how much of the load's time or capacity it explains. */
  score: number;
  /** `low`: the run is not valid, so this is at best a hint. */
  confidence: 'high' | 'medium' | 'low';
  evidence: Evidence[];
  next: Experiment[];
}

/** How one rule came out; each says why. */
export type RuleOutcome =
  | { rule: FindingName; outcome: 'found'; findings: Finding[] }
  | { rule: FindingName; outcome: 'not-found'; because: string }
  | { rule: FindingName; outcome: 'no-data'; missing: string };

/**
 * Findings of an earlier class outrank later ones: a broken measurement says nothing about the system; a limit
 * that is reached decides what the system can do; failures are mostly its symptom; structure decides only when
 * nothing is exhausted.
 */
export const RULE_CLASSES = ['measurement', 'limit', 'symptom', 'structure', 'nothing'] as const;
export type RuleClass = (typeof RULE_CLASSES)[number];

export const found = (rule: FindingName, ...findings: Finding[]): RuleOutcome => ({
  rule,
  outcome: 'found',
  findings,
});
export const notFound = (rule: FindingName, because: string): RuleOutcome => ({
  rule,
  outcome: 'not-found',
  because,
});
export const noData = (rule: FindingName, missing: string): RuleOutcome => ({
  rule,
  outcome: 'no-data',
  missing,
});

export function evidence(text: string, measures: MeasureName[], rows = ''): Evidence {
  return { text, measures, rows, query: queryBehind(measures) };
}

/** Keeps a score inside its scale. */
export function scoreOf(value: number): number {
  return Math.round(Math.min(100, Math.max(0, value)));
}
