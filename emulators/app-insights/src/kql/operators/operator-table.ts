import { FILTERS } from './filters.js';
import { JOIN } from './join.js';
import { MAKE_SERIES } from './make-series.js';
import { MV_EXPAND } from './mv-expand.js';
import type { TabularOperator } from './operator.js';
import { PROJECTIONS } from './projections.js';
import { SORTS } from './sorts.js';
import { SUMMARIZE } from './summarize.js';
import { UNION } from './union.js';

/** Every operator that may follow a `|`, by kind of its syntax node. A function, as modules refer to each other in a circle. */
export function tabularOperators(): Readonly<Record<string, TabularOperator>> {
  return {
    ...FILTERS,
    ...PROJECTIONS,
    ...SUMMARIZE,
    ...SORTS,
    ...JOIN,
    ...UNION,
    ...MV_EXPAND,
    ...MAKE_SERIES,
  };
}

let table: Readonly<Record<string, TabularOperator>> | undefined;

export function tabularOperator(kind: string): TabularOperator | undefined {
  table ??= tabularOperators();
  return table[kind];
}
