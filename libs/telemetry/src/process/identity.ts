import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROLES } from '@bottleneck-lab/contracts';
import type { ProcessIdentity } from '../settings.js';

/** Who this process is when the environment does not say: the package that its main script belongs to. */
export function processIdentity(script: string | undefined = process.argv[1]): ProcessIdentity {
  const { name, version } = packageOf(script === undefined ? process.cwd() : path.dirname(script));
  const short = name.split('/').at(-1) ?? name;
  const serviceName = Object.hasOwn(ROLES, short) ? ROLES[short as keyof typeof ROLES] : short;
  return { serviceName, version, pid: process.pid };
}

function packageOf(folder: string): { name: string; version: string } {
  for (let current = folder; ; current = path.dirname(current)) {
    const found = readPackage(path.join(current, 'package.json'));
    if (found !== null) return found;
    if (current === path.dirname(current)) return { name: 'node', version: '0.0.0' };
  }
}

function readPackage(file: string): { name: string; version: string } | null {
  try {
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string };
    return name === undefined ? null : { name, version: version ?? '0.0.0' };
  } catch {
    return null;
  }
}

/** Origins of the lab's services, from the variables that callers have them in: `DELIVERY_URL` and so on. */
export function peersOf(env: Readonly<Record<string, string | undefined>>): Map<string, string> {
  const peers = new Map<string, string>();
  for (const [name, role] of Object.entries(ROLES)) {
    const url = env[`${name.toUpperCase().replaceAll('-', '_')}_URL`];
    if (url !== undefined && URL.canParse(url)) peers.set(new URL(url).origin, role);
  }
  return peers;
}
