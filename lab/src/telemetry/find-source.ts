import { existsSync } from 'node:fs';
import path from 'node:path';
import { findRun, listRuns, readResult, TELEMETRY_FOLDER } from '../results/index.js';
import { findStack } from '../stack/find-stack.js';
import { openStateDir } from '../stack/state-dir.js';
import { TelemetryError } from './errors.js';
import { folderSource, liveSource, type TelemetrySource } from './telemetry-source.js';

/** A source, and the knobs of what it shows, for the parameters of queries. */
export interface FoundSource {
  source: TelemetrySource;
  knobs: Readonly<Record<string, unknown>>;
}

/**
 * The run asked for; without one, the running stack if it has telemetry, else the newest run that has.
 * Throws NO_TELEMETRY and what `findRun` throws.
 */
export async function findSource(options: {
  run: string | undefined;
  runsDir: string;
  stateDir: string;
}): Promise<FoundSource> {
  const { run, runsDir, stateDir } = options;
  if (run !== undefined) return ofRun(findRun(runsDir, run));
  const stack = await findStack(openStateDir(stateDir));
  const telemetry = stack.found ? stack.status.telemetry : null;
  if (stack.found && telemetry !== null && telemetry.endpoint !== null) {
    return { source: liveSource(telemetry.endpoint), knobs: { ...stack.status.knobs } };
  }
  const newest = listRuns(runsDir).findLast((folder) => existsSync(path.join(folder, TELEMETRY_FOLDER)));
  if (newest !== undefined) return ofRun(newest);
  throw new TelemetryError(
    'NO_TELEMETRY',
    `no stack with telemetry is running, and no run in ${runsDir} has any; start one with "lab up --telemetry" or "lab run <scenario> --telemetry"`,
  );
}

async function ofRun(folder: string): Promise<FoundSource> {
  const { knobs, telemetryUse } = readResult(folder);
  if (telemetryUse?.receiver === 'azure') {
    throw new TelemetryError(
      'RUN_WITHOUT_TELEMETRY',
      `the telemetry of ${path.basename(folder)} went to an Application Insights resource; paste the query's text into its Logs ("lab query --list", lab/queries)`,
    );
  }
  return { source: await folderSource(folder), knobs };
}
