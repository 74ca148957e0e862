import { formatDuration } from '../duration.js';
import type { Fields } from '../fields.js';
import { constantArrivals, rampingArrivals } from './arrivals.js';
import { constantPlan, type ExecutorDefinition, type ScenarioConfig } from './executor.js';
import { runArrivals } from './open-model.js';
import { readStages, type Stage, stagesDurationMs } from './stages.js';

interface ArrivalConfig extends ScenarioConfig {
  readonly timeUnitMs: number;
  readonly preAllocatedVUs: number;
  readonly maxVUs: number;
}

export interface ConstantArrivalRateConfig extends ArrivalConfig {
  readonly rate: number;
  readonly durationMs: number;
}

export interface RampingArrivalRateConfig extends ArrivalConfig {
  readonly startRate: number;
  readonly stages: readonly Stage[];
}

function readVus(fields: Fields): Pick<ArrivalConfig, 'timeUnitMs' | 'preAllocatedVUs' | 'maxVUs'> {
  const timeUnitMs = fields.duration('timeUnit', { fallback: 1000 });
  if (timeUnitMs === 0) throw fields.invalid('timeUnit', 'must be longer than 0', timeUnitMs);
  const preAllocatedVUs = fields.integer('preAllocatedVUs');
  const maxVUs = fields.integer('maxVUs', { fallback: preAllocatedVUs });
  if (maxVUs < Math.max(1, preAllocatedVUs)) {
    throw fields.invalid(
      'maxVUs',
      `must be at least 1 and not below preAllocatedVUs (${preAllocatedVUs})`,
      maxVUs,
    );
  }
  return { timeUnitMs, preAllocatedVUs, maxVUs };
}

const vusText = ({ preAllocatedVUs, maxVUs }: ArrivalConfig) =>
  maxVUs > preAllocatedVUs ? `maxVUs: ${preAllocatedVUs}-${maxVUs}` : `maxVUs: ${maxVUs}`;

/** An open model: iterations start at a fixed rate, however long the earlier ones take. */
export const constantArrivalRate: ExecutorDefinition<ConstantArrivalRateConfig> = {
  parse: (fields, common) => ({
    ...common,
    ...readVus(fields),
    rate: fields.integer('rate', { min: 1 }),
    durationMs: fields.duration('duration', { minMs: 1000 }),
  }),
  durationMs: (config) => config.durationMs,
  endsEarly: false,
  plannedVus: (config) => constantPlan(config.preAllocatedVUs, config.durationMs, config.gracefulStopMs),
  maxVus: (config) => config.maxVUs,
  describe: (config) =>
    `${config.rate} iterations per ${formatDuration(config.timeUnitMs)} for ${formatDuration(config.durationMs)} (${vusText(config)})`,
  run: (config, context) =>
    runArrivals(constantArrivals(config.rate / config.timeUnitMs, config.durationMs), config, context),
};

/** An open model whose rate follows a line through the stages. */
export const rampingArrivalRate: ExecutorDefinition<RampingArrivalRateConfig> = {
  parse: (fields, common) => ({
    ...common,
    ...readVus(fields),
    startRate: fields.integer('startRate', { fallback: 0 }),
    stages: readStages(fields),
  }),
  durationMs: (config) => stagesDurationMs(config.stages),
  endsEarly: false,
  plannedVus: (config) =>
    constantPlan(config.preAllocatedVUs, stagesDurationMs(config.stages), config.gracefulStopMs),
  maxVus: (config) => config.maxVUs,
  describe(config) {
    const highest = Math.max(config.startRate, ...config.stages.map((stage) => stage.target));
    const length = formatDuration(stagesDurationMs(config.stages));
    return `Up to ${highest} iterations per ${formatDuration(config.timeUnitMs)} for ${length} (${vusText(config)})`;
  },
  run: (config, context) =>
    runArrivals(
      rampingArrivals(config.startRate, config.stages, config.timeUnitMs),
      { ...config, durationMs: stagesDurationMs(config.stages) },
      context,
    ),
};
