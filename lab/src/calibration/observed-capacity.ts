import type { MeasurementRow } from '@bottleneck-lab/contracts';
import { median } from './capacity.js';

/** The last seconds of a load; before them, what had just been replaced was still being compiled. */
const LAST_SECONDS = 4;
/** Fewer of them say too little. */
const ENOUGH_SECONDS = 2;
/** At low rates what a process does without requests weighs too much. */
const NEAR_RATE = 0.5;

/**
 * Requests/s that one core gives under a load that has just ended; null when it did not come near the wanted rate. Only
 * a load through the whole system, as the scenario has set it up, shows what a request will cost in the scenario: how
 * requests arrive, and what else the machine does meanwhile, count as well.
 */
export function observedCapacity(
  rows: readonly MeasurementRow[],
  targetRequestsPerSecond: number,
): number | null {
  // Of several processes, each has the rate for itself.
  const answered = new Map<string, number>();
  const keyOf = (row: { instance: string; second: number }) => `${row.instance} ${row.second}`;
  for (const row of rows) {
    if (row.kind === 'operation') answered.set(keyOf(row), (answered.get(keyOf(row)) ?? 0) + row.count);
  }
  const perCore = rows
    .flatMap((row) => {
      if (row.kind !== 'process' || row.cpuMs <= 0) return [];
      const count = answered.get(keyOf(row)) ?? 0;
      if (count < NEAR_RATE * targetRequestsPerSecond) return [];
      return [{ second: row.second, requestsPerCore: (1_000 * count) / row.cpuMs }];
    })
    .sort((a, b) => a.second - b.second)
    .slice(-LAST_SECONDS)
    .map((one) => one.requestsPerCore);
  // The middle one, so that one disturbed second counts for nothing.
  return perCore.length < ENOUGH_SECONDS ? null : median(perCore);
}
