import type { AggregateFunction, AggregateTable } from './aggregate.js';
import { COLLECTION_AGGREGATES } from './collections.js';
import { EXTREME_AGGREGATES } from './extremes.js';
import { PERCENTILE_AGGREGATES } from './percentiles.js';
import { SUM_AGGREGATES } from './sums.js';

/** Every aggregate function of the engine: the evaluator and the reference page read this one table. */
export const AGGREGATES: AggregateTable = {
  ...SUM_AGGREGATES,
  ...EXTREME_AGGREGATES,
  ...PERCENTILE_AGGREGATES,
  ...COLLECTION_AGGREGATES,
};

export function aggregateFunction(name: string): AggregateFunction | undefined {
  return Object.hasOwn(AGGREGATES, name) ? AGGREGATES[name] : undefined;
}
