import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ResultError } from './errors.js';

/**
 * Writes files into a folder that does not exist yet, all or none: they are written beside it under a name
 * that no reader looks at, and the folder appears when it is complete.
 */
export async function writeNewFolder(
  folder: string,
  files: Record<string, string | Uint8Array>,
): Promise<void> {
  const target = path.resolve(folder);
  if (existsSync(target)) {
    throw new ResultError('RUN_EXISTS', `${target} exists already; a run is written once, to a new folder`);
  }
  const partial = path.join(path.dirname(target), `.${path.basename(target)}.partial-${process.pid}`);
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  try {
    for (const [name, content] of Object.entries(files)) await writeFile(path.join(partial, name), content);
    await rename(partial, target);
  } catch (cause) {
    await rm(partial, { recursive: true, force: true });
    throw cause;
  }
}

/** Replaces or creates one file; a reader sees the old or the new one, never a part. */
export async function replaceFile(file: string, content: string): Promise<void> {
  const partial = path.join(path.dirname(file), `.${path.basename(file)}.partial-${process.pid}`);
  await mkdir(path.dirname(file), { recursive: true });
  try {
    await writeFile(partial, content);
    await rename(partial, file);
  } catch (cause) {
    await rm(partial, { force: true });
    throw cause;
  }
}
