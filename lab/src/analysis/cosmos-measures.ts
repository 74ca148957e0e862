import { DEPENDENCY_TYPES, OPERATIONS } from '@bottleneck-lab/contracts';
import { withoutNulls } from './load-measures.js';
import type { Measures } from './measure-table.js';
import { operationRows, successfulOperations } from './operation-measures.js';
import { type RowOf, type Span, type Timeline, withTail } from './timeline.js';
import { sumOf } from './windows.js';

/** Every attempt of a document query that GetDroneUtilization made. */
export function partitionQueryRows(timeline: Timeline, span: Span): RowOf<'dependency'>[] {
  return timeline
    .rows('dependency', span)
    .filter(
      (row) =>
        row.type === DEPENDENCY_TYPES.documentQuery && row.operation === OPERATIONS.getDroneUtilization,
    );
}

/**
 * What the utilization service asked of Cosmos DB. Ratios per operation follow operations that were in flight
 * at the end of the load to their end when `toTheEnd` is set; counts stay inside the span.
 */
export function cosmosMeasures(options: { timeline: Timeline; span: Span; toTheEnd: boolean }): Measures {
  const { timeline, span, toTheEnd } = options;
  const inside = partitionQueryRows(timeline, span);
  if (inside.length === 0) return {};
  return {
    ...countMeasures(inside),
    ...ratioMeasures(timeline, toTheEnd ? withTail(span) : span),
  };
}

function countMeasures(rows: RowOf<'dependency'>[]): Measures {
  const attempts = sumOf(rows.map((row) => row.count));
  const throttled = sumOf(rows.filter(isThrottled).map((row) => row.count));
  return withoutNulls({
    'cosmos.partitionQueries': attempts - sumOf(rows.map((row) => row.retries)),
    'cosmos.throttled': throttled,
    'cosmos.throttledPercent': ratio(100 * throttled, attempts),
  });
}

function ratioMeasures(timeline: Timeline, span: Span): Measures {
  const rows = partitionQueryRows(timeline, span);
  const answered = rows.filter((row) => !isThrottled(row));
  const operations = operationRows(timeline.rows('operation', span), OPERATIONS.getDroneUtilization);
  const successes = successfulOperations(operations);
  const ended = sumOf(operations.map((row) => row.count));
  const operationMs = sumOf(operations.map((row) => row.duration.sumMs));
  const attempts = sumOf(rows.map((row) => row.count));
  const waitMs = sumOf(rows.map((row) => row.retryWaitMs));
  const queryMs = sumOf(rows.map((row) => row.duration.sumMs)) + waitMs;
  const charge = sumOf(rows.map((row) => row.requestCharge));
  const answers = sumOf(answered.map((row) => row.count));
  return withoutNulls({
    'cosmos.queriesPerOperation': ratio(attempts - sumOf(rows.map((row) => row.retries)), successes),
    'cosmos.attemptsPerOperation': ratio(attempts, successes),
    'cosmos.ruPerOperation': ratio(charge, successes),
    'cosmos.ruPerQuery': ratio(charge, answers),
    'cosmos.queryMeanMs': ratio(sumOf(answered.map((row) => row.duration.sumMs)), answers),
    'cosmos.queryTimePerOperationMs': ratio(queryMs, ended),
    'cosmos.overlap': ratio(queryMs, operationMs),
    'cosmos.retryWaitPercent': ratio(100 * waitMs, operationMs),
  });
}

export function isThrottled(row: RowOf<'dependency'>): boolean {
  return row.resultCode === '429';
}

function ratio(numerator: number, denominator: number): number | null {
  return denominator === 0 ? null : numerator / denominator;
}
