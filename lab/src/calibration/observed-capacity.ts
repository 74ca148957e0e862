import type { MeasurementRow } from '@bottleneck-lab/contracts';

/** Seconds of a load that come near the wanted rate; fewer of them say too little. */
const ENOUGH_SECONDS = 5;
/** At low rates what a process does without requests weighs too much. */
const NEAR_RATE = 0.5;
/** Of ten enforcement periods a second. With more, requests cost what they cost in a throttled process. */
const MOST_THROTTLED_PERIODS = 6;
/** What a request costs in a saturated, throttled process over what it costs in a busy one. */
const THROTTLED_COST = 1.03;

/**
 * Requests/s that one core gives at saturation, judged by what a service used under a real load just below it; null
 * when its rows hold no such load. A saturation by the lab itself shares the machine with the lab and varies more.
 */
export function observedCapacity(
  rows: readonly MeasurementRow[],
  targetRequestsPerSecond: number,
): number | null {
  const answered = new Map<number, number>();
  for (const row of rows) {
    if (row.kind === 'operation') answered.set(row.second, (answered.get(row.second) ?? 0) + row.count);
  }
  let cpuMs = 0;
  let requests = 0;
  let seconds = 0;
  for (const row of rows) {
    if (row.kind !== 'process' || row.throttledPeriods > MOST_THROTTLED_PERIODS) continue;
    const count = answered.get(row.second) ?? 0;
    if (count < NEAR_RATE * targetRequestsPerSecond) continue;
    cpuMs += row.cpuMs;
    requests += count;
    seconds += 1;
  }
  return seconds < ENOUGH_SECONDS || cpuMs === 0 ? null : (1_000 * requests) / (cpuMs * THROTTLED_COST);
}
