import { OPERATIONS, type OperationName } from '@bottleneck-lab/contracts';
import { mergeDurations } from '../recording/durations.js';
import { withoutNulls } from './load-measures.js';
import type { Measures } from './measure-table.js';
import type { RowOf, Span, Timeline } from './timeline.js';
import { sumOf } from './windows.js';

/** How the server side of each operation did. */
export function operationMeasures(timeline: Timeline, span: Span): Measures {
  const rows = timeline.rows('operation', span);
  const utilization = operationRows(rows, OPERATIONS.getDroneUtilization);
  const durations = mergeDurations(utilization.map((row) => row.duration));
  const delivery = durationsOf(rows, OPERATIONS.getDeliveriesSummary);
  const packages = durationsOf(rows, OPERATIONS.getPackagesSummary);
  const gateway = durationsOf(rows, OPERATIONS.getInvoice);
  return withoutNulls({
    'utilization.operations': utilization.length === 0 ? null : successfulOperations(utilization),
    'utilization.failed': utilization.length === 0 ? null : sumOf(utilization.map((row) => row.failed)),
    'utilization.meanMs': durations.meanMs,
    'utilization.p50Ms': durations.percentile(50),
    'utilization.p95Ms': durations.percentile(95),
    'utilization.p99Ms': durations.percentile(99),
    'delivery.meanMs': delivery.meanMs,
    'delivery.p95Ms': delivery.percentile(95),
    'package.meanMs': packages.meanMs,
    'package.p95Ms': packages.percentile(95),
    'gateway.meanMs': gateway.meanMs,
    'gateway.p95Ms': gateway.percentile(95),
  });
}

export function operationRows(rows: readonly RowOf<'operation'>[], operation: OperationName) {
  return rows.filter((row) => row.operation === operation);
}

/** Neither answered with 500 or more nor abandoned by the caller. */
export function successfulOperations(rows: readonly RowOf<'operation'>[]): number {
  return sumOf(rows.map((row) => row.count - row.failed - row.cancelled));
}

function durationsOf(rows: readonly RowOf<'operation'>[], operation: OperationName) {
  return mergeDurations(operationRows(rows, operation).map((row) => row.duration));
}
