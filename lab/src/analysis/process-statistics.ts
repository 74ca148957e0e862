import { ROLES, SERVICE_NAMES, type ServiceName } from '@bottleneck-lab/contracts';
import { withoutNulls } from './load-measures.js';
import type { Measures } from './measure-table.js';
import { type RowOf, type Span, secondsIn, type Timeline } from './timeline.js';
import { meanOf, sumOf, windowMeans } from './windows.js';

/** CPU and event loop of one role, all its instances together, over a span. */
export interface ProcessStatistics {
  service: ServiceName;
  role: string;
  instances: number;
  /** Of all instances together; `null` without a limit. */
  limitCores: number | null;
  meanCores: number;
  /** CPU time over limit. */
  meanPercent: number | null;
  last5sPercent: number | null;
  best5sPercent: number | null;
  throttledPeriodsPercent: number | null;
  last5sThrottledPeriodsPercent: number | null;
  /** The instance whose event loop was busiest in the last five seconds: 0 to 100, and its CPU. */
  eventLoopPercent: number;
  eventLoopCores: number;
  eventLoopDelayMaxMs: number;
}

/** One entry for each service that gave rows. */
export function processStatistics(timeline: Timeline, span: Span): ProcessStatistics[] {
  const rows = timeline.rows('process', span);
  return SERVICE_NAMES.flatMap((service) => {
    const own = rows.filter((row) => row.role === ROLES[service]);
    return own.length === 0 ? [] : [statisticsOf({ service, timeline, span, rows: own })];
  });
}

function statisticsOf(options: {
  service: ServiceName;
  timeline: Timeline;
  span: Span;
  rows: RowOf<'process'>[];
}): ProcessStatistics {
  const { service, timeline, span, rows } = options;
  const last = rows.filter((row) => row.second - timeline.zero >= span.toSecond - 5);
  const windows = windowMeans(cpuPercentPerSecond({ timeline, span, rows }), 5);
  return {
    service,
    role: ROLES[service],
    instances: new Set(rows.map((row) => row.instance)).size,
    limitCores: limitAtEnd(rows),
    meanCores: sumOf(rows.map((row) => row.cpuMs)) / 1000 / secondsIn(span),
    meanPercent: cpuPercent(rows),
    last5sPercent: cpuPercent(last),
    best5sPercent: windows.length === 0 || limitAtEnd(rows) === null ? null : Math.max(...windows),
    throttledPeriodsPercent: throttledPercent(rows),
    last5sThrottledPeriodsPercent: throttledPercent(last),
    ...busiestEventLoop(last),
    eventLoopDelayMaxMs: rows.reduce((most, row) => Math.max(most, row.eventLoopDelayMaxMs), 0),
  };
}

function busiestEventLoop(rows: readonly RowOf<'process'>[]) {
  let busiest = { eventLoopPercent: 0, eventLoopCores: 0 };
  for (const instance of new Set(rows.map((row) => row.instance))) {
    const own = rows.filter((row) => row.instance === instance);
    const eventLoopPercent = 100 * meanOf(own.map((row) => row.eventLoopUtilization));
    if (eventLoopPercent < busiest.eventLoopPercent) continue;
    busiest = { eventLoopPercent, eventLoopCores: meanOf(own.map((row) => row.cpuMs)) / 1000 };
  }
  return busiest;
}

/** CPU over limit for each second, all instances together; 0 without a limit. */
export function cpuPercentPerSecond(options: {
  timeline: Timeline;
  span: Span;
  rows: readonly RowOf<'process'>[];
}): number[] {
  const { timeline, span, rows } = options;
  const groups = new Map<number, RowOf<'process'>[]>();
  for (const row of rows) {
    const at = row.second - timeline.zero - span.fromSecond;
    groups.set(at, [...(groups.get(at) ?? []), row]);
  }
  return Array.from({ length: secondsIn(span) }, (_, at) => cpuPercent(groups.get(at) ?? []) ?? 0);
}

function cpuPercent(rows: readonly RowOf<'process'>[]): number | null {
  let cpuMs = 0;
  let allowedMs = 0;
  for (const row of rows) {
    if (row.cpuLimitCores === null) continue;
    cpuMs += row.cpuMs;
    allowedMs += row.cpuLimitCores * 1000;
  }
  return allowedMs === 0 ? null : (100 * cpuMs) / allowedMs;
}

function throttledPercent(rows: readonly RowOf<'process'>[]): number | null {
  const periods = sumOf(rows.map((row) => row.periods));
  return periods === 0 ? null : (100 * sumOf(rows.map((row) => row.throttledPeriods))) / periods;
}

function limitAtEnd(rows: readonly RowOf<'process'>[]): number | null {
  const last = rows.at(-1)?.second;
  const limits = rows.filter((row) => row.second === last).map((row) => row.cpuLimitCores);
  if (limits.length === 0 || limits.includes(null)) return null;
  return sumOf(limits.map((limit) => limit ?? 0));
}

export function processMeasures(processes: readonly ProcessStatistics[]): Measures {
  const measures: Measures = {};
  for (const one of processes) {
    const prefix = `cpu.${one.service}` as const;
    Object.assign(
      measures,
      withoutNulls({
        [`${prefix}.meanPercent`]: one.meanPercent,
        [`${prefix}.last5sPercent`]: one.last5sPercent,
        [`${prefix}.best5sPercent`]: one.best5sPercent,
        [`${prefix}.throttledPeriodsPercent`]: one.throttledPeriodsPercent,
        [`${prefix}.last5sThrottledPeriodsPercent`]: one.last5sThrottledPeriodsPercent,
        [`${prefix}.meanCores`]: one.meanCores,
        [`${prefix}.eventLoopPercent`]: one.eventLoopPercent,
      }),
    );
  }
  return measures;
}
