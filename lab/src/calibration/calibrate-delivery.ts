import type { Calibration } from '../recording/index.js';
import { StackError } from '../stack/errors.js';
import { readCachedCalibration, storeCalibration } from './calibration-cache.js';
import { findLimit } from './find-limit.js';

/** Ceilings outside this share of the wanted one would move the scenarios' figures out of their ranges. */
const ACCEPTED = { min: 0.91, max: 1.09 } as const;
/** A cached limit is corrected when a short measurement misses by more than this. */
const CACHE_TOLERANCE = 0.05;
const FIRST_GUESS_CORES = 0.25;
const ATTEMPTS = 2;

export interface CalibrateOptions {
  targetRequestsPerSecond: number;
  cachePath: string;
  fingerprint: string;
  /** Puts the limit into effect, saturates the service, and returns requests/s. */
  measure: (limitCores: number) => Promise<number>;
  now?: () => Date;
}

/**
 * Finds the CPU limit under which delivery saturates at the wanted rate: from the cache and verified, or by
 * saturating and correcting. Measured like the real condition, throttled.
 */
export async function calibrateDelivery(options: CalibrateOptions): Promise<Calibration> {
  const { targetRequestsPerSecond: target, cachePath, fingerprint, measure } = options;
  const cached = readCachedCalibration({ path: cachePath, fingerprint, targetRequestsPerSecond: target });
  let initial = cached?.limitCores ?? FIRST_GUESS_CORES;
  let found = await findLimit({
    targetRequestsPerSecond: target,
    initialLimitCores: initial,
    tolerance: cached === null ? undefined : CACHE_TOLERANCE,
    measure,
  });
  const verifiedCache = cached !== null && found.rounds.length === 1;
  for (let attempt = 1; attempt < ATTEMPTS && !accepted(found.requestsPerSecond, target); attempt += 1) {
    initial = found.limitCores;
    found = await findLimit({ targetRequestsPerSecond: target, initialLimitCores: initial, measure });
  }
  if (!accepted(found.requestsPerSecond, target)) throw notCalibrated(found, target);

  storeCalibration(cachePath, fingerprint, {
    targetRequestsPerSecond: target,
    limitCores: found.limitCores,
    ceilingRequestsPerSecond: found.requestsPerSecond,
    measuredAt: (options.now?.() ?? new Date()).toISOString(),
  });
  return {
    deliveryCpuLimitCores: found.limitCores,
    ceilingRequestsPerSecond: found.requestsPerSecond,
    source: verifiedCache ? 'cached' : 'measured',
  };
}

function accepted(requestsPerSecond: number, target: number): boolean {
  const share = requestsPerSecond / target;
  return share >= ACCEPTED.min && share <= ACCEPTED.max;
}

function notCalibrated(found: { limitCores: number; requestsPerSecond: number }, target: number): StackError {
  const measured = `${found.requestsPerSecond.toFixed(1)} requests/s under ${found.limitCores} cores`;
  const cause =
    found.limitCores >= 1
      ? 'one core is too slow for it on this machine'
      : 'the machine is too busy to measure; try again when it is idle';
  return new StackError(
    'CALIBRATION_FAILED',
    `delivery could not be limited to ${target} requests/s (measured ${measured}): ${cause}`,
  );
}
