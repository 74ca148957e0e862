import type { Calibration } from '../recording/index.js';
import { StackError } from '../stack/errors.js';
import { readCachedCalibration, storeCalibration } from './calibration-cache.js';
import { limitFor, median, spread } from './capacity.js';
import { CHECK, LOOK, type MeasureTimes, ROUND, WARM } from './measure-times.js';

/**
 * Finds the CPU limit under which delivery saturates at a wanted rate. Measured like the real condition, throttled:
 * a throttled request costs more than an unthrottled one.
 */
export interface Calibrator {
  /** The limit to start delivery with: of the cache, else a guess. */
  readonly initialLimitCores: number;
  /** A first look, which may run while the machine is busy starting. Does nothing when there is a cached limit. */
  look(): Promise<void>;
  /** The calibration itself; wants a quiet machine. */
  calibrate(): Promise<Calibration>;
  /** Measures once more when the process has become warm, which a new one can't be, and corrects the limit. */
  confirm(): Promise<Calibration>;
  /** Takes what a real load has shown, requests/s per core at saturation, for better than any measurement of its own. */
  adopt(requestsPerCore: number): Promise<Calibration>;
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
/** Changing the limit costs a restart and what the old process had warmed, so small corrections are left. */
const WORTH_CHANGING = 0.03;
/** Two rounds that differ more than this need a third; a check that differs more does not support what is known. */
const DOUBTFUL = 0.15;
/** What is known comes from several measurements, so that one more counts less. */
const KNOWN_WEIGHT = 2;

export function createCalibrator(options: CalibratorOptions): Calibrator {
  const { targetRequestsPerSecond: target, cachePath, fingerprint, setLimit, measure } = options;
  const cached = readCachedCalibration({ path: cachePath, fingerprint, targetRequestsPerSecond: target });
  const initialLimitCores = cached?.limitCores ?? GUESS_CORES;
  let limitCores = initialLimitCores;
  /** Requests/s that one core gives, warm and throttled. */
  let requestsPerCore = cached === null ? 0 : cached.ceilingRequestsPerSecond / cached.limitCores;
  let source: Calibration['source'] = 'measured';

  const round = async (times: MeasureTimes) => ((await measure(times)) * times.warmGain) / limitCores;
  const useLimit = async (perCore: number) => {
    const wanted = limitFor(target, perCore);
    if (Math.abs(wanted / limitCores - 1) <= WORTH_CHANGING) return;
    limitCores = wanted;
    await setLimit(limitCores);
  };

  /** At least two rounds, the second one near the target; a third when they contradict each other. */
  const fromRounds = async (known: readonly number[]): Promise<number> => {
    const rounds = [...known];
    while (rounds.length < 2 || (rounds.length < 3 && spread(rounds) > DOUBTFUL)) {
      rounds.push(await round(ROUND));
      await useLimit(median(rounds));
    }
    return median(rounds);
  };

  const settle = async (perCore: number, from: Calibration['source']): Promise<Calibration> => {
    if (limitFor(target, perCore) * perCore < target * 0.95) throw tooSlow(target, perCore);
    requestsPerCore = perCore;
    source = from;
    await useLimit(perCore);
    const ceilingRequestsPerSecond = limitCores * perCore;
    storeCalibration(cachePath, fingerprint, {
      targetRequestsPerSecond: target,
      limitCores,
      ceilingRequestsPerSecond,
      measuredAt: (options.now?.() ?? new Date()).toISOString(),
    });
    return { deliveryCpuLimitCores: limitCores, ceilingRequestsPerSecond, source };
  };

  return {
    initialLimitCores,
    async look() {
      if (cached === null) await useLimit(await round(LOOK));
    },
    async calibrate() {
      if (cached === null) return settle(await fromRounds([]), 'measured');
      const now = await round(CHECK);
      if (spread([requestsPerCore, now]) > DOUBTFUL) {
        return settle(await fromRounds([requestsPerCore, now]), 'measured');
      }
      return settle(weighted(requestsPerCore, now), 'cached');
    },
    async confirm() {
      const now = await round(WARM);
      const supported = spread([requestsPerCore, now]) <= DOUBTFUL;
      return settle(supported ? weighted(requestsPerCore, now) : median([requestsPerCore, now]), source);
    },
    adopt: (perCore) => settle(perCore, 'measured'),
  };
}

function weighted(known: number, now: number): number {
  return (known * KNOWN_WEIGHT + now) / (KNOWN_WEIGHT + 1);
}

function tooSlow(target: number, perCore: number): StackError {
  return new StackError(
    'CALIBRATION_FAILED',
    `delivery can't answer ${target} requests/s on this machine: one core gives ${perCore.toFixed(1)}; ` +
      'use a faster or less busy machine',
  );
}
