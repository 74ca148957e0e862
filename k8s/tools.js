import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Where `.ci/deploy-tools.sh` puts what it installs. */
const INSTALLED =
  process.env.BOTTLENECK_LAB_DEPLOY_TOOLS ??
  path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'bottleneck-lab/deploy-tools');

/** The command of a deployment tool: the installed one, else the one on PATH; null without. */
export function findTool(name) {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  const folders = [path.join(INSTALLED, 'bin'), ...(process.env.PATH ?? '').split(path.delimiter)];
  return folders.map((folder) => path.join(folder, file)).find((candidate) => existsSync(candidate)) ?? null;
}

/** A file that `.ci/deploy-tools.sh` fetched; null without. */
export function findToolFile(name) {
  const file = path.join(INSTALLED, name);
  return existsSync(file) ? file : null;
}
