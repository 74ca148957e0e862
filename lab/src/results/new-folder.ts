import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ResultError } from './errors.js';

/**
 * Writes files into a folder that does not exist yet, all or none: they are written beside it under a name
 * that no reader looks at, and the folder appears when it is complete. `adopted` is a folder that already has
 * content: it is moved in, and stays where it was when writing fails. It may be the only content of the target.
 */
export async function writeNewFolder(
  folder: string,
  files: Record<string, string | Uint8Array>,
  adopted: { name: string; from: string } | null = null,
): Promise<void> {
  const target = path.resolve(folder);
  const source = adopted === null ? null : path.resolve(adopted.from);
  const only = source !== null && path.dirname(source) === target ? path.basename(source) : null;
  const foreign = existsSync(target) ? readdirSync(target).filter((name) => name !== only) : [];
  if (foreign.length > 0 || (existsSync(target) && only === null)) {
    throw new ResultError('RUN_EXISTS', `${target} exists already; a run is written once, to a new folder`);
  }
  const partial = path.join(path.dirname(target), `.${path.basename(target)}.partial-${process.pid}`);
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  try {
    for (const [name, content] of Object.entries(files)) await writeFile(path.join(partial, name), content);
    if (adopted !== null && source !== null) await adopt(source, path.join(partial, adopted.name));
    await rename(partial, target);
  } catch (cause) {
    if (adopted !== null && source !== null) await giveBack(path.join(partial, adopted.name), source);
    await rm(partial, { recursive: true, force: true });
    throw cause;
  }
}

/** Moves a folder and removes the one that it alone was in. */
async function adopt(source: string, target: string): Promise<void> {
  try {
    await rename(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await cp(source, target, { recursive: true });
    await rm(source, { recursive: true });
  }
  // Not empty: somebody else's.
  await rmdir(path.dirname(source)).catch(() => {});
}

async function giveBack(adopted: string, source: string): Promise<void> {
  if (!existsSync(adopted)) return;
  await mkdir(path.dirname(source), { recursive: true });
  await cp(adopted, source, { recursive: true });
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
