import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Recording } from '../recording/index.js';
import { buildResult, type RunResult, writeRun } from '../results/index.js';
import { replaceFile } from '../results/new-folder.js';
import { findScenarios, type Scenario } from '../scenarios/index.js';
import { seededRandom } from '../seed/random.js';
import { WorkshopError } from './errors.js';

/** The name under which a hidden scenario runs: in run ids, file names, telemetry and on the live line. */
export const MYSTERY = 'mystery';

/** A run whose scenario is hidden until somebody has found its bottleneck. */
export interface SealedRun {
  /** The scenario that was run. */
  scenario: string;
  seed: number;
  /** Its scenario is disguised. */
  recording: Recording;
  /** Where its telemetry was recorded; null without. */
  telemetryFolder: string | null;
}

/**
 * The scenario that a seed stands for, among those that a mystery may be. Seeds that follow one another have every
 * scenario in turn, in an order of their own, so that each team of a room can have another one.
 */
export function chooseMystery(scenarios: readonly Scenario[], seed: number): Scenario {
  const left = scenarios.filter((one) => one.teaching.exercise?.mystery === true);
  const count = left.length;
  const random = seededRandom(Math.floor(seed / count));
  for (let turn = 0; turn < seed % count; turn += 1) left.splice(Math.floor(random() * left.length), 1);
  const chosen = left[Math.floor(random() * left.length)];
  if (chosen === undefined) throw new Error('no scenario may be a mystery');
  return chosen;
}

/** As long as the longest one that a scenario of its own asks for, so that waiting for it tells nothing. */
const WARM_UP_SECONDS = 8;

/** The same load on the same system, with nothing in its words that tells which. */
export function disguise(scenario: Scenario): Scenario {
  return {
    ...scenario,
    name: MYSTERY,
    title: 'What is it this time?',
    order: 1,
    article: undefined,
    expected: undefined,
    load: { ...scenario.load, warmUpSeconds: WARM_UP_SECONDS },
    teaching: { question: 'What holds this run back?', hints: ['Look at every limit.'], answer: 'Sealed.' },
  };
}

const folderOf = (runsDir: string) => path.join(runsDir, '.mystery');
const ENDING = '.sealed';

/** Puts a run away, so that no name and no readable file tells its scenario. */
export async function sealRun(runsDir: string, run: SealedRun): Promise<void> {
  const file = path.join(folderOf(runsDir), `${run.recording.meta.id}${ENDING}`);
  await replaceFile(file, gzipSync(JSON.stringify(run)).toString('base64'));
}

/** The id of the newest run that waits for an answer; null without one. */
export function newestSealedId(runsDir: string): string | null {
  const [newest] = sealedFiles(runsDir).sort().reverse();
  return newest === undefined ? null : newest.slice(0, -ENDING.length);
}

/** The newest run that waits for an answer. Throws MYSTERY_UNKNOWN. */
export function newestSealedRun(runsDir: string): SealedRun {
  const [newest] = sealedFiles(runsDir).sort().reverse();
  if (newest === undefined) {
    throw new WorkshopError(
      'MYSTERY_UNKNOWN',
      `no mystery in ${runsDir} waits for an answer; start one with "lab mystery"`,
    );
  }
  const file = path.join(folderOf(runsDir), newest);
  try {
    return JSON.parse(
      gunzipSync(Buffer.from(readFileSync(file, 'utf8'), 'base64')).toString('utf8'),
    ) as SealedRun;
  } catch (cause) {
    throw new WorkshopError(
      'MYSTERY_UNKNOWN',
      `${file} is damaged; remove it and start "lab mystery" again`,
      {
        cause,
      },
    );
  }
}

function sealedFiles(runsDir: string): string[] {
  try {
    return readdirSync(folderOf(runsDir)).filter((name) => name.endsWith(ENDING));
  } catch {
    // No folder yet: no mystery yet.
    return [];
  }
}

/** The run as if it had never been hidden: in memory only. */
export function unsealed(run: SealedRun): { scenario: Scenario; recording: Recording; result: RunResult } {
  const [scenario] = findScenarios([run.scenario]) as [Scenario];
  const recording = { ...run.recording, meta: { ...run.recording.meta, scenario } };
  return { scenario, recording, result: buildResult(recording) };
}

/** Writes the run's folder as for any other run, and forgets that it was hidden. Returns the folder. */
export async function revealRun(runsDir: string, run: SealedRun): Promise<string> {
  const { recording, result } = unsealed(run);
  const folder = path.join(runsDir, recording.meta.id);
  await writeRun(folder, recording, result, await telemetryOf(run));
  rmSync(path.join(folderOf(runsDir), `${recording.meta.id}${ENDING}`), { force: true });
  return folder;
}

/** What reads telemetry takes a second to load; a run without does not wait for it. */
async function telemetryOf({ telemetryFolder }: SealedRun) {
  if (telemetryFolder === null || !existsSync(telemetryFolder)) return {};
  const { readTransactions } = await import('../report/read-transactions.js');
  return { telemetryFolder, transactions: await readTransactions(telemetryFolder) };
}
