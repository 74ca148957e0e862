import type { LoadRow } from '@bottleneck-lab/contracts';
import { summarizeDurations } from './durations.js';

/** One second of the load as the engine reports it; `second` counts from the load's start. */
export interface LoadSecond {
  second: number;
  users: number;
  requests: number;
  failed: number;
  droppedIterations: number;
  durationsMs: readonly number[];
}

/**
 * The load's seconds as measurement rows on the wall clock. The load starts on a whole second give or take a
 * few milliseconds, so its zero is rounded.
 */
export function loadRows(seconds: readonly LoadSecond[], loadStartMs: number): LoadRow[] {
  const zero = loadStartSecond(loadStartMs);
  return seconds.map(({ second, users, requests, failed, droppedIterations, durationsMs }) => ({
    kind: 'load',
    second: zero + second,
    users,
    requests,
    failed,
    droppedIterations,
    duration: summarizeDurations(durationsMs),
  }));
}

/** The wall-clock second that is a run's second 0. */
export function loadStartSecond(loadStartMs: number): number {
  return Math.round(loadStartMs / 1000);
}
