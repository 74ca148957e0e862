import type { Calibration } from '../recording/index.js';
import { StackError } from '../stack/errors.js';
import { readCachedCalibration, storeCalibration } from './calibration-cache.js';
import { correctedTarget, LARGEST_CORES, limitFor, median, spread } from './capacity.js';
import { HEAT, type MeasureTimes, ROUND } from './measure-times.js';

/**
 * Finds the CPU limit under which delivery saturates at a wanted rate. Measured like the real condition, throttled:
 * a throttled request costs more than an unthrottled one.
 */
export interface Calibrator {
  /** The limit to start delivery with: of the cache, else a guess. */
  readonly initialLimitCores: number;
  /**
   * The calibration itself; wants a quiet machine. Without `verify` what is known of the machine is taken as it is, and
   * a first measurement is a short one: for whoever will correct the limit by a load.
   */
  calibrate(choice?: { verify: boolean }): Promise<Calibration>;
  /** Takes what a real load has shown, requests/s per core, for better than any measurement of its own. */
  adopt(requestsPerCore: number): Promise<Calibration>;
}

export interface CalibratorOptions {
  targetRequestsPerSecond: number;
  cachePath: string;
  fingerprint: string;
  /** Puts a limit into effect, at once and without a restart. */
  setLimit: (limitCores: number) => Promise<void>;
  /** Saturates the service and returns requests/s. */
  measure: (times: MeasureTimes) => Promise<number>;
  now?: () => Date;
}

const GUESS_CORES = 0.3;
/** Two rounds that differ more than this need a third; a check that differs more does not support what is known. */
const DOUBTFUL = 0.15;
/** What is known comes from several measurements, so that one more counts less. */
const KNOWN_WEIGHT = 2;

export function createCalibrator(options: CalibratorOptions): Calibrator {
  const { targetRequestsPerSecond: target, cachePath, fingerprint, setLimit, measure } = options;
  const cached = readCachedCalibration({ path: cachePath, fingerprint, targetRequestsPerSecond: target });
  const initialLimitCores = cached?.limitCores ?? GUESS_CORES;
  /** Requests/s that one core gives, throttled; 0 while unknown. */
  const known = cached === null ? 0 : cached.ceilingRequestsPerSecond / cached.limitCores;
  let limitCores = initialLimitCores;
  let source: Calibration['source'] = 'measured';

  const useLimit = async (cores: number) => {
    limitCores = cores;
    await setLimit(cores);
  };
  const round = async (times: MeasureTimes) => (await measure(times)) / limitCores;

  /** At least so many rounds, each nearer to the target than the one before; a third when two contradict each other. */
  const fromRounds = async (rounds: number[], enough: number): Promise<number> => {
    while (rounds.length < enough || (rounds.length === 2 && spread(rounds) > DOUBTFUL)) {
      rounds.push(await round(ROUND));
      await useLimit(limitFor(target, median(rounds)));
    }
    return median(rounds);
  };

  const settle = async (perCore: number, rate = target): Promise<Calibration> => {
    if (limitFor(rate, perCore) * perCore < rate * 0.95) throw tooSlow(rate, perCore);
    await useLimit(limitFor(rate, perCore));
    return {
      deliveryCpuLimitCores: limitCores,
      ceilingRequestsPerSecond: limitCores * perCore,
      source,
    };
  };
  const store = (calibration: Calibration) => {
    storeCalibration(cachePath, fingerprint, {
      targetRequestsPerSecond: target,
      limitCores: calibration.deliveryCpuLimitCores,
      ceilingRequestsPerSecond: calibration.ceilingRequestsPerSecond,
      measuredAt: (options.now?.() ?? new Date()).toISOString(),
    });
    return calibration;
  };

  return {
    initialLimitCores,
    async calibrate({ verify } = { verify: true }) {
      if (known > 0 && !verify) {
        source = 'cached';
        return settle(known);
      }
      await useLimit(LARGEST_CORES);
      const hot = await round(HEAT);
      await useLimit(limitFor(target, known || hot));
      if (known === 0) return store(await settle(await fromRounds([], verify ? 2 : 1)));
      const now = await round(ROUND);
      if (spread([known, now]) > DOUBTFUL) return store(await settle(await fromRounds([known, now], 2)));
      source = 'cached';
      return store(await settle((known * KNOWN_WEIGHT + now) / (KNOWN_WEIGHT + 1)));
    },
    adopt: (perCore) => settle(perCore, correctedTarget(target)),
  };
}

function tooSlow(target: number, perCore: number): StackError {
  return new StackError(
    'CALIBRATION_FAILED',
    `delivery can't answer ${target} requests/s on this machine: one core gives ${perCore.toFixed(1)}; ` +
      'use a faster or less busy machine',
  );
}
