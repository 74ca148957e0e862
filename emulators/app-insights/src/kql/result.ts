import type { Column, KqlType } from './types.js';
import { datetimeToIso } from './values/datetime.js';
import { timespanText } from './values/timespan.js';

const CONVERSIONS: Partial<Record<KqlType, (value: unknown) => unknown>> = {
  datetime: (value) => datetimeToIso(value as number),
  timespan: (value) => timespanText(value as number),
  real: (value) => (Number.isFinite(value) ? value : String(value)),
};

/** Turns engine values into JSON ones, in place: the arrays are the query's own. */
export function toJson(rows: unknown[][], columns: readonly Column[]): unknown[][] {
  columns.forEach(({ type }, i) => {
    const convert = CONVERSIONS[type];
    if (convert === undefined) return;
    for (const row of rows) if (row[i] !== null) row[i] = convert(row[i]);
  });
  return rows;
}
