import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  PROGRESSION_FILES,
  progressionOf,
  RUN_FILES,
  readConcluded,
  readProgression,
  readResult,
} from '../results/index.js';
import { replaceFile } from '../results/new-folder.js';
import { progressionMarkdown } from './progression-markdown.js';
import { rewriteReport } from './rewrite-report.js';
import { runMarkdown } from './run-markdown.js';

/** Writes what the folder of a sealed run left out, and that of the progression that it is part of. Nothing for another run. */
export async function unsealRun(folder: string): Promise<void> {
  if (!readResult(folder).sealed) return;
  const result = readConcluded(folder);
  await replaceFile(path.join(folder, RUN_FILES.result), json(result));
  await replaceFile(path.join(folder, RUN_FILES.report), runMarkdown(result));
  await rewriteReport(folder);
  const progression = path.dirname(folder);
  if (existsSync(path.join(progression, PROGRESSION_FILES.result))) await rewriteProgression(progression);
}

async function rewriteProgression(folder: string): Promise<void> {
  const { id, runs } = readProgression(folder);
  const results = runs.map((run) => readResult(path.join(folder, run.id)));
  await replaceFile(path.join(folder, PROGRESSION_FILES.result), json(progressionOf({ id, results })));
  await replaceFile(path.join(folder, PROGRESSION_FILES.report), progressionMarkdown(results));
  await rewriteReport(folder);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
