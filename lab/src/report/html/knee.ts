import { quantity } from '../../analysis/quantity.js';
import { KNEE_FEWEST_STEPS } from '../../analysis/step-statistics.js';
import type { RunResult } from '../../results/result-schema.js';

/** Where throughput stopped following the users, as a mark and in words. */
export interface Knee {
  /** `null` when there is none, or when it can't be told. */
  second: number | null;
  text: string;
}

/** The knee is a step's: the first from which on every user gets less than the first steps gave. */
export function kneeOf({ measures, steps }: Pick<RunResult, 'measures' | 'steps'>): Knee {
  const users = measures['load.kneeUsers'];
  if (users !== undefined) {
    const step = steps.find((one) => one.users >= users - 1e-9);
    return {
      second: step?.fromSecond ?? null,
      text: `Throughput stopped following the users at about ${quantity(users)} users.`,
    };
  }
  if (steps.length < KNEE_FEWEST_STEPS) {
    return { second: null, text: 'There are too few steps to tell whether throughput followed the users.' };
  }
  return { second: null, text: 'Throughput followed the users to the end: no knee.' };
}
