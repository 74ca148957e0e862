import type { MeasurementRow } from '@bottleneck-lab/contracts';
import type { LoadSecond } from '../recording/index.js';
import { type LiveSecond, liveSecond } from './live-second.js';

/** Joins the load's seconds and the polled rows, which arrive apart, and shows each second once. */
export interface LiveView {
  addLoadSecond(second: LoadSecond): void;
  /** `completeSecond`: the newest wall-clock second for which all rows have arrived. */
  addRows(rows: readonly MeasurementRow[], completeSecond: number): void;
}

/** A second whose rows have not come after this time is shown without them. */
const LONGEST_WAIT_SECONDS = 3;

export function liveView(options: {
  plannedSeconds: number;
  onSecond: (second: LiveSecond) => void;
  now?: () => number;
}): LiveView {
  const { plannedSeconds, onSecond, now = Date.now } = options;
  const rowsBySecond = new Map<number, MeasurementRow[]>();
  const waiting: LoadSecond[] = [];
  /** Wall-clock second of the load's start; the load's first second arrives just after its end. */
  let zero: number | null = null;
  let complete = 0;

  const show = () => {
    while (zero !== null && waiting[0] !== undefined) {
      const wall = zero + waiting[0].second;
      if (complete < wall && now() / 1000 - wall < LONGEST_WAIT_SECONDS) return;
      const load = waiting.shift() as LoadSecond;
      onSecond(liveSecond({ load, plannedSeconds, rows: rowsBySecond.get(wall) ?? [] }));
      for (const second of rowsBySecond.keys()) if (second <= wall) rowsBySecond.delete(second);
    }
  };
  return {
    addLoadSecond(second) {
      zero ??= Math.round(now() / 1000) - (second.second + 1);
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
