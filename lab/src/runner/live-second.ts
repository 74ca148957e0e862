import { type MeasurementRow, ROLES, SERVICE_NAMES, type ServiceName } from '@bottleneck-lab/contracts';
import type { LoadSecond } from '@bottleneck-lab/loadtests';

/** One second of a running load, as it is shown while it runs. `null`: this target does not tell. */
export interface LiveSecond {
  /** From the load's start. */
  second: number;
  plannedSeconds: number;
  users: number;
  requestsPerSecond: number;
  failed: number;
  meanMs: number | null;
  p95Ms: number | null;
  throttledPerSecond: number | null;
  /** The physical partition closest to its limit, of the container that used most request units. */
  hottest: { container: string; partition: string; ruPerSecond: number; limitRuPerSecond: number } | null;
  /** The service closest to its CPU limit. */
  busiest: { service: ServiceName; percent: number } | null;
}

/** Puts a second of the load beside the rows of the same second. */
export function liveSecond(options: {
  load: LoadSecond;
  /** From the load's start. */
  second: number;
  plannedSeconds: number;
  rows: readonly MeasurementRow[];
}): LiveSecond {
  const { load, second, plannedSeconds, rows } = options;
  const partitions = rows.filter((row) => row.kind === 'partition');
  const { durationsMs } = load;
  const sumMs = durationsMs.reduce((sum, ms) => sum + ms, 0);
  return {
    second,
    plannedSeconds,
    users: load.users,
    requestsPerSecond: load.requests,
    failed: load.failed,
    meanMs: durationsMs.length === 0 ? null : sumMs / durationsMs.length,
    p95Ms: percentile(durationsMs, 95),
    throttledPerSecond:
      partitions.length === 0 ? null : partitions.reduce((sum, row) => sum + row.throttled, 0),
    hottest: hottestPartition(rows),
    busiest: busiestService(rows),
  };
}

function hottestPartition(rows: readonly MeasurementRow[]): LiveSecond['hottest'] {
  const partitions = rows.filter((row) => row.kind === 'partition');
  const usage = new Map<string, number>();
  for (const row of partitions) {
    usage.set(row.container, (usage.get(row.container) ?? 0) + row.requestUnits);
  }
  const container = [...usage].sort((a, b) => b[1] - a[1])[0]?.[0];
  let hottest: LiveSecond['hottest'] = null;
  let share = -1;
  for (const row of partitions) {
    if (row.container !== container || row.provisionedRuPerSecond === 0) continue;
    if (row.requestUnits / row.provisionedRuPerSecond <= share) continue;
    share = row.requestUnits / row.provisionedRuPerSecond;
    hottest = {
      container: row.container,
      partition: row.partition,
      ruPerSecond: row.requestUnits,
      limitRuPerSecond: row.provisionedRuPerSecond,
    };
  }
  return hottest;
}

function busiestService(rows: readonly MeasurementRow[]): LiveSecond['busiest'] {
  let busiest: LiveSecond['busiest'] = null;
  for (const row of rows) {
    if (row.kind !== 'process' || row.cpuLimitCores === null) continue;
    const service = SERVICE_NAMES.find((name) => ROLES[name] === row.role);
    const percent = row.cpuMs / 10 / row.cpuLimitCores;
    if (service !== undefined && percent > (busiest?.percent ?? -1)) busiest = { service, percent };
  }
  return busiest;
}

function percentile(values: readonly number[], percent: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)] ?? null;
}
