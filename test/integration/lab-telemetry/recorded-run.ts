import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { MeasurementRow } from '@bottleneck-lab/contracts';
import { readRecording, readResult } from '../../../lab/src/results/index.js';
import { folderSource, records, type TelemetrySource } from '../../../lab/src/telemetry/telemetry-source.js';
import { lab } from '../lab-stack/lab-process.js';

/** A short run of the real lab with telemetry, and the stack it ran on. */
export interface RecordedRun {
  id: string;
  folder: string;
  stderr: string;
  source: TelemetrySource;
  /** Rows of a query over the run's telemetry. */
  ask(text: string): Promise<Record<string, unknown>[]>;
  /** Measurement rows from the load's first second on. */
  rows: MeasurementRow[];
  result: ReturnType<typeof readResult>;
}

/** Runs a scenario as a user does; the stack stays up for live questions. */
export async function recordRun(options: {
  sdk: string;
  env: Record<string, string>;
  runsDir: string;
}): Promise<RecordedRun> {
  const { sdk, env, runsDir } = options;
  const args = ['run', 'throttled', '--duration', '12', '--telemetry', '--telemetry-sdk', sdk, '--keep'];
  const { code, stderr } = await lab([...args, '--runs-dir', runsDir], env);
  // A shared machine may be too busy for valid figures; counts must agree all the same.
  if (code !== 0 && code !== 5) throw new Error(`the run ended with ${code}:\n${stderr}`);
  const [id, ...others] = readdirSync(runsDir);
  if (id === undefined || others.length > 0) throw new Error(`${runsDir} has ${[id, ...others].join(', ')}`);
  const folder = path.join(runsDir, id);
  const source = await folderSource(folder);
  const { meta, rows } = readRecording(folder);
  const zero = Math.floor(meta.loadStartMs / 1000);
  return {
    ...{ id, folder, stderr, source },
    ask: async (text) => records(await source.query(text)),
    rows: rows.filter((row) => row.second >= zero),
    result: readResult(folder),
  };
}
