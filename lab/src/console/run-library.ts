import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  buildResult,
  compareRuns,
  findRun,
  listRuns,
  ResultError,
  type RunResult,
  readRecording,
  readResult,
  sealResult,
  TELEMETRY_FOLDER,
} from '../results/index.js';
import { newestSealedId, newestSealedRun, type SealedRun } from '../workshop/index.js';
import type { ComparedPair, ComparedRuns, RunListed, RunView } from './api.js';
import { recordedRun } from './recorded-run.js';

/** Runs on disk, as the page shows them. */
export interface RunLibrary {
  /** Newest first. */
  list(): RunListed[];
  /** Throws RUN_UNKNOWN, RUN_AMBIGUOUS, RESULT_UNREADABLE. */
  view(id: string): RunView;
  folder(id: string): string;
  compare(ids: readonly string[]): ComparedRuns;
}

/** Rows of a long run take a second to read. */
const KEPT_VIEWS = 8;

export function createRunLibrary(runsDir: string): RunLibrary {
  const views = new Map<string, RunView>();
  const summaries = new Map<string, RunListed>();
  const mysteries = new Map<string, RunListed>();
  const folder = (id: string) => findRun(runsDir, id);
  const view = (id: string): RunView => {
    const mystery = id !== '' && id === newestSealedId(runsDir) ? newestSealedRun(runsDir) : null;
    if (mystery !== null) return recordedRun(mystery.recording, sealedResult(mystery));
    const place = folder(id);
    const known = views.get(place) ?? recordedRun(readRecording(place), readResult(place));
    views.delete(place);
    // A sealed one changes on disk when somebody has found its bottleneck.
    if (!known.sealed) views.set(place, known);
    const [oldest] = views.keys();
    if (views.size > KEPT_VIEWS && oldest !== undefined) views.delete(oldest);
    return known;
  };

  return {
    folder,
    view,
    list() {
      const onDisk = listRuns(runsDir)
        .toReversed()
        .flatMap((place) => {
          const known = summaries.get(place) ?? listed(place);
          if (known === null) return [];
          if (!known.sealed) summaries.set(place, known);
          return [known];
        });
      const hidden = newestSealedId(runsDir);
      if (hidden === null) return onDisk;
      const mystery = mysteries.get(hidden) ?? mysteryListed(runsDir);
      mysteries.set(hidden, mystery);
      return [...onDisk, mystery].sort((a, b) => (a.id < b.id ? 1 : -1));
    },
    compare(ids) {
      const results = ids.map((id) => readResult(folder(id)));
      const [first, ...others] = results;
      return {
        runs: ids.map(view),
        comparisons: first === undefined ? [] : others.map((second) => pairOf(first, second)),
      };
    },
  };
}

/** Of a mystery, what its disguise shows. */
function sealedResult({ recording }: SealedRun): RunResult {
  return sealResult(buildResult(recording));
}

function mysteryListed(runsDir: string): RunListed {
  return listedOf(sealedResult(newestSealedRun(runsDir)), { telemetry: false });
}

/** A run of another version is left out of the list; asked for by its name, it says what is wrong. */
function listed(place: string): RunListed | null {
  try {
    return listedOf(readResult(place), { telemetry: existsSync(path.join(place, TELEMETRY_FOLDER)) });
  } catch {
    return null;
  }
}

function listedOf(result: RunResult, { telemetry }: { telemetry: boolean }): RunListed {
  const { id, scenario, startedAt, plannedSeconds, status, validity, diagnosis, turnedKnobs, sealed } =
    result;
  return {
    ...{ id, startedAt, plannedSeconds, status, sealed, telemetry },
    scenario: scenario.name,
    valid: validity.valid,
    bottleneck: diagnosis.findings[0]?.title ?? '',
    turned: turnedKnobs.length,
  };
}

function pairOf(first: ReturnType<typeof readResult>, second: ReturnType<typeof readResult>): ComparedPair {
  const pair = { first: first.id, second: second.id };
  try {
    const { knobs, notes, differences } = compareRuns(first, second);
    return { ...pair, refused: '', knobs, notes, differences };
  } catch (error) {
    if (!(error instanceof ResultError)) throw error;
    return { ...pair, refused: error.message, knobs: [], notes: [], differences: [] };
  }
}
