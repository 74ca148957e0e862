/** The middle one; of an even number, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** Largest over smallest, minus 1. */
export function spread(values: readonly number[]): number {
  return Math.max(...values) / Math.min(...values) - 1;
}

/** The services take no smaller limit, and one thread can use no more than a core. */
const SMALLEST_CORES = 0.01;
export const LARGEST_CORES = 1;

/** The limit under which `requestsPerSecond` are answered, in steps of a ten-thousandth of a core. */
export function limitFor(requestsPerSecond: number, requestsPerCore: number): number {
  const cores = requestsPerSecond / Math.max(requestsPerCore, 1);
  return Math.min(LARGEST_CORES, Math.max(SMALLEST_CORES, Number(cores.toFixed(4))));
}

/**
 * The article's 40 users, with a think time of 0.3 s and about 70 ms of answers, ask for little more than 100 requests/s:
 * with a ceiling of 99, the end of the load lies on the knee, where chance decides whether CPU saturates. A little below
 * it does, and the ceiling is still above the 90 requests/s that count as the same.
 */
const AIM_LOW = 0.96;

/** What to aim at, by what a load through the whole system has shown. */
export const correctedTarget = (requestsPerSecond: number) => requestsPerSecond * AIM_LOW;

/** The limit that a load has shown to be right for a wanted rate. */
export const correctedLimit = (requestsPerSecond: number, requestsPerCore: number) =>
  limitFor(correctedTarget(requestsPerSecond), requestsPerCore);
