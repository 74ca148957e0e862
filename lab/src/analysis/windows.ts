/** Means of consecutive windows from the start; a remainder shorter than `width` is left out. */
export function windowMeans(perSecond: readonly number[], width: number): number[] {
  const means: number[] = [];
  for (let from = 0; from + width <= perSecond.length; from += width) {
    means.push(meanOf(perSecond.slice(from, from + width)));
  }
  return means;
}

/** Highest window mean; `null` when the series is shorter than one window. */
export function bestWindow(perSecond: readonly number[], width: number): number | null {
  const means = windowMeans(perSecond, width);
  return means.length === 0 ? null : Math.max(...means);
}

/** Mean of the last `width` seconds; `null` when the series is shorter. */
export function lastWindow(perSecond: readonly number[], width: number): number | null {
  return perSecond.length < width ? null : meanOf(perSecond.slice(-width));
}

export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : sumOf(values) / values.length;
}

export function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
