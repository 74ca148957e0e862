import {
  OPERATIONS,
  type OperationName,
  ROLES,
  SERVICE_NAMES,
  type ServiceName,
} from '@bottleneck-lab/contracts';
import { isThrottled, partitionQueryRows } from '../analysis/cosmos-measures.js';
import { operationRows } from '../analysis/operation-measures.js';
import { queriedContainer } from '../analysis/partition-statistics.js';
import { cpuPercentPerSecond } from '../analysis/process-statistics.js';
import { timelineOf } from '../analysis/timeline.js';
import { mergeDurations } from '../recording/durations.js';
import type { Recording } from '../recording/recording.js';

/** One second of the load, for charts and CSV. `null`: nothing ended in that second, or nothing is known. */
export interface SecondPoint {
  second: number;
  users: number;
  requests: number;
  failed: number;
  clientMeanMs: number | null;
  clientP95Ms: number | null;
  utilizationMeanMs: number | null;
  deliveryMeanMs: number | null;
  packageMeanMs: number | null;
  /** Attempts of partition queries that were answered, and that were refused with 429. */
  queriesAnswered: number;
  queriesThrottled: number;
  /** Request units by physical partition of the queried container. */
  ruByPartition: Record<string, number>;
  /** Limit of one of them, RU/s. */
  limitRuPerSecond: number | null;
  /** CPU over limit; services without a limit are absent. */
  cpuPercent: Partial<Record<ServiceName, number>>;
}

export interface SecondSeries {
  /** The container whose partitions are shown; `null` when none was queried. */
  container: string | null;
  partitions: string[];
  /** Services with a CPU limit. */
  services: ServiceName[];
  points: SecondPoint[];
}

/** The load second by second. */
export function secondSeries(recording: Recording): SecondSeries {
  const timeline = timelineOf(recording);
  const span = timeline.load;
  const load = groupBySecond(timeline.rows('load', span), timeline.zero);
  const operations = groupBySecond(timeline.rows('operation', span), timeline.zero);
  const queries = groupBySecond(partitionQueryRows(timeline, span), timeline.zero);
  const container = queriedContainer(timeline, span);
  const partitionRows = timeline.rows('partition', span).filter((row) => row.container === container);
  const charges = groupBySecond(partitionRows, timeline.zero);
  const cpu = cpuByService(recording);
  const partitions = [...new Set(partitionRows.map((row) => row.partition))].sort(
    (a, b) => Number(a) - Number(b),
  );
  const points = Array.from({ length: timeline.lengthSeconds }, (_, second): SecondPoint => {
    const own = operations.get(second) ?? [];
    const mean = (operation: OperationName) =>
      mergeDurations(operationRows(own, operation).map((row) => row.duration)).meanMs;
    const client = mergeDurations((load.get(second) ?? []).map((row) => row.duration));
    return {
      second,
      users: sum(load.get(second), (row) => row.users),
      requests: sum(load.get(second), (row) => row.requests),
      failed: sum(load.get(second), (row) => row.failed),
      clientMeanMs: client.meanMs,
      clientP95Ms: client.percentile(95),
      utilizationMeanMs: mean(OPERATIONS.getDroneUtilization),
      deliveryMeanMs: mean(OPERATIONS.getDeliveriesSummary),
      packageMeanMs: mean(OPERATIONS.getPackagesSummary),
      queriesAnswered: sum(queries.get(second), (row) => (isThrottled(row) ? 0 : row.count)),
      queriesThrottled: sum(queries.get(second), (row) => (isThrottled(row) ? row.count : 0)),
      ruByPartition: Object.fromEntries(
        (charges.get(second) ?? []).map((row) => [row.partition, row.requestUnits]),
      ),
      limitRuPerSecond: charges.get(second)?.[0]?.provisionedRuPerSecond ?? null,
      cpuPercent: Object.fromEntries([...cpu].map(([service, series]) => [service, series[second] ?? 0])),
    };
  });
  return { container, partitions, services: [...cpu.keys()], points };
}

function cpuByService(recording: Recording): Map<ServiceName, number[]> {
  const timeline = timelineOf(recording);
  const series = new Map<ServiceName, number[]>();
  for (const service of SERVICE_NAMES) {
    const rows = timeline.rows('process', timeline.load).filter((row) => row.role === ROLES[service]);
    if (!rows.some((row) => row.cpuLimitCores !== null)) continue;
    series.set(service, cpuPercentPerSecond({ timeline, span: timeline.load, rows }));
  }
  return series;
}

function groupBySecond<Row extends { second: number }>(
  rows: readonly Row[],
  zero: number,
): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.second - zero);
    if (group === undefined) groups.set(row.second - zero, [row]);
    else group.push(row);
  }
  return groups;
}

function sum<Row>(rows: readonly Row[] | undefined, value: (row: Row) => number): number {
  return (rows ?? []).reduce((total, row) => total + value(row), 0);
}
