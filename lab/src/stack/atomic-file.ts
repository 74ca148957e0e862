import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Writes beside the file and renames, so that a reader sees the old or the new content, never half of it. */
export function writeJsonAtomically(path: string, value: unknown, mode = 0o644): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
