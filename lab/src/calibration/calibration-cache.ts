import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { writeJsonAtomically } from '../stack/atomic-file.js';

const cacheFile = z.object({
  version: z.literal(2),
  fingerprint: z.string(),
  entries: z.array(
    z.object({
      targetRequestsPerSecond: z.number().positive(),
      limitCores: z.number().positive(),
      ceilingRequestsPerSecond: z.number().positive(),
      measuredAt: z.string(),
    }),
  ),
});
export type CachedCalibration = z.infer<typeof cacheFile>['entries'][number];

/** The stored limit for a ceiling on this machine; null when there is none or the file is unusable. */
export function readCachedCalibration(options: {
  path: string;
  fingerprint: string;
  targetRequestsPerSecond: number;
}): CachedCalibration | null {
  const entries = readEntries(options.path, options.fingerprint);
  return entries.find((one) => one.targetRequestsPerSecond === options.targetRequestsPerSecond) ?? null;
}

export function storeCalibration(path: string, fingerprint: string, entry: CachedCalibration): void {
  const others = readEntries(path, fingerprint).filter(
    (one) => one.targetRequestsPerSecond !== entry.targetRequestsPerSecond,
  );
  writeJsonAtomically(path, { version: 2, fingerprint, entries: [...others, entry] });
}

/** A calibration costs seconds, so a damaged file is worth no more than a new measurement. */
function readEntries(path: string, fingerprint: string): CachedCalibration[] {
  try {
    const parsed = cacheFile.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success && parsed.data.fingerprint === fingerprint ? parsed.data.entries : [];
  } catch {
    return [];
  }
}
