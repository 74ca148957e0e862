/** Ascending order of two values of one type that are neither null nor NaN: numbers, ticks, strings by UTF-16 code unit, false before true. */
export function compareValues(a: unknown, b: unknown): number {
  if ((a as number) < (b as number)) return -1;
  return (a as number) > (b as number) ? 1 : 0;
}

/** 0 for an ordinary value, 1 for NaN, 2 for null: how far out a sort puts it. */
function rank(value: unknown): number {
  if (value === null) return 2;
  return typeof value === 'number' && Number.isNaN(value) ? 1 : 0;
}

export interface SortDirection {
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** Kusto's documented order: nulls and NaN are grouped at the chosen end, the null outermost. */
export function comparator({ descending, nullsFirst }: SortDirection): (a: unknown, b: unknown) => number {
  const sign = descending ? -1 : 1;
  const outer = nullsFirst ? -1 : 1;
  return (a, b) => {
    const rankA = rank(a);
    const rankB = rank(b);
    if (rankA === 0 && rankB === 0) return sign * compareValues(a, b);
    return outer * (rankA - rankB);
  };
}
