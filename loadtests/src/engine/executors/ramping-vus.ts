import { formatDuration } from '../duration.js';
import type { ExecutorContext, ExecutorDefinition, ScenarioConfig } from './executor.js';
import { rampSteps, readStages, reserveRampDowns, type Stage, stagesDurationMs } from './stages.js';
import { VuLoop } from './vu-loop.js';

export interface RampingVusConfig extends ScenarioConfig {
  readonly startVUs: number;
  readonly stages: readonly Stage[];
  readonly gracefulRampDownMs: number;
}

const GRACEFUL_RAMP_DOWN_MS = 30_000;
const STARTED_AT_ONCE = 10;

/** A closed model: the number of users that iterate follows a line through the stages. */
export const rampingVus: ExecutorDefinition<RampingVusConfig> = {
  parse(fields, common) {
    return {
      ...common,
      startVUs: fields.integer('startVUs', { fallback: 1 }),
      stages: readStages(fields),
      gracefulRampDownMs: fields.duration('gracefulRampDown', { fallback: GRACEFUL_RAMP_DOWN_MS }),
    };
  },
  durationMs: (config) => stagesDurationMs(config.stages),
  endsEarly: false,
  plannedVus(config) {
    const endMs = stagesDurationMs(config.stages) + config.gracefulStopMs;
    return reserveRampDowns(rampSteps(config.startVUs, config.stages), config.gracefulRampDownMs, endMs);
  },
  maxVus: (config) => Math.max(config.startVUs, ...config.stages.map((stage) => stage.target)),
  describe(config) {
    const stages = config.stages.length === 1 ? '1 stage' : `${config.stages.length} stages`;
    const most = rampingVus.maxVus(config);
    return `Up to ${most} looping VUs for ${formatDuration(stagesDurationMs(config.stages))} over ${stages}`;
  },
  run: runRamp,
};

async function runRamp(config: RampingVusConfig, context: ExecutorContext): Promise<void> {
  const endMs = stagesDurationMs(config.stages);
  const loops = Array.from({ length: rampingVus.maxVus(config) }, () => new VuLoop(context));
  const steps = rampSteps(config.startVUs, config.stages).filter((step) => step.atMs < endMs || endMs === 0);
  let active = 0;
  const apply = (target: number, elapsedMs: number) => {
    for (; active < target; active++) loops[active]?.start();
    const graceMs = Math.min(config.gracefulRampDownMs, endMs + config.gracefulStopMs - elapsedMs);
    while (active > target) loops[--active]?.softStop(graceMs);
  };
  /** Set from outside, as k6's externally-controlled executor is: the ramp's own steps count no more. */
  let held: number | undefined;
  const hold = async (vus: number) => {
    // A few at a time: a user of whom the ramp knows nothing has yet to be made, which others must not wait for.
    while (held === vus && active !== vus) {
      const target = Math.min(vus, active + STARTED_AT_ONCE);
      while (loops.length < target) loops.push(new VuLoop(context));
      apply(target, context.clock.now() - context.startedAtMs);
      if (active !== vus) await context.clock.yield();
    }
  };
  const takeBack = () => {
    held = undefined;
    context.offerVus(undefined);
  };
  context.offerVus((vus) => {
    const from = held ?? active;
    held = vus;
    void hold(vus);
    return from;
  });

  await new Promise<void>((resolve) => {
    let aborted = false;
    const next = (index: number) => {
      if (aborted) return;
      const step = steps[index];
      const atMs = step?.atMs ?? endMs;
      const waitMs = context.startedAtMs + atMs - context.clock.now();
      const turn = () => {
        if (aborted) return;
        if (step === undefined) {
          takeBack();
          for (const loop of loops) loop.softStop(config.gracefulStopMs);
          return resolve();
        }
        if (held === undefined) apply(step.vus, atMs);
        next(index + 1);
      };
      if (waitMs > 0) context.clock.after(waitMs, turn);
      else turn();
    };
    context.onAbort(() => {
      aborted = true;
      takeBack();
      for (const loop of loops) loop.hardStop();
      resolve();
    });
    next(0);
  });
  await Promise.all(loops.map((loop) => loop.finished()));
}
