import path from 'node:path';
import { PROJECT_ROOT } from '../stack/state-dir.js';

/** `--runs-dir`, else `runs` in the checkout. */
export function runsDirPath(flag: string | undefined): string {
  return path.resolve(flag ?? path.join(PROJECT_ROOT, 'runs'));
}
