import { constantArrivalRate, rampingArrivalRate } from './arrival-rate.js';
import { constantVus } from './constant-vus.js';
import type { ExecutorDefinition } from './executor.js';
import { perVuIterations, sharedIterations } from './iterations.js';
import { rampingVus } from './ramping-vus.js';

/** The executors by the name a script uses. */
export const EXECUTORS: Readonly<Record<string, ExecutorDefinition>> = {
  'ramping-vus': rampingVus as ExecutorDefinition,
  'constant-vus': constantVus as ExecutorDefinition,
  'shared-iterations': sharedIterations as ExecutorDefinition,
  'per-vu-iterations': perVuIterations as ExecutorDefinition,
  'constant-arrival-rate': constantArrivalRate as ExecutorDefinition,
  'ramping-arrival-rate': rampingArrivalRate as ExecutorDefinition,
};
