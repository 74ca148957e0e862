/** Metrics that processes report besides those of their instrumentations; all with the process's role and instance. */
export const METRICS = {
  /** Histogram, per Cosmos DB attempt; dimensions container, partition, type. */
  cosmosRequestUnits: 'CosmosDb-RequestUnits',
  /** Counter of attempts answered 429; dimensions container, partition, type. */
  cosmosThrottled: 'CosmosDb-Throttled',
  /** Cores used in the last second. */
  cpuUsedCores: 'process.cpu.used_cores',
  /** Cores the process may use; not reported without a limit. */
  cpuLimitCores: 'process.cpu.limit_cores',
  /** Cores used as a share of the limit; not reported without a limit. */
  cpuLimitUtilization: 'process.cpu.limit_utilization',
  /** Counter of enforcement periods of the CPU limit, and of those that were throttled. */
  cpuPeriods: 'process.cpu.periods',
  cpuThrottledPeriods: 'process.cpu.throttled_periods',
  /** Counter of milliseconds that the process was held back by its CPU limit. */
  cpuThrottledMs: 'process.cpu.throttled_ms',
  /** 0 to 1. */
  eventLoopUtilization: 'process.event_loop.utilization',
  residentBytes: 'process.memory.resident_bytes',
  /** Counter of telemetry items that could not be delivered. */
  telemetryLostItems: 'telemetry.lost_items',
} as const;

export type MetricName = (typeof METRICS)[keyof typeof METRICS];
