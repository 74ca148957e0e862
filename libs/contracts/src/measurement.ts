import { z } from 'zod';

/**
 * The measurement model: one row per wall-clock second and subject. Services and the Cosmos DB account
 * produce rows, the lab collects them, and diagnosis, charts and reports read nothing else.
 */

/** Durations of one row. The histogram keeps percentiles mergeable across rows and instances. */
export const durationSummary = z.object({
  count: z.int().nonnegative(),
  /** Milliseconds. */
  sumMs: z.number().nonnegative(),
  maxMs: z.number().nonnegative(),
  /** HdrHistogram V2, compressed, base64; values in microseconds, 3 significant digits, 1 µs to 10 minutes. */
  histogram: z.string(),
});
export type DurationSummary = z.infer<typeof durationSummary>;

const row = {
  /** Unix time in whole seconds: the row covers [second, second + 1). */
  second: z.int().nonnegative(),
};
const processRow = {
  ...row,
  /** Cloud role name, for example `fabrikam-gateway`. */
  role: z.string(),
  /** Distinguishes replicas and restarts of one role. */
  instance: z.string(),
};

/** Requests a process answered, by operation, counted in the second in which they ended. */
export const operationRow = z.object({
  kind: z.literal('operation'),
  ...processRow,
  operation: z.string(),
  count: z.int().nonnegative(),
  /** Answered with a status of 500 or more. */
  failed: z.int().nonnegative(),
  /** The caller left before the answer. */
  cancelled: z.int().nonnegative(),
  duration: durationSummary,
});

/** Outbound calls of a process, one per attempt, counted in the second in which they ended. */
export const dependencyRow = z.object({
  kind: z.literal('dependency'),
  ...processRow,
  /** The operation inside which the call was made; empty outside any. */
  operation: z.string(),
  /** A dependency type, for example `Azure DocumentDB` or `Http`. */
  type: z.string(),
  /** Called service or container. */
  target: z.string(),
  /** Physical partition (partition key range id) where there is one, else empty. */
  partition: z.string(),
  /** HTTP status, or a short error code when there was no answer. */
  resultCode: z.string(),
  count: z.int().nonnegative(),
  /** Attempts that repeat an earlier one of the same request. */
  retries: z.int().nonnegative(),
  /** Request units, as reported in the answers. */
  requestCharge: z.number().nonnegative(),
  /** Wait imposed before the next attempt, milliseconds (Cosmos DB: x-ms-retry-after-ms). */
  retryWaitMs: z.number().nonnegative(),
  duration: durationSummary,
});

/** CPU and event loop of a process. */
export const processUsageRow = z.object({
  kind: z.literal('process'),
  ...processRow,
  pid: z.int().positive(),
  /**
   * CPU time used in the second, milliseconds. Under a limit that the process enforces itself (`quota`), as the limit
   * counts it: at the full speed of a core.
   */
  cpuMs: z.number().nonnegative(),
  /** Cores the process may use; null when it has no limit. */
  cpuLimitCores: z.number().positive().nullable(),
  cpuLimitSource: z.enum(['cgroup', 'quota', 'none']),
  /** Enforcement periods that ended in the second, how many of them were throttled, and for how long in all. */
  periods: z.int().nonnegative(),
  throttledPeriods: z.int().nonnegative(),
  throttledMs: z.number().nonnegative(),
  /** 0 to 1. */
  eventLoopUtilization: z.number().min(0).max(1),
  eventLoopDelayMaxMs: z.number().nonnegative(),
  residentBytes: z.int().nonnegative(),
});

/** One physical partition of one container, as the account accounts for it. */
export const partitionRow = z.object({
  kind: z.literal('partition'),
  ...row,
  container: z.string(),
  partition: z.string(),
  /** Data-plane requests admitted and refused. */
  requests: z.int().nonnegative(),
  throttled: z.int().nonnegative(),
  requestUnits: z.number().nonnegative(),
  /** The partition's share of the provisioned throughput. */
  provisionedRuPerSecond: z.number().nonnegative(),
});

/** What the load generator did, counted in the second in which iterations ended. */
export const loadRow = z.object({
  kind: z.literal('load'),
  ...row,
  users: z.int().nonnegative(),
  requests: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  droppedIterations: z.int().nonnegative(),
  duration: durationSummary,
});

export const measurementRow = z.discriminatedUnion('kind', [
  operationRow,
  dependencyRow,
  processUsageRow,
  partitionRow,
  loadRow,
]);

export type OperationRow = z.infer<typeof operationRow>;
export type DependencyRow = z.infer<typeof dependencyRow>;
export type ProcessUsageRow = z.infer<typeof processUsageRow>;
export type PartitionRow = z.infer<typeof partitionRow>;
export type LoadRow = z.infer<typeof loadRow>;
export type MeasurementRow = z.infer<typeof measurementRow>;

/** Answer of `GET /-/stats?since=SECOND`: every finished second after `since` that is still held. */
export const statsResponse = z.object({
  role: z.string(),
  instance: z.string(),
  /** The newest finished second; pass it as the next `since`. */
  second: z.int().nonnegative(),
  rows: z.array(measurementRow),
});
export type StatsResponse = z.infer<typeof statsResponse>;
