import type { EngineName, LoadOutcome, LoadRun } from '@bottleneck-lab/loadtests';
import { STEP_LOAD_SCRIPT, startLoad } from '@bottleneck-lab/loadtests';
import type { LoadRecord, LoadSecond, LoadStep } from '../recording/index.js';
import { loadStartSecond } from '../recording/index.js';
import type { Scenario } from '../scenarios/index.js';
import { profileFor } from './load-profile.js';

export interface LoadOptions {
  engine: EngineName;
  scenario: Scenario;
  runId: string;
  gatewayUrl: string;
  plannedSeconds: number;
  seed: number;
  /** An empty folder for the engine's files. */
  outDir: string;
}

/** Starts the step load of a scenario in a process of its own. */
export function startScenarioLoad(options: LoadOptions): { run: LoadRun; thinkTimeSeconds: number } {
  const { engine, scenario, runId, gatewayUrl, plannedSeconds, seed, outDir } = options;
  const profile = profileFor(scenario.load, outDir);
  const run = startLoad({
    engine,
    script: STEP_LOAD_SCRIPT,
    outDir,
    env: {
      BASE_URL: gatewayUrl,
      PROFILE: profile.reference,
      DURATION_S: String(plannedSeconds),
      RUN_ID: runId,
      SCENARIO: scenario.name,
      SEED: String(seed),
      HOT_OWNER_SHARE: String(scenario.load.hotOwnerShare ?? 0),
    },
  });
  return { run, thinkTimeSeconds: profile.thinkTimeSeconds };
}

/** What the recording keeps of the load's end. */
export function loadRecord(
  outcome: LoadOutcome,
  load: { profile: string; thinkTimeSeconds: number },
): LoadRecord {
  const { engine, exitCode, meaning, detail, summary, generator } = outcome;
  return {
    ...load,
    engine,
    exitCode,
    meaning,
    detail,
    steps: spansOf(outcome.steps),
    summary,
    generator: {
      cpuMs: generator.cpuMs ?? 0,
      // k6 has no event loop of ours; a generator short of CPU is `saturated` in either engine.
      eventLoopDelayMaxMs: generator.eventLoopDelayMaxMs ?? 0,
      saturated: generator.saturated,
    },
  };
}

/** Steps follow one another from the load's start; one of unknown length ends the list. */
function spansOf(steps: LoadOutcome['steps']): LoadStep[] {
  const spans: LoadStep[] = [];
  let fromSecond = 0;
  for (const { step, seconds } of steps) {
    if (seconds === null) break;
    spans.push({ name: step, fromSecond, toSecond: fromSecond + seconds });
    fromSecond += seconds;
  }
  return spans;
}

/** The engine's wall-clock seconds, counted from the load's start. */
export function secondsFromStart(seconds: LoadOutcome['seconds'], loadStartMs: number): LoadSecond[] {
  const zero = loadStartSecond(loadStartMs);
  return seconds.map((one) => ({ ...one, second: one.second - zero }));
}
