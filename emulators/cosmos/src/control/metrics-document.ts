import type { Clock } from '../clock.js';
import type { OperationTotals } from '../metrics/operation-totals.js';
import type { PartitionSecond } from '../metrics/partition-metrics.js';
import type { ProcessMetrics } from '../metrics/process-metrics.js';
import type { Account } from '../store/account.js';

export interface MetricsSources {
  account: Account;
  clock: Clock;
  totals: OperationTotals;
  processMetrics: ProcessMetrics;
}

interface PartitionRow extends PartitionSecond {
  database: string;
  container: string;
  partitionKeyRangeId: string;
}

/**
 * Finished wall-clock seconds after `since`. Partitions have a row for each second in which they had requests.
 * `second` is the newest finished one: pass it as the next `since`.
 */
export function metricsDocument({ account, clock, totals, processMetrics }: MetricsSources, since: number) {
  const current = Math.floor(clock.now() / 1000);
  const partitions: PartitionRow[] = [];
  for (const container of account.containers()) {
    for (const [partitionKeyRangeId, metrics] of container.layout.metrics()) {
      for (const second of metrics.read(since, current)) {
        const { database, id } = container;
        partitions.push({ ...second, database: database.id, container: id, partitionKeyRangeId });
      }
    }
  }
  return {
    second: current - 1,
    partitions,
    operations: totals.toJson(),
    process: processMetrics.read(since),
  };
}
