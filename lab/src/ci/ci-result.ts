import type { CiMachine, Subject } from './baseline-file.js';
import type { TimeChange } from './judge-against.js';
import type { CiMeasures } from './measure.js';
import { type CiCase, type Verdict, verdictOf } from './verdict.js';

/** `major.minor` of result.json in the folder of results. */
export const CI_RESULT_SCHEMA_VERSION = '1.0';

/** `--json`, and result.json in the folder of results. */
export interface CiResult {
  schemaVersion: string;
  kind: 'ci';
  id: string;
  startedAt: string;
  elapsedSeconds: number;
  verdict: Verdict;
  subject: Subject;
  /** What was loaded: a URL or a command as given; null of the lab's own stack. */
  target: string | null;
  /** What it was compared with, as given. */
  against: string | null;
  engine: { name: string; version: string };
  machine: CiMachine;
  baseline: { file: string; recordedAt: string; updated: boolean } | null;
  /** Folder of the run with everything that was measured; null of a script. */
  run: string | null;
  cases: CiCase[];
  measures: CiMeasures;
  /** With `against`: the change of each time over all rounds. */
  changes: TimeChange[];
  rounds: number | null;
  notes: string[];
}

export function ciResult(
  input: Omit<CiResult, 'schemaVersion' | 'kind' | 'verdict'> & { verdict?: Verdict | undefined },
): CiResult {
  const { verdict, ...rest } = input;
  return {
    schemaVersion: CI_RESULT_SCHEMA_VERSION,
    kind: 'ci',
    verdict: verdict ?? verdictOf(rest.cases),
    ...rest,
  };
}
