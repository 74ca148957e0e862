import type { LoadOutcome } from '@bottleneck-lab/loadtests';
import { writeNewFolder } from './new-folder.js';
import { RESULT_SCHEMA_VERSION } from './result-schema.js';

/** `load.json` and `--json` of a load by somebody's own script. */
export interface OwnLoadResult extends Omit<LoadOutcome, 'seconds' | 'text' | 'detail'> {
  schemaVersion: string;
  kind: 'load';
  id: string;
  script: string;
  target: string;
  /** Why the load broke off; empty when it did not. */
  reason: string;
  /** Thresholds of the script that were crossed. */
  crossed: { metric: string; threshold: string }[];
  /** One entry per wall-clock second; durations in milliseconds. */
  seconds: {
    second: number;
    users: number;
    requests: number;
    failed: number;
    droppedIterations: number;
    meanMs: number | null;
    p95Ms: number | null;
    maxMs: number | null;
  }[];
}

/** Nearest rank; null of nothing. */
function statisticsOf(durationsMs: readonly number[]) {
  const sorted = durationsMs.toSorted((a, b) => a - b);
  const sum = sorted.reduce((total, durationMs) => total + durationMs, 0);
  return {
    meanMs: sorted.length === 0 ? null : sum / sorted.length,
    p95Ms: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null,
    maxMs: sorted.at(-1) ?? null,
  };
}

export function ownLoadResult(load: {
  id: string;
  script: string;
  target: string;
  outcome: LoadOutcome;
}): OwnLoadResult {
  const { outcome, ...given } = load;
  const { seconds, text: _text, detail, ...rest } = outcome;
  return {
    schemaVersion: RESULT_SCHEMA_VERSION,
    kind: 'load',
    ...given,
    ...rest,
    reason: outcome.meaning === 'broken' ? detail : '',
    crossed: crossedThresholds(outcome),
    seconds: seconds.map(({ durationsMs, ...second }) => ({ ...second, ...statisticsOf(durationsMs) })),
  };
}

function crossedThresholds({ summary }: LoadOutcome): OwnLoadResult['crossed'] {
  return Object.entries(summary?.metrics ?? {}).flatMap(([metric, { thresholds }]) =>
    Object.entries(thresholds)
      .filter(([, { ok }]) => !ok)
      .map(([threshold]) => ({ metric, threshold })),
  );
}

/** Leaves `load.json` in a new folder, whole or not at all. */
export async function writeOwnLoad(folder: string, result: OwnLoadResult): Promise<void> {
  await writeNewFolder(folder, { 'load.json': `${JSON.stringify(result, null, 2)}\n` });
}
