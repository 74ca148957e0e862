import { formatDuration } from '../duration.js';
import { runLoops } from './constant-vus.js';
import { constantPlan, type ExecutorDefinition, type ScenarioConfig } from './executor.js';
import { VuLoop } from './vu-loop.js';

export interface IterationsConfig extends ScenarioConfig {
  readonly vus: number;
  readonly iterations: number;
  readonly maxDurationMs: number;
}

const MAX_DURATION_MS = 600_000;

const shared = {
  parse: (fields, common) => ({
    ...common,
    vus: fields.integer('vus', { fallback: 1, min: 1 }),
    iterations: fields.integer('iterations', { fallback: 1, min: 1 }),
    maxDurationMs: fields.duration('maxDuration', { fallback: MAX_DURATION_MS, minMs: 1000 }),
  }),
  durationMs: (config) => config.maxDurationMs,
  endsEarly: true,
  plannedVus: (config) => constantPlan(config.vus, config.maxDurationMs, config.gracefulStopMs),
  maxVus: (config) => config.vus,
} satisfies Partial<ExecutorDefinition<IterationsConfig>>;

/** A number of iterations, done by whichever users are free. */
export const sharedIterations: ExecutorDefinition<IterationsConfig> = {
  ...shared,
  parse(fields, common) {
    const config = shared.parse(fields, common);
    if (config.iterations >= config.vus) return config;
    throw fields.invalid('iterations', `must not be below vus (${config.vus})`, config.iterations);
  },
  describe: (config) =>
    `${config.iterations} iterations shared among ${config.vus} VUs (maxDuration: ${formatDuration(config.maxDurationMs)})`,
  async run(config, context) {
    let started = 0;
    const takeTurn = () => {
      if (started === config.iterations) return false;
      started += 1;
      context.progress(started / config.iterations);
      return true;
    };
    const loops = Array.from({ length: config.vus }, () => new VuLoop(context, takeTurn));
    await runLoops(loops, { ...config, durationMs: config.maxDurationMs }, context);
    if (started < config.iterations) context.drop(config.iterations - started);
  },
};

/** Every user does the same number of iterations. */
export const perVuIterations: ExecutorDefinition<IterationsConfig> = {
  ...shared,
  describe: (config) =>
    `${config.iterations} iterations for each of ${config.vus} VUs (maxDuration: ${formatDuration(config.maxDurationMs)})`,
  async run(config, context) {
    const total = config.vus * config.iterations;
    let started = 0;
    const loops = Array.from({ length: config.vus }, () => {
      let own = 0;
      return new VuLoop(context, () => {
        if (own === config.iterations) return false;
        own += 1;
        started += 1;
        context.progress(started / total);
        return true;
      });
    });
    await runLoops(loops, { ...config, durationMs: config.maxDurationMs }, context);
    if (started < total) context.drop(total - started);
  },
};
