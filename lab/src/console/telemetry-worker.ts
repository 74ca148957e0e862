import { parentPort } from 'node:worker_threads';
import { createKqlEngine, TABLES } from '@bottleneck-lab/app-insights-emulator';
import { TelemetryError } from '../telemetry/errors.js';
import { folderSource, type TelemetrySource } from '../telemetry/telemetry-source.js';
import type { WorkerAnswer, WorkerRequest } from './telemetry-tasks.js';

/**
 * Runs queries over recorded runs, and the language service, away from the thread that follows a load: both can
 * take seconds without a pause.
 */
const engine = createKqlEngine(TABLES);
/** Telemetry of a run takes memory, and is loaded again in a second. */
const KEPT_SOURCES = 2;
const sources = new Map<string, Promise<TelemetrySource>>();

function sourceOf(runFolder: string): Promise<TelemetrySource> {
  const known = sources.get(runFolder) ?? folderSource(runFolder);
  sources.delete(runFolder);
  sources.set(runFolder, known);
  known.catch(() => sources.delete(runFolder));
  for (const folder of sources.keys()) {
    if (sources.size <= KEPT_SOURCES) break;
    sources.delete(folder);
  }
  return known;
}

async function perform(task: WorkerRequest['task']): Promise<unknown> {
  if (task.kind === 'check') return { diagnostics: engine.analyze(task.text).diagnostics };
  if (task.kind === 'complete') return engine.complete(task.text, task.position);
  const source = await sourceOf(task.folder);
  return { source: source.description, ...(await source.query(task.text)) };
}

parentPort?.on('message', async ({ id, task }: WorkerRequest) => {
  let answer: WorkerAnswer;
  try {
    answer = { id, ok: true, value: await perform(task) };
  } catch (error) {
    const code = error instanceof TelemetryError ? error.code : null;
    answer = { id, ok: false, code, message: (error as Error).message };
  }
  parentPort?.postMessage(answer);
});
