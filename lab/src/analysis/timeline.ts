import type { MeasurementRow } from '@bottleneck-lab/contracts';
import { loadStartSecond } from '../recording/load-rows.js';
import type { Recording } from '../recording/recording.js';

type Kind = MeasurementRow['kind'];
export type RowOf<K extends Kind> = Extract<MeasurementRow, { kind: K }>;

/** Seconds of the load, counted from its start: [fromSecond, toSecond). */
export interface Span {
  fromSecond: number;
  toSecond: number;
}

/** Rows of a run by second of the load. Warm-up lies before second 0, what was still in flight after the end. */
export interface Timeline {
  /** The wall-clock second that is second 0 of the load. */
  zero: number;
  /** Planned length, or what there was of it when the run was broken off. */
  lengthSeconds: number;
  load: Span;
  /** Rows of one kind inside a span, in time order. */
  rows<K extends Kind>(kind: K, span: Span): RowOf<K>[];
}

export function timelineOf(recording: Recording): Timeline {
  const zero = loadStartSecond(recording.meta.loadStartMs);
  const byKind = new Map<Kind, MeasurementRow[]>();
  for (const row of recording.rows) {
    const list = byKind.get(row.kind);
    if (list === undefined) byKind.set(row.kind, [row]);
    else list.push(row);
  }
  for (const list of byKind.values()) list.sort((a, b) => a.second - b.second);
  const lengthSeconds = lengthOf(recording, zero);
  return {
    zero,
    lengthSeconds,
    load: { fromSecond: 0, toSecond: lengthSeconds },
    rows: <K extends Kind>(kind: K, span: Span) => {
      const list = (byKind.get(kind) ?? []) as RowOf<K>[];
      return list.slice(
        firstAtOrAfter(list, zero + span.fromSecond),
        firstAtOrAfter(list, zero + span.toSecond),
      );
    },
  };
}

/** Everything from `span.fromSecond` on, so that operations in flight at its end are counted with their queries. */
export function withTail(span: Span): Span {
  return { fromSecond: span.fromSecond, toSecond: Number.POSITIVE_INFINITY };
}

/** Sums of a value per second of the span; a second without rows is 0. */
export function perSecond<Row extends { second: number }>(options: {
  timeline: Timeline;
  span: Span;
  rows: readonly Row[];
  value: (row: Row) => number;
}): number[] {
  const { timeline, span, rows, value } = options;
  const series = new Array<number>(secondsIn(span)).fill(0);
  for (const row of rows) {
    const at = row.second - timeline.zero - span.fromSecond;
    if (at >= 0 && at < series.length) series[at] = (series[at] ?? 0) + value(row);
  }
  return series;
}

export function secondsIn(span: Span): number {
  return Math.max(0, span.toSecond - span.fromSecond);
}

function lengthOf(recording: Recording, zero: number): number {
  const { plannedSeconds, status } = recording.meta;
  if (status === 'complete') return plannedSeconds;
  let last = 0;
  for (const row of recording.rows) if (row.kind === 'load') last = Math.max(last, row.second - zero + 1);
  return Math.min(plannedSeconds, last);
}

function firstAtOrAfter(list: readonly { second: number }[], second: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle]?.second ?? 0) < second) low = middle + 1;
    else high = middle;
  }
  return low;
}
