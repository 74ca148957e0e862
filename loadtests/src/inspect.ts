import { systemClock } from './engine/clock.js';
import { createLogger } from './engine/log.js';
import { plannedSeconds, plannedVus } from './engine/plan.js';
import { loadScript } from './engine/script.js';
import { TestRun } from './engine/test-run.js';

export interface ScriptInspection {
  /** Resolved options. */
  readonly options: object;
  /** Null when the load ends with its iterations. */
  readonly plannedSeconds: number | null;
  readonly maxVUs: number;
}

/** Evaluates a script for its options without making any load. */
export async function inspectScript(path: string, env: Record<string, string>): Promise<ScriptInspection> {
  const clock = systemClock();
  const logger = createLogger({
    now: () => clock.now(),
    startedAtMs: clock.now(),
    write: (text) => process.stderr.write(text),
  });
  const test = new TestRun({ script: await loadScript(path), env, clock, logger });
  test.readScript();
  const { options } = test;
  return {
    options: { ...options, systemTags: [...options.systemTags] },
    plannedSeconds: plannedSeconds(options.scenarios),
    maxVUs: plannedVus(options.scenarios),
  };
}
