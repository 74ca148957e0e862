import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const INSTALL_TIMEOUT_MS = 180_000;

/**
 * Installs another project's package outside of this one, as its dependencies are nobody's business here.
 * @param {string} name with its version
 * @returns {Promise<{ directory: string, remove: () => Promise<void> }>}
 */
export async function installPeer(name) {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'bench-peer-'));
  const remove = () => rm(directory, { recursive: true, force: true });
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel', 'error'];
  try {
    // npm is a script; where npm itself started this program, it says which.
    const npm = process.env.npm_execpath;
    const args = ['install', '--prefix', directory, ...flags, name];
    const [file, all] = npm === undefined ? ['npm', args] : [process.execPath, [npm, ...args]];
    await run(file, all, { timeout: INSTALL_TIMEOUT_MS, cwd: directory });
  } catch (error) {
    await remove();
    throw error;
  }
  return { directory, remove };
}
