import type { DependencyRow } from '@bottleneck-lab/contracts';
import type { RunningService } from '@bottleneck-lab/service-kit';
import { eventually } from '../service-kit/eventually.js';

export interface DependencyTotals {
  count: number;
  retries: number;
  requestCharge: number;
  retryWaitMs: number;
  partitions: string[];
}

/** All dependency rows of an operation once its requests have been counted, by type and result code: `Http 200`. */
export async function dependencyTotals(
  service: RunningService,
  options: { operation: string; requests: number },
): Promise<Record<string, DependencyTotals>> {
  const rows = await eventually(() => {
    const held = service.runtime.stats.read(0).rows;
    const counted = held
      .filter((row) => row.kind === 'operation' && row.operation === options.operation)
      .reduce((sum, row) => sum + ('count' in row ? row.count : 0), 0);
    return counted >= options.requests && held;
  });
  const totals: Record<string, DependencyTotals> = {};
  const calls = rows.filter((row): row is DependencyRow => row.kind === 'dependency');
  for (const row of calls.filter((call) => call.operation === options.operation)) {
    const key = `${row.type} ${row.resultCode}`;
    const none: DependencyTotals = { count: 0, retries: 0, requestCharge: 0, retryWaitMs: 0, partitions: [] };
    const total = totals[key] ?? none;
    totals[key] = total;
    total.count += row.count;
    total.retries += row.retries;
    total.requestCharge += row.requestCharge;
    total.retryWaitMs += row.retryWaitMs;
    if (!total.partitions.includes(row.partition)) total.partitions.push(row.partition);
  }
  return totals;
}
