import type { Recording } from '../recording/recording.js';
import type { Measures } from './measure-table.js';
import type { Span, Timeline } from './timeline.js';
import { meanOf, sumOf } from './windows.js';

/** One step of the load with its own measures. */
export interface StepStatistics extends Span {
  name: string;
  /** Mean over the step. */
  users: number;
  measures: Measures;
}

/** A linear ramp has no steps of its own: it is cut into this many equal slices. */
const RAMP_SLICES = 8;

/** The load's steps as far as the run got; whole seconds. */
export function stepSpans(recording: Recording, timeline: Timeline): (Span & { name: string })[] {
  const steps = recording.load?.steps ?? [];
  const planned = steps.length > 0 ? steps : equalSlices(recording.meta.plannedSeconds);
  return planned
    .map((step) => ({
      name: step.name,
      fromSecond: Math.round(step.fromSecond),
      toSecond: Math.min(timeline.lengthSeconds, Math.round(step.toSecond)),
    }))
    .filter((step) => step.toSecond > step.fromSecond);
}

function equalSlices(plannedSeconds: number): (Span & { name: string })[] {
  return Array.from({ length: RAMP_SLICES }, (_, at) => ({
    name: String(at + 1),
    fromSecond: (plannedSeconds * at) / RAMP_SLICES,
    toSecond: (plannedSeconds * (at + 1)) / RAMP_SLICES,
  }));
}

export function meanUsers(timeline: Timeline, span: Span): number {
  return meanOf(timeline.rows('load', span).map((row) => row.users));
}

/** Below this share of what a user brought in the first steps, a step is past the knee. */
const KNEE_SHARE = 0.8;
const FIRST_STEPS = 3;
/** The first ones, and one to compare with them: with fewer nobody can tell whether there is a knee. */
export const KNEE_FEWEST_STEPS = FIRST_STEPS + 1;

/**
 * Users of the first step from which on every user gets less than 80 % of what one got in the first three steps
 * together: a single one of those may have hardly any users, and swings. `null` when throughput keeps up, or when
 * there are too few steps to tell.
 */
export function kneeUsers(steps: readonly StepStatistics[]): number | null {
  if (steps.length < KNEE_FEWEST_STEPS) return null;
  const first = steps.slice(0, FIRST_STEPS);
  const baseline = perUser(sumOf(first.map(throughputOf)), sumOf(first.map((step) => step.users)));
  let knee: number | null = null;
  for (const step of steps.slice(FIRST_STEPS).toReversed()) {
    if (perUser(throughputOf(step), step.users) >= KNEE_SHARE * baseline) break;
    knee = step.users;
  }
  return knee;
}

const throughputOf = (step: StepStatistics) => step.measures['throughput.mean'] ?? 0;
const perUser = (requestsPerSecond: number, users: number) => (users === 0 ? 0 : requestsPerSecond / users);
