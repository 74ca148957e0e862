import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ResultError } from './errors.js';
import { PROGRESSION_FILES, RUN_FILES } from './write-run.js';

/** Names listed in an error. */
const LISTED = 8;

/**
 * The folder of a run: `latest`, an id or a prefix of one that is unique, or a path to the folder or to a file
 * in it. Runs lie directly in `runsDir` or one folder deeper, in that of a progression.
 */
export function findRun(runsDir: string, reference: string): string {
  return find({ runsDir, reference, folders: listRuns(runsDir), is: isRun });
}

/** The same for everything that has a report: a run, or a progression by its own name. `latest` is the newest run. */
export function findReported(runsDir: string, reference: string): string {
  const runs = listRuns(runsDir);
  if (reference === 'latest') return findRun(runsDir, reference);
  const folders = [...runs, ...listFolders(runsDir).filter(isProgression)].sort(byName);
  return find({ runsDir, reference, folders, is: (folder) => isRun(folder) || isProgression(folder) });
}

function find(options: {
  runsDir: string;
  reference: string;
  folders: readonly string[];
  is: (folder: string) => boolean;
}): string {
  const { runsDir, reference, folders, is } = options;
  const asPath = path.resolve(reference);
  for (const folder of [asPath, path.dirname(asPath)]) {
    if (reference.trim() !== '' && is(folder)) return folder;
  }
  if (reference === 'latest') {
    const newest = folders.at(-1);
    if (newest === undefined) throw unknown(reference, runsDir, folders);
    return newest;
  }
  const exact = folders.filter((folder) => path.basename(folder) === reference);
  if (exact[0] !== undefined) return exact[0];
  const matching =
    reference === '' ? [] : folders.filter((folder) => path.basename(folder).startsWith(reference));
  if (matching.length > 1) {
    throw new ResultError(
      'RUN_AMBIGUOUS',
      `"${reference}" could be ${listed(matching)}; give more of the name`,
    );
  }
  if (matching[0] === undefined) throw unknown(reference, runsDir, folders);
  return matching[0];
}

/** Folders of all runs, oldest first: an id begins with its time. */
export function listRuns(runsDir: string): string[] {
  return listFolders(runsDir)
    .flatMap((folder) => (isRun(folder) ? [folder] : listFolders(folder).filter(isRun)))
    .sort(byName);
}

function listFolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => path.join(folder, entry.name));
  } catch {
    // No folder yet: no run yet.
    return [];
  }
}

const byName = (a: string, b: string) => (path.basename(a) < path.basename(b) ? -1 : 1);

function isRun(folder: string): boolean {
  return existsSync(path.join(folder, RUN_FILES.result));
}

function isProgression(folder: string): boolean {
  return existsSync(path.join(folder, PROGRESSION_FILES.result));
}

function unknown(reference: string, runsDir: string, runs: readonly string[]): ResultError {
  const known = runs.length === 0 ? 'there are none yet' : `there are ${listed(runs.toReversed())}`;
  return new ResultError(
    'RUN_UNKNOWN',
    `no run "${reference}" in ${runsDir}; ${known}. "latest", a unique beginning of a name, or a path is allowed`,
  );
}

function listed(folders: readonly string[]): string {
  const names = folders.slice(0, LISTED).map((folder) => path.basename(folder));
  const more = folders.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
