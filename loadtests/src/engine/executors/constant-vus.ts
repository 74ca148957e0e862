import { formatDuration } from '../duration.js';
import {
  constantPlan,
  type ExecutorContext,
  type ExecutorDefinition,
  type ScenarioConfig,
} from './executor.js';
import { VuLoop } from './vu-loop.js';

export interface ConstantVusConfig extends ScenarioConfig {
  readonly vus: number;
  readonly durationMs: number;
}

/** A fixed number of users iterates for a fixed time. */
export const constantVus: ExecutorDefinition<ConstantVusConfig> = {
  parse: (fields, common) => ({
    ...common,
    vus: fields.integer('vus', { fallback: 1, min: 1 }),
    durationMs: fields.duration('duration', { minMs: 1000 }),
  }),
  durationMs: (config) => config.durationMs,
  endsEarly: false,
  plannedVus: (config) => constantPlan(config.vus, config.durationMs, config.gracefulStopMs),
  maxVus: (config) => config.vus,
  describe: (config) => `${config.vus} looping VUs for ${formatDuration(config.durationMs)}`,
  run: (config, context) => {
    const loops = Array.from({ length: config.vus }, () => new VuLoop(context));
    return runLoops(loops, config, context);
  },
};

/** Starts all loops, soft-stops them after the duration, and waits for their last iterations. */
export async function runLoops(
  loops: readonly VuLoop[],
  { durationMs, gracefulStopMs }: { durationMs: number; gracefulStopMs: number },
  context: ExecutorContext,
): Promise<void> {
  for (const loop of loops) loop.start();
  const end = context.clock.after(context.startedAtMs + durationMs - context.clock.now(), () => {
    for (const loop of loops) loop.softStop(gracefulStopMs);
  });
  context.onAbort(() => {
    for (const loop of loops) loop.hardStop();
  });
  await Promise.all(loops.map((loop) => loop.finished()));
  end.cancel();
}
