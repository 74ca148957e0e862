import type { MeasurementRow } from '@bottleneck-lab/contracts';
import type { LoadSecond } from '@bottleneck-lab/loadtests';
import { type LiveSecond, liveSecond } from './live-second.js';

/** Joins the load's seconds and the polled rows, which arrive apart, and shows each second once. */
export interface LiveView {
  addLoadSecond(second: LoadSecond): void;
  /** `completeSecond`: the newest wall-clock second for which all rows have arrived. */
  addRows(rows: readonly MeasurementRow[], completeSecond: number): void;
}

/** What a live second was made of. */
export interface LiveSource {
  load: LoadSecond;
  rows: readonly MeasurementRow[];
}

/** A second whose rows have not come after this time is shown without them. */
const LONGEST_WAIT_SECONDS = 4;

export function liveView(options: {
  plannedSeconds: number;
  onSecond: (second: LiveSecond, source: LiveSource) => void;
  now?: () => number;
}): LiveView {
  const { plannedSeconds, onSecond, now = Date.now } = options;
  const rowsBySecond = new Map<number, MeasurementRow[]>();
  const waiting: LoadSecond[] = [];
  let zero: number | null = null;
  let complete = 0;

  const show = () => {
    for (let load = waiting[0]; load !== undefined; load = waiting[0]) {
      const wall = load.second;
      if (complete < wall && now() / 1000 - wall < LONGEST_WAIT_SECONDS) return;
      waiting.shift();
      zero ??= wall;
      const rows = rowsBySecond.get(wall) ?? [];
      onSecond(liveSecond({ load, second: wall - zero, plannedSeconds, rows }), { load, rows });
      for (const second of rowsBySecond.keys()) if (second <= wall) rowsBySecond.delete(second);
    }
  };
  return {
    addLoadSecond(second) {
      waiting.push(second);
      show();
    },
    addRows(rows, completeSecond) {
      for (const row of rows) {
        const held = rowsBySecond.get(row.second);
        if (held === undefined) rowsBySecond.set(row.second, [row]);
        else held.push(row);
      }
      complete = Math.max(complete, completeSecond);
      show();
    },
  };
}
