import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PROJECT_ROOT } from '../stack/state-dir.js';

/** Versions of the lab and of what it measured with, by name. */
export function usedVersions(engine: { name: string; version: string }): Record<string, string> {
  return {
    lab: manifestVersion(path.join(PROJECT_ROOT, 'lab/package.json')),
    node: process.version,
    '@azure/cosmos': manifestVersion(cosmosManifest()),
    [engine.name]: engine.version,
  };
}

/** The package does not export its manifest, so it is found beside its entry. */
function cosmosManifest(): string {
  const entry = createRequire(import.meta.url).resolve('@azure/cosmos');
  const root = entry.slice(0, entry.lastIndexOf(`${path.sep}cosmos${path.sep}`) + '/cosmos/'.length);
  return path.join(root, 'package.json');
}

function manifestVersion(file: string): string {
  return JSON.parse(readFileSync(file, 'utf8')).version;
}
