import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import os from 'node:os';

/**
 * What a calibration depends on: the processor, the Node version that compiles the computation, and the
 * computation itself. A different fingerprint makes a stored calibration worthless.
 */
export function machineFingerprint(programFiles: readonly string[]): string {
  const hash = createHash('sha256');
  hash.update(
    JSON.stringify([os.cpus()[0]?.model ?? 'unknown', os.cpus().length, os.arch(), process.version]),
  );
  for (const file of programFiles) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}
