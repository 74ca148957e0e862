import type { EngineName } from '@bottleneck-lab/loadtests';
import type { Scenario } from '../scenarios/index.js';
import { FULL_SECONDS } from './shared-options.js';

/** Flags of a series of loads, wherever it runs. */
export interface SeriesFlags {
  scenarios: readonly Scenario[];
  duration: number;
  full?: true;
  seed: number;
  engine: EngineName;
  check?: true;
  /** False: only what was measured is shown. */
  diagnosis?: boolean;
  json?: true;
}

/** What they ask of the series. */
export function seriesFromFlags(flags: SeriesFlags) {
  const { scenarios, seed, engine, diagnosis } = flags;
  return {
    ...{ scenarios, seed, engine, diagnosis },
    plannedSeconds: flags.full ? FULL_SECONDS : flags.duration,
    check: flags.check === true,
    json: flags.json === true,
  };
}
