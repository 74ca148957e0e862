import type { RunResult } from '../results/index.js';
import { type RunOptions, runScenario } from '../runner/run-scenario.js';
import { loadScenarios } from '../scenarios/index.js';
import { whyUnjudgeable } from './judge.js';
import { chooseMystery, disguise, sealRun, unsealed } from './mystery.js';

/** Everything of a run but its scenario, which the seed chooses. */
export interface MysteryOptions extends Omit<RunOptions, 'scenario'> {
  runsDir: string;
}

/**
 * Runs the scenario that a seed stands for under another name, and puts the run away until its bottleneck is found. A
 * run that broke off or is not valid is returned and not kept: nothing could be judged by it. What the callbacks are told
 * of phases gives the scenario away; it is for whoever calls to show less.
 */
export async function runMystery(options: MysteryOptions): Promise<RunResult> {
  const { runsDir, ...run } = options;
  const { target, seed } = run;
  const scenario = chooseMystery(loadScenarios(), seed);
  const recording = await runScenario({ ...run, scenario: disguise(scenario), hidden: true }).catch(
    async (error) => {
      await target.reveal?.().catch(() => {});
      throw error;
    },
  );
  const telemetryFolder = target.telemetryRecording?.folderOf(recording.meta.id) ?? null;
  const sealed = { scenario: scenario.name, seed, recording, telemetryFolder };
  const { result } = unsealed(sealed);
  if (whyUnjudgeable(result) === null) await sealRun(runsDir, sealed);
  // Nothing is left to be solved; a stack that is gone hides nothing either.
  else await target.reveal?.().catch(() => {});
  return result;
}
