import { isMeasureName, MEASURE_TABLE, type MeasureName } from '../analysis/measure-table.js';
import { readArticle } from '../results/article.js';
import type { RunResult } from '../results/result-schema.js';

/** Closer than this, two figures agree and need no explanation. */
const AGREES_PERCENT = 15;

const MOST_USERS =
  'the published load held its most users for half of the test; here they are reached only at the end';
const OTHER_LOAD =
  'the published load had one user for four minutes and then up to 41 without a pause; here users rise evenly and pause between requests';

/** Why a figure may differ from the published one although the same thing is measured. */
const REASONS: Partial<Record<MeasureName, string>> = {
  'throughput.mean': OTHER_LOAD,
  'throughput.best15s': OTHER_LOAD,
  'utilization.meanMs': MOST_USERS,
  'utilization.p50Ms':
    'a published test is half one user and half forty, so its median is that of the quiet half; here the load rises all the time',
  'utilization.p95Ms': MOST_USERS,
  'utilization.p99Ms': MOST_USERS,
  'delivery.meanMs':
    'another computation on another CPU: here it is sized by calibration, and waiting in front of the process is not part of it',
  'package.meanMs': 'here a point read under a modelled latency',
  'cosmos.throttledPercent':
    'the published load held 41 users for half of the test, far above what 900 RU/s can serve; here the ceiling is crossed only near the end, so fewer queries are refused',
  'cosmos.attemptsPerOperation':
    'the published figure counts all calls to the database, query plans included',
  'cosmos.ruPerOperation': 'documents and charges are modelled on the published ones',
  'partition.peakRuPerSecond':
    'a partition may spend what it saved, so its peak depends on how much the load left it to save',
};

/** Counts say nothing beside those of a test of another length. */
const COUNTS: readonly MeasureName[] = ['utilization.operations', 'cosmos.throttled'];

export interface PublishedRow {
  measure: MeasureName;
  unit: string;
  measured: number;
  published: number;
  /** Of the published value; `null` when that is 0. */
  differencePercent: number | null;
  note: string;
}

/** Measured beside published, one line on each difference. Empty for a scenario the article does not have. */
export function publishedRows(result: RunResult): PublishedRow[] {
  const { published, measures } = result;
  if (published === null) return [];
  const sameLength = result.plannedSeconds === readArticle().load.durationSeconds;
  return Object.entries(published.measures).flatMap(([measure, value]) => {
    const measured = measures[measure];
    if (measured === undefined || !isMeasureName(measure)) return [];
    if (!sameLength && COUNTS.includes(measure)) return [];
    const differencePercent = value === 0 ? null : (100 * (measured - value)) / value;
    return [
      {
        measure,
        unit: MEASURE_TABLE[measure].unit,
        measured,
        published: value,
        differencePercent,
        note: noteOn(measure, measured === value ? 0 : differencePercent),
      },
    ];
  });
}

function noteOn(measure: MeasureName, differencePercent: number | null): string {
  if (differencePercent !== null && Math.abs(differencePercent) <= AGREES_PERCENT) return 'agrees';
  return REASONS[measure] ?? 'differs';
}
