import type { CiMachine } from '../../../lab/src/ci/baseline-file.js';
import { countMeasures, type LoadCounts, timeMeasures } from '../../../lab/src/ci/load-figures.js';
import type { Measured } from '../../../lab/src/ci/measured.js';

export const COUNTS: LoadCounts = {
  requests: 1_000,
  failed: 0,
  iterations: 500,
  counters: { ru: 1_500 },
  checks: { 'status is 200': { passes: 1_000, fails: 0 } },
};

export const MACHINE: CiMachine = {
  cpuModel: 'A processor',
  cores: 2,
  memoryBytes: 8e9,
  os: 'Linux 6 x64',
  node: 'v20.20.0',
  fingerprint: 'aaaa',
};

/** A load as the gate judges it, with what the test changes about it. */
export function measuredLoad(
  options: { counts?: Partial<LoadCounts>; p50Ms?: number; p95Ms?: number } & Partial<Measured> = {},
): Measured {
  const { counts: changed = {}, p50Ms = 20, p95Ms = 40, ...rest } = options;
  const counts = { ...COUNTS, ...changed };
  return {
    status: 'complete',
    reason: '',
    tooBusy: '',
    engine: { name: 'builtin', version: '0.1.0' },
    plannedSeconds: 10,
    measures: {
      ...countMeasures(counts),
      ...timeMeasures({ p50Ms, p95Ms, requestsPerSecond: 100 }),
    },
    thresholds: [],
    checks: Object.entries(counts.checks).map(([name, counted]) => ({ name, ...counted })),
    expected: null,
    ...rest,
  };
}
