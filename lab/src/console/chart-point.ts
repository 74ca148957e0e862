import {
  DEPENDENCY_TYPES,
  type MeasurementRow,
  OPERATIONS,
  ROLES,
  SERVICE_NAMES,
  type ServiceName,
} from '@bottleneck-lab/contracts';
import type { RowOf } from '../analysis/timeline.js';
import { sumOf } from '../analysis/windows.js';
import type { BackendName, ChartPoint } from './api.js';

/** What the load generator saw in one second. */
export type PointLoad = Pick<ChartPoint, 'users' | 'requests' | 'failed' | 'clientMeanMs' | 'clientP95Ms'>;

const OPERATION_OF: Record<BackendName, string> = {
  'drone-utilization': OPERATIONS.getDroneUtilization,
  delivery: OPERATIONS.getDeliveriesSummary,
  package: OPERATIONS.getPackagesSummary,
};
const BACKENDS = Object.keys(OPERATION_OF) as BackendName[];

/**
 * One second of the charts from its rows, the same for a load that runs and for one that was recorded. The
 * container is the one queried most in this second; `container` stands in for a second without queries.
 */
export function chartPoint(input: {
  second: number;
  load: PointLoad;
  rows: readonly MeasurementRow[];
  container: string | null;
}): ChartPoint {
  const { second, load, rows } = input;
  const operations = ofKind(rows, 'operation');
  const queries = ofKind(rows, 'dependency').filter(
    (row) => row.type === DEPENDENCY_TYPES.documentQuery && row.operation === OPERATIONS.getDroneUtilization,
  );
  const throttled = sumOf(queries.filter((row) => row.resultCode === '429').map((row) => row.count));
  const attempts = sumOf(queries.map((row) => row.count));
  const utilization = operations.filter((row) => row.operation === OPERATIONS.getDroneUtilization);
  return {
    second,
    ...load,
    operations: Object.fromEntries(
      BACKENDS.map((name) => [name, endedOf(operations, OPERATION_OF[name])]),
    ) as ChartPoint['operations'],
    cpuPercent: cpuOf(ofKind(rows, 'process')),
    answered: attempts - throttled,
    throttled,
    ...partitionsOf(ofKind(rows, 'partition'), mostQueried(queries) ?? input.container),
    successes: sumOf(utilization.map((row) => row.count - row.failed - row.cancelled)),
    partitionQueries: attempts - sumOf(queries.map((row) => row.retries)),
    requestCharge: sumOf(queries.map((row) => row.requestCharge)),
  };
}

/** Services that had a CPU limit in some row. */
export function limitedServices(rows: readonly MeasurementRow[]): ServiceName[] {
  const limited = new Set(
    ofKind(rows, 'process').flatMap((row) => (row.cpuLimitCores === null ? [] : [row.role])),
  );
  return SERVICE_NAMES.filter((name) => limited.has(ROLES[name]));
}

function ofKind<Kind extends MeasurementRow['kind']>(rows: readonly MeasurementRow[], kind: Kind) {
  return rows.filter((row): row is RowOf<Kind> => row.kind === kind);
}

function endedOf(rows: readonly RowOf<'operation'>[], operation: string) {
  const own = rows.filter((row) => row.operation === operation);
  const count = sumOf(own.map((row) => row.duration.count));
  return { count, meanMs: count === 0 ? null : sumOf(own.map((row) => row.duration.sumMs)) / count };
}

const ONE_CORE = 1;

function cpuOf(rows: readonly RowOf<'process'>[]): ChartPoint['cpuPercent'] {
  const percents: ChartPoint['cpuPercent'] = {};
  for (const service of SERVICE_NAMES) {
    const own = rows.filter((row) => row.role === ROLES[service]);
    if (own.length === 0) continue;
    const allowedMs = sumOf(own.map((row) => 1000 * (row.cpuLimitCores ?? ONE_CORE)));
    percents[service] = (100 * sumOf(own.map((row) => row.cpuMs))) / allowedMs;
  }
  return percents;
}

function mostQueried(queries: readonly RowOf<'dependency'>[]): string | null {
  const counts = new Map<string, number>();
  for (const row of queries) counts.set(row.target, (counts.get(row.target) ?? 0) + row.count);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}

function partitionsOf(rows: readonly RowOf<'partition'>[], container: string | null) {
  const own = rows.filter((row) => row.container === container);
  return {
    container,
    ruByPartition: Object.fromEntries(own.map((row) => [row.partition, row.requestUnits])),
    limitRuPerSecond: own[0]?.provisionedRuPerSecond ?? null,
  };
}
