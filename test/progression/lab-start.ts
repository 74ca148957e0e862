import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunResult, runResult } from '../../lab/src/results/index.js';

const LAB = fileURLToPath(new URL('../../lab/dist/main.js', import.meta.url));

/** Folders of one test, removed with it. */
export async function labFolders() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lab-progression-'));
  return {
    runsDir: path.join(folder, 'runs'),
    stateDir: path.join(folder, 'state'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
export type LabFolders = Awaited<ReturnType<typeof labFolders>>;

/** Runs the command line as a user does; what it says on stderr is passed on, so that CI shows the progress. */
export async function lab(args: readonly string[], folders: LabFolders): Promise<number | null> {
  const child = spawn(
    process.execPath,
    [LAB, ...args, '--runs-dir', folders.runsDir, '--state-dir', folders.stateDir],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  return new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve));
}

/** Every run below the folder, by scenario; of two runs of one scenario the later one. */
export async function readResults(folders: LabFolders): Promise<Map<string, RunResult>> {
  const entries = await readdir(folders.runsDir, { recursive: true, withFileTypes: true });
  const runs = entries.filter((entry) => entry.isFile() && entry.name === 'result.json');
  const results = await Promise.all(
    runs.map(async (entry) => JSON.parse(await readFile(path.join(entry.parentPath, entry.name), 'utf8'))),
  );
  const parsed = results.filter((result) => result.kind === 'run').map((result) => runResult.parse(result));
  parsed.sort((one, other) => one.loadStartMs - other.loadStartMs);
  return new Map(parsed.map((result) => [result.scenario.name, result]));
}
