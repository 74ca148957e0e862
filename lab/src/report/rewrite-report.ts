import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  PROGRESSION_FILES,
  RUN_FILES,
  readProgression,
  readRecording,
  readResult,
  TELEMETRY_FOLDER,
} from '../results/index.js';
import { replaceFile } from '../results/new-folder.js';
import { progressionHtml } from './html/progression-page.js';
import { type ReportedRun, reportedRun } from './html/reported-run.js';
import { runHtml } from './html/run-page.js';

/**
 * Writes `report.html` of a run or of a progression again, from the files in its folder, and returns its path. What
 * was concluded when the run was made stays: the result is read, not judged anew.
 * Throws RESULT_UNREADABLE or RESULT_VERSION, and then leaves the report that was there.
 */
export async function rewriteReport(folder: string): Promise<string> {
  if (!existsSync(path.join(folder, PROGRESSION_FILES.result))) {
    const file = path.join(folder, RUN_FILES.reportPage);
    await replaceFile(file, runHtml(await readReportedRun(folder)));
    return file;
  }
  const runs: ReportedRun[] = [];
  for (const { id } of readProgression(folder).runs) {
    runs.push(await readReportedRun(path.join(folder, id)));
  }
  const file = path.join(folder, PROGRESSION_FILES.reportPage);
  await replaceFile(file, progressionHtml(runs));
  return file;
}

async function readReportedRun(folder: string): Promise<ReportedRun> {
  const result = readResult(folder);
  const recording = readRecording(folder);
  const telemetry = path.join(folder, TELEMETRY_FOLDER);
  if (!existsSync(telemetry)) return reportedRun(recording, result);
  const { readTransactions } = await import('./read-transactions.js');
  return reportedRun(recording, result, await readTransactions(telemetry));
}
