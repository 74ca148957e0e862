import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Recording } from '../recording/recording.js';
import { progressionHtml } from '../report/html/progression-page.js';
import { type ReportedRun, reportedRun, type Transactions } from '../report/html/reported-run.js';
import { runHtml } from '../report/html/run-page.js';
import { progressionMarkdown } from '../report/progression-markdown.js';
import { runMarkdown } from '../report/run-markdown.js';
import { replaceFile, writeNewFolder } from './new-folder.js';
import { type ProgressionResult, RESULT_SCHEMA_VERSION, type RunResult } from './result-schema.js';
import { seriesCsv } from './series-csv.js';

/** Files of a run's folder. */
export const RUN_FILES = {
  result: 'result.json',
  report: 'report.md',
  reportPage: 'report.html',
  series: 'series.csv',
  loadSummary: 'load-summary.json',
  /** What `readRecording` needs beside the rows. */
  recording: 'recording.json',
  /** Measurement rows, one JSON object a line. */
  rows: 'rows.ndjson.gz',
} as const;

/** Folder of a run with what services sent, as the Application Insights stand-in records it; only of runs with telemetry. */
export const TELEMETRY_FOLDER = 'telemetry';

export const PROGRESSION_FILES = {
  result: 'progression.json',
  report: 'report.md',
  reportPage: 'report.html',
} as const;

/** What a run recorded beside its rows. */
interface RunTelemetry {
  telemetryFolder?: string | null;
  transactions?: Transactions;
}

/**
 * Leaves a run in a new folder, whole or not at all. A run that was broken off says so in every file that has
 * words. `telemetryFolder`, where it was recorded, is moved in; `transactions` are those of it that the report shows.
 * Throws RUN_EXISTS when the folder is there already.
 */
export async function writeRun(
  folder: string,
  recording: Recording,
  result: RunResult,
  { telemetryFolder = null, transactions }: RunTelemetry = {},
): Promise<void> {
  const { rows, load, ...rest } = recording;
  const { summary, ...loadRecord } = load ?? { summary: null };
  const reported = reportedRun(recording, result, transactions);
  const files = {
    [RUN_FILES.result]: json(result),
    [RUN_FILES.report]: runMarkdown(result),
    [RUN_FILES.reportPage]: runHtml(reported),
    [RUN_FILES.series]: seriesCsv(reported.series),
    [RUN_FILES.loadSummary]: json(summary ?? null),
    [RUN_FILES.recording]: json({
      schemaVersion: RESULT_SCHEMA_VERSION,
      ...rest,
      load: load === null ? null : loadRecord,
    }),
    [RUN_FILES.rows]: gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
  };
  const adopted = telemetryFolder === null ? null : { name: TELEMETRY_FOLDER, from: telemetryFolder };
  await writeNewFolder(folder, files, adopted);
}

/**
 * Writes `progression.json` and its reports over runs that lie in the same folder, one folder each. Can be
 * called after every run: the files are replaced, never appended to.
 */
export async function writeProgression(
  folder: string,
  input: { id: string; runs: readonly ReportedRun[] },
): Promise<ProgressionResult> {
  const { id, runs } = input;
  const results = runs.map((run) => run.result);
  const progression = progressionOf({ id, results });
  await replaceFile(path.join(folder, PROGRESSION_FILES.result), json(progression));
  await replaceFile(path.join(folder, PROGRESSION_FILES.report), progressionMarkdown(results));
  await replaceFile(path.join(folder, PROGRESSION_FILES.reportPage), progressionHtml(runs));
  return progression;
}

/** What `--json` prints for several runs. */
export function progressionOf(input: { id: string; results: readonly RunResult[] }): ProgressionResult {
  return {
    schemaVersion: RESULT_SCHEMA_VERSION,
    kind: 'progression',
    id: input.id,
    runs: input.results.map((result) => ({
      id: result.id,
      scenario: result.scenario.name,
      status: result.status,
      valid: result.validity.valid,
      bottleneck: result.sealed ? null : (result.diagnosis.findings[0]?.name ?? 'none-found'),
      measures: result.measures,
    })),
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
