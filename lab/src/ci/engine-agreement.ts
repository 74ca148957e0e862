import type { MeasureName } from '../analysis/index.js';
import type { RunResult } from '../results/index.js';

/** What two engines that make the same load must agree on, and how far apart they may be, percent of the first. */
export const ENGINE_AGREEMENT = {
  'throughput.mean': 5,
  'client.p50Ms': 10,
  'client.p95Ms': 10,
} as const satisfies Partial<Record<MeasureName, number>>;

export interface EngineFigure {
  measure: keyof typeof ENGINE_AGREEMENT;
  first: number | null;
  second: number | null;
  differencePercent: number | null;
  allowedPercent: number;
  /** Null: one of the runs does not have it. */
  ok: boolean | null;
}

/** `engines.json`, and `--json` of a comparison of engines. */
export interface EngineComparison {
  schemaVersion: string;
  kind: 'engine-comparison';
  id: string;
  scenario: string;
  plannedSeconds: number;
  runs: {
    id: string;
    engine: { name: string; version: string };
    status: string;
    valid: boolean;
    reason: string;
  }[];
  figures: EngineFigure[];
  /** Null: not judged, because a run broke off or was not valid. */
  agree: boolean | null;
}

const SCHEMA_VERSION = '1.0';

/** The same scenario by two engines. Nothing is judged unless both runs are complete and valid. */
export function compareEngines(id: string, first: RunResult, second: RunResult): EngineComparison {
  const figures = Object.entries(ENGINE_AGREEMENT).map(([name, allowedPercent]): EngineFigure => {
    const measure = name as keyof typeof ENGINE_AGREEMENT;
    const [a, b] = [first.measures[measure] ?? null, second.measures[measure] ?? null];
    const known = a !== null && b !== null && a > 0;
    const differencePercent = known ? (100 * (b - a)) / a : null;
    return {
      measure,
      first: a,
      second: b,
      differencePercent,
      allowedPercent,
      ok: differencePercent === null ? null : Math.abs(differencePercent) <= allowedPercent,
    };
  });
  const judged = [first, second].every(({ status, validity }) => status === 'complete' && validity.valid);
  return {
    schemaVersion: SCHEMA_VERSION,
    kind: 'engine-comparison',
    id,
    scenario: first.scenario.name,
    plannedSeconds: first.plannedSeconds,
    runs: [first, second].map(summaryOf),
    figures,
    agree: judged && figures.every(({ ok }) => ok !== null) ? figures.every(({ ok }) => ok) : null,
  };
}

function summaryOf({ id, load, status, validity, reason }: RunResult): EngineComparison['runs'][number] {
  const failed = validity.checks.filter(({ ok }) => ok === false).map(({ text }) => text);
  return {
    id,
    engine: load?.engine ?? { name: '', version: '' },
    status,
    valid: validity.valid,
    reason: reason || failed.join('; '),
  };
}
