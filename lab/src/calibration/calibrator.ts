import type { Calibration } from '../recording/index.js';
import { StackError } from '../stack/errors.js';
import { readCachedCalibration, storeCalibration } from './calibration-cache.js';
import { limitFor, type Measurement, median, perCore, spread } from './capacity.js';

/**
 * Finds the CPU limit under which delivery saturates at a wanted rate. Measured like the real condition: warm and
 * throttled, as a throttled request costs more than an unthrottled one and a cold one more than a warm one.
 */
export interface Calibrator {
  /** The limit to start delivery with: of the cache, else a guess. */
  readonly initialLimitCores: number;
  /** A first look, which may run while the machine is busy starting. Does nothing when there is a cached limit. */
  look(): Promise<void>;
  /** The calibration itself; wants a quiet machine. */
  calibrate(): Promise<Calibration>;
}

export interface MeasureTimes {
  warmUpMs: number;
  measureMs: number;
}

export interface CalibratorOptions {
  targetRequestsPerSecond: number;
  cachePath: string;
  fingerprint: string;
  /** Puts a limit into effect. */
  setLimit: (limitCores: number) => Promise<void>;
  /** Saturates the service and returns requests/s. */
  measure: (times: MeasureTimes) => Promise<number>;
  now?: () => Date;
}

const GUESS_CORES = 0.3;
const LOOK: MeasureTimes = { warmUpMs: 400, measureMs: 600 };
const VERIFY: MeasureTimes = { warmUpMs: 1_000, measureMs: 1_500 };
const ROUND: MeasureTimes = { warmUpMs: 1_500, measureMs: 2_000 };
/** A cold process answers about a sixth less than a warm one. */
const COLD_SHARE = 0.85;
/** Changing the limit costs a restart and what the old process had warmed, so small corrections are left. */
const WORTH_CHANGING = 0.03;
/** Two rounds that differ more than this need a third; a check that differs more does not confirm the cache. */
const DOUBTFUL = 0.15;
/** A cached limit is the outcome of several rounds, so that a short check counts less. */
const CACHE_WEIGHT = 2;

export function createCalibrator(options: CalibratorOptions): Calibrator {
  const { targetRequestsPerSecond: target, cachePath, fingerprint, setLimit, measure } = options;
  const cached = readCachedCalibration({ path: cachePath, fingerprint, targetRequestsPerSecond: target });
  const initialLimitCores = cached?.limitCores ?? GUESS_CORES;
  let limitCores = initialLimitCores;

  const useLimit = async (requestsPerCore: number, worthChanging = WORTH_CHANGING) => {
    const wanted = limitFor(target, requestsPerCore);
    if (Math.abs(wanted / limitCores - 1) <= worthChanging) return;
    limitCores = wanted;
    await setLimit(limitCores);
  };
  const round = async (times: MeasureTimes): Promise<number> => {
    const measured: Measurement = { limitCores, requestsPerSecond: await measure(times) };
    return perCore(measured);
  };

  /** Two rounds, the second one near the target; a third when they contradict each other. */
  const fromMeasurements = async (known: readonly number[]): Promise<number> => {
    const rounds = [...known];
    while (rounds.length < 2 || (rounds.length < 3 && spread(rounds) > DOUBTFUL)) {
      rounds.push(await round(ROUND));
      await useLimit(median(rounds));
    }
    return median(rounds);
  };

  const confirmCache = async ({ limitCores: cores, ceilingRequestsPerSecond }: Measured): Promise<number> => {
    const before = ceilingRequestsPerSecond / cores;
    const now = await round(VERIFY);
    if (spread([before, now]) > DOUBTFUL) return fromMeasurements([before, now]);
    return (before * CACHE_WEIGHT + now) / (CACHE_WEIGHT + 1);
  };

  return {
    initialLimitCores,
    async look() {
      if (cached === null) await useLimit((await round(LOOK)) / COLD_SHARE);
    },
    async calibrate() {
      const requestsPerCore = cached === null ? await fromMeasurements([]) : await confirmCache(cached);
      if (limitFor(target, requestsPerCore) * requestsPerCore < target * 0.95) {
        throw tooSlow(target, requestsPerCore);
      }
      await useLimit(requestsPerCore);
      const ceilingRequestsPerSecond = limitCores * requestsPerCore;
      storeCalibration(cachePath, fingerprint, {
        targetRequestsPerSecond: target,
        limitCores,
        ceilingRequestsPerSecond,
        measuredAt: (options.now?.() ?? new Date()).toISOString(),
      });
      return {
        deliveryCpuLimitCores: limitCores,
        ceilingRequestsPerSecond,
        source: limitCores === cached?.limitCores ? 'cached' : 'measured',
      };
    },
  };
}

type Measured = { limitCores: number; ceilingRequestsPerSecond: number };

function tooSlow(target: number, requestsPerCore: number): StackError {
  return new StackError(
    'CALIBRATION_FAILED',
    `delivery can't answer ${target} requests/s on this machine: one core gives ${requestsPerCore.toFixed(1)}; ` +
      'use a faster or less busy machine',
  );
}
