import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { ResultError } from '../results/errors.js';
import { PROJECT_ROOT } from '../stack/state-dir.js';

/** `--runs-dir`, else `runs` in the checkout. */
export function runsDirPath(flag: string | undefined): string {
  return path.resolve(flag ?? path.join(PROJECT_ROOT, 'runs'));
}

/**
 * The folder for runs, created and proved writable. For commands that measure before they write: minutes of
 * load must not be lost to a typing error. Throws RUNS_DIR_UNUSABLE.
 */
export function openRunsDir(flag: string | undefined): string {
  const folder = runsDirPath(flag);
  try {
    mkdirSync(folder, { recursive: true });
    rmdirSync(mkdtempSync(path.join(folder, '.probe-')));
  } catch (cause) {
    throw new ResultError(
      'RUNS_DIR_UNUSABLE',
      `runs can not be written to ${folder} (${(cause as Error).message}); make it writable, or choose another folder with --runs-dir`,
      { cause },
    );
  }
  return folder;
}
