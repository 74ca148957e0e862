/** One measurement: what a saturated service answered under a CPU limit. */
export interface Measurement {
  limitCores: number;
  requestsPerSecond: number;
}

export interface FindLimitOptions {
  targetRequestsPerSecond: number;
  /** First guess, for example of an earlier calibration. */
  initialLimitCores: number;
  /** Most that one thread can use. */
  maxLimitCores?: number;
  /** Relative deviation of the measured rate that is good enough. */
  tolerance?: number;
  maxRounds?: number;
  measure: (limitCores: number) => Promise<number>;
}

export interface FoundLimit extends Measurement {
  rounds: Measurement[];
  /** Whether the last measurement is within the tolerance. */
  withinTolerance: boolean;
}

/** The services take no smaller limit. */
const SMALLEST_LIMIT = 0.01;

/**
 * Saturates under a guess and corrects it until the measured rate is close to the target. The rate is nearly
 * proportional to the limit but not quite: a throttled request costs more than an unthrottled one, so a limit
 * computed from an unthrottled measurement misses by up to a quarter.
 */
export async function findLimit(options: FindLimitOptions): Promise<FoundLimit> {
  const { targetRequestsPerSecond: target, maxLimitCores = 1, tolerance = 0.03, maxRounds = 4 } = options;
  const rounds: Measurement[] = [];
  const miss = (round: Measurement) => Math.abs(round.requestsPerSecond / target - 1);
  let limitCores = clamp(options.initialLimitCores, maxLimitCores);

  for (let round = 1; round <= maxRounds; round += 1) {
    const measured = { limitCores, requestsPerSecond: await options.measure(limitCores) };
    rounds.push(measured);
    if (miss(measured) <= tolerance) return { ...measured, rounds, withinTolerance: true };
    const next = clamp(nextLimit(rounds, target), maxLimitCores);
    if (next === limitCores) break;
    limitCores = next;
  }
  const last = rounds.at(-1) as Measurement;
  return { ...last, rounds, withinTolerance: false };
}

/** In proportion after one round; along the line through the best two rounds when that line is plausible. */
export function nextLimit(rounds: readonly Measurement[], target: number): number {
  const miss = (round: Measurement) => Math.abs(round.requestsPerSecond - target);
  const [best, second] = [...rounds].sort((a, b) => miss(a) - miss(b)) as [Measurement, Measurement?];
  const proportional = best.limitCores * (target / Math.max(best.requestsPerSecond, target / 20));
  if (second === undefined) return proportional;
  const slope = (best.requestsPerSecond - second.requestsPerSecond) / (best.limitCores - second.limitCores);
  const proportionalSlope = best.requestsPerSecond / best.limitCores;
  // Two close measurements with noise can give any slope, even a falling one.
  if (!(slope > proportionalSlope / 2 && slope < proportionalSlope * 2)) return proportional;
  return best.limitCores + (target - best.requestsPerSecond) / slope;
}

function clamp(limitCores: number, maxLimitCores: number): number {
  return Math.min(maxLimitCores, Math.max(SMALLEST_LIMIT, Number(limitCores.toFixed(4))));
}
