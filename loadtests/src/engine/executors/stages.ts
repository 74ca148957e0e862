import type { Fields } from '../fields.js';
import { Fields as StageFields } from '../fields.js';
import type { VuStep } from './executor.js';

export interface Stage {
  readonly durationMs: number;
  readonly target: number;
}

const NS_PER_MS = 1e6;

/** Reads the required `stages`, each with `duration` and `target`. */
export function readStages(fields: Fields): Stage[] {
  const list = fields.list('stages');
  if (list === undefined || list.length === 0) {
    throw fields.invalid('stages', 'must be a list of at least one { duration, target }', list);
  }
  return list.map((entry, index) => {
    const stage = new StageFields(`${fields.path}.stages[${index}]`, entry);
    const read = { durationMs: stage.duration('duration'), target: stage.integer('target') };
    stage.refuseUnread();
    return read;
  });
}

export function stagesDurationMs(stages: readonly Stage[]): number {
  return stages.reduce((sum, stage) => sum + stage.durationMs, 0);
}

/**
 * The exact moments at which a ramp changes the number of virtual users: over a stage from a to b in d, the i-th
 * change comes at d * i / |b - a|, in whole nanoseconds as k6 computes it; a stage of no length jumps.
 * The last step keeps its number; the end of the scenario is the caller's.
 */
export function rampSteps(start: number, stages: readonly Stage[]): VuStep[] {
  const steps: VuStep[] = [{ atMs: 0, vus: start }];
  let from = start;
  let stageStartMs = 0;
  for (const { durationMs, target } of stages) {
    const changes = Math.abs(target - from);
    const direction = Math.sign(target - from);
    if (durationMs === 0 && changes > 0) steps.push({ atMs: stageStartMs, vus: target });
    for (let i = 1; durationMs > 0 && i <= changes; i++) {
      const offsetNs = Math.floor((durationMs * NS_PER_MS * i) / changes);
      steps.push({ atMs: stageStartMs + offsetNs / NS_PER_MS, vus: from + direction * i });
    }
    from = target;
    stageStartMs += durationMs;
  }
  return steps;
}

/**
 * Reserves a virtual user for `gracefulRampDownMs` after each ramp down, so that its last iteration can finish there,
 * but not beyond `endMs`.
 */
export function reserveRampDowns(
  steps: readonly VuStep[],
  gracefulRampDownMs: number,
  endMs: number,
): VuStep[] {
  const moments = new Set<number>();
  for (const step of steps) {
    moments.add(step.atMs);
    if (step.atMs + gracefulRampDownMs < endMs) moments.add(step.atMs + gracefulRampDownMs);
  }
  const reserved: VuStep[] = [];
  for (const atMs of [...moments].sort((a, b) => a - b)) {
    const vus = highestWithin(steps, atMs - gracefulRampDownMs, atMs);
    if (reserved.at(-1)?.vus !== vus) reserved.push({ atMs, vus });
  }
  return [...reserved, { atMs: endMs, vus: 0 }];
}

/** Highest count that held at any moment after `fromMs` and up to `toMs`. */
function highestWithin(steps: readonly VuStep[], fromMs: number, toMs: number): number {
  let highest = 0;
  steps.forEach((step, index) => {
    const endsMs = steps[index + 1]?.atMs ?? Number.POSITIVE_INFINITY;
    if (step.atMs <= toMs && endsMs > fromMs) highest = Math.max(highest, step.vus);
  });
  return highest;
}
