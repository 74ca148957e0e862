import { isMeasureName, MEASURE_TABLE, type MeasureName } from '../analysis/measure-table.js';
import type { RunResult } from '../results/result-schema.js';

/** Closer than this, two figures agree and need no explanation. */
const AGREES_PERCENT = 15;

const OTHER_LOAD =
  'the published load had one user for four minutes and then up to 41 without a pause; here users rise evenly and pause between requests';

/** Why a figure may differ from the published one although the same thing is measured. */
const REASONS: Partial<Record<MeasureName, string>> = {
  'throughput.mean': OTHER_LOAD,
  'throughput.best15s': OTHER_LOAD,
  'utilization.operations': 'a count, and the published tests lasted 480 s',
  'utilization.meanMs':
    'the published load held its most users for half of the test; here they are reached only at the end',
  'utilization.p50Ms':
    'a published test is half one user and half forty, so its median is that of the quiet half; here the load rises all the time',
  'utilization.p95Ms':
    'the published load held its most users for half of the test; here they are reached only at the end',
  'utilization.p99Ms':
    'the tail of the published tests includes long waits for a retry under 41 users, which are reached only briefly here',
  'delivery.meanMs':
    'another computation on another CPU: here it is sized by calibration, and waiting in front of the process is not part of it',
  'package.meanMs': 'here a point read under a modelled latency',
  'cosmos.throttled': 'a count, and the published tests lasted 480 s',
  'cosmos.throttledPercent':
    'the published load held 41 users for half of the test, far above what 900 RU/s can serve; here the ceiling is crossed only near the end, so fewer queries are refused',
  'cosmos.attemptsPerOperation':
    'the published figure counts all calls to the database, query plans included',
  'cosmos.ruPerOperation': 'documents and charges are modelled on the published ones',
  'partition.peakRuPerSecond':
    'a partition may spend what it saved, so its peak depends on how much the load left it to save',
};

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
  return Object.entries(published.measures).flatMap(([measure, value]) => {
    const measured = measures[measure];
    if (measured === undefined || !isMeasureName(measure)) return [];
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
