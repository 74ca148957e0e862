import { partitionQueryRows } from './cosmos-measures.js';
import { withoutNulls } from './load-measures.js';
import type { Measures } from './measure-table.js';
import { perSecond, type RowOf, type Span, secondsIn, type Timeline } from './timeline.js';
import { bestWindow, sumOf } from './windows.js';

/** One physical partition of one container over a span. */
export interface PartitionStatistics {
  container: string;
  partition: string;
  requests: number;
  /** Requests answered with 429. */
  throttled: number;
  requestUnits: number;
  limitRuPerSecond: number;
  peakRuPerSecond: number;
  /** Second of the load in which the peak was reached. */
  peakSecond: number;
  /** Highest mean over five consecutive seconds. */
  sustainedRuPerSecond: number;
  /** Second of the load in which the first 429 was answered; `null` without one. */
  firstThrottledSecond: number | null;
}

/** All partitions of all containers, by container and partition. */
export function partitionStatistics(timeline: Timeline, span: Span): PartitionStatistics[] {
  const groups = new Map<string, RowOf<'partition'>[]>();
  for (const row of timeline.rows('partition', span)) {
    const key = JSON.stringify([row.container, row.partition]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()].map((rows) => statisticsOf(timeline, span, rows)).sort(byName);
}

function statisticsOf(timeline: Timeline, span: Span, rows: RowOf<'partition'>[]): PartitionStatistics {
  const charge = perSecond({ timeline, span, rows, value: (row) => row.requestUnits });
  const peakRuPerSecond = charge.reduce((most, now) => Math.max(most, now), 0);
  const first = rows.find((row) => row.throttled > 0);
  return {
    container: rows[0]?.container ?? '',
    partition: rows[0]?.partition ?? '',
    requests: sumOf(rows.map((row) => row.requests)),
    throttled: sumOf(rows.map((row) => row.throttled)),
    requestUnits: sumOf(charge),
    // The limit can be turned while a run lasts; the last one is what the run ended with.
    limitRuPerSecond: rows.at(-1)?.provisionedRuPerSecond ?? 0,
    peakRuPerSecond,
    peakSecond: span.fromSecond + charge.indexOf(peakRuPerSecond),
    sustainedRuPerSecond: bestWindow(charge, 5) ?? peakRuPerSecond,
    firstThrottledSecond: first === undefined ? null : first.second - timeline.zero,
  };
}

function byName(a: PartitionStatistics, b: PartitionStatistics): number {
  return a.container.localeCompare(b.container) || Number(a.partition) - Number(b.partition);
}

/** The container that GetDroneUtilization queries: where most of its request units went. */
export function queriedContainer(timeline: Timeline, span: Span): string | null {
  const charges = new Map<string, number>();
  for (const row of partitionQueryRows(timeline, span)) {
    charges.set(row.target, (charges.get(row.target) ?? 0) + row.requestCharge);
  }
  let most: string | null = null;
  for (const [container, charge] of charges) {
    if (most === null || charge > (charges.get(most) ?? 0)) most = container;
  }
  return most;
}

/** The partition with the highest peak in proportion to its limit. */
export function hottestPartition(partitions: readonly PartitionStatistics[]): PartitionStatistics | null {
  return partitions.reduce<PartitionStatistics | null>(
    (hottest, one) => (hottest === null || shareOf(one) > shareOf(hottest) ? one : hottest),
    null,
  );
}

export function partitionMeasures(
  timeline: Timeline,
  span: Span,
  partitions: readonly PartitionStatistics[],
): Measures {
  const container = queriedContainer(timeline, span);
  const own = partitions.filter((one) => one.container === container);
  const hottest = hottestPartition(own);
  if (hottest === null) return {};
  const total = sumOf(own.map((one) => one.requestUnits));
  const provisioned = sumOf(own.map((one) => one.limitRuPerSecond));
  const sustained = own.map((one) => percent(one.sustainedRuPerSecond, one.limitRuPerSecond) ?? 0);
  const busiest = Math.max(...own.map((one) => one.requestUnits));
  return withoutNulls({
    'partition.peakRuPerSecond': hottest.peakRuPerSecond,
    'partition.limitRuPerSecond': hottest.limitRuPerSecond,
    'partition.peakPercent': percent(hottest.peakRuPerSecond, hottest.limitRuPerSecond),
    'partition.sustainedPercent': Math.max(...sustained),
    'partition.skew': total === 0 ? null : busiest / (total / own.length),
    'partition.totalPercent': percent(total / secondsIn(span), provisioned),
  });
}

function shareOf(partition: PartitionStatistics): number {
  return percent(partition.peakRuPerSecond, partition.limitRuPerSecond) ?? 0;
}

function percent(value: number, limit: number): number | null {
  return limit === 0 ? null : (100 * value) / limit;
}
