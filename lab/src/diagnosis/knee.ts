import type { Analysis } from '../analysis/analyse.js';
import { quantity } from '../analysis/quantity.js';
import { KNEE_FEWEST_STEPS } from '../analysis/step-statistics.js';
import { type Evidence, evidence } from './finding.js';

/** A limit that is reached shows in the curve: more users bring no more. Empty where throughput kept up. */
export function kneeEvidence({ measures }: Analysis): Evidence[] {
  const users = measures['load.kneeUsers'];
  if (users === undefined) return [];
  return [
    evidence(`throughput stopped following the users at about ${quantity(users)} users`, ['load.kneeUsers']),
  ];
}

/** For a run in which no rule found anything: whether the curve agrees. */
export function headroomInCurve(analysis: Analysis): Evidence {
  const [knee] = kneeEvidence(analysis);
  if (knee !== undefined) return { ...knee, text: `${knee.text}, though no rule says why` };
  if (analysis.steps.length < KNEE_FEWEST_STEPS) {
    return evidence('there are too few steps to tell whether throughput followed the users', []);
  }
  const users = analysis.measures['load.maxUsers'];
  if (users === undefined) return evidence('nothing is known about the users', []);
  return evidence(`throughput followed the users up to the last of ${quantity(users)}`, ['load.maxUsers']);
}
