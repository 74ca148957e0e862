import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { StackError } from './errors.js';

/** The checkout the lab runs from. */
export const PROJECT_ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Files by which a running stack is found; another directory is another stack. */
export interface StateDir {
  root: string;
  /** URLs, process ids and the control token; readable by its owner only. */
  stackFile: string;
  stackLock: string;
  /** Held while a run uses the stack. */
  runLock: string;
  calibrationFile: string;
  /** Telemetry costs delivery CPU, so that its limit is another one. */
  telemetryCalibrationFile: string;
  logs: string;
}

/** `--state-dir`, else `LAB_STATE_DIR`, else `.lab` in the checkout. */
export function stateDirPath(flag: string | undefined, env: NodeJS.ProcessEnv = process.env): string {
  return path.resolve(flag ?? env.LAB_STATE_DIR ?? path.join(PROJECT_ROOT, '.lab'));
}

/** Creates the directory if need be. Throws STATE_DIR_UNUSABLE. */
export function openStateDir(root: string): StateDir {
  const logs = path.join(root, 'logs');
  try {
    makeFolder(logs);
    accessSync(root, constants.W_OK);
  } catch (cause) {
    throw new StackError(
      'STATE_DIR_UNUSABLE',
      `the state directory ${root} can not be used (${(cause as Error).message}); make it writable, or choose another one with --state-dir`,
      { cause },
    );
  }
  return {
    root,
    logs,
    stackFile: path.join(root, 'stack.json'),
    stackLock: path.join(root, 'stack.lock'),
    runLock: path.join(root, 'run.lock'),
    calibrationFile: path.join(root, 'calibration.json'),
    telemetryCalibrationFile: path.join(root, 'calibration-telemetry.json'),
  };
}

/** One by one: where a parent can't be made, as under /proc, Node's own recursive form does not return. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
