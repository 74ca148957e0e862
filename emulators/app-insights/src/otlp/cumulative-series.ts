/** A metric's data point as the tables keep it. */
export interface MetricValue {
  /** Sum of the measurements. */
  value: number;
  count: number;
  min?: number;
  max?: number;
}

export interface RunningTotal {
  /** Metric, sender and attributes. */
  key: string;
  /** Start of the total; another one means that the sender began anew. */
  start: string;
  total: MetricValue;
  /** A sum is one measurement per export; a distribution counts its measurements. */
  isSum: boolean;
}

const MAX_SERIES = 100_000;

/**
 * Turns running totals into what was added since the last one: Application Insights keeps increments, while OpenTelemetry's
 * default is cumulative. Bounded: the series that was heard of longest ago is forgotten first.
 */
export class CumulativeSeries {
  readonly #last = new Map<string, { start: string; value: number; count: number }>();

  added({ key, start, total, isSum }: RunningTotal): MetricValue {
    const last = this.#last.get(key);
    this.#last.delete(key);
    this.#last.set(key, { start, value: total.value, count: total.count });
    if (this.#last.size > MAX_SERIES) this.#last.delete(this.#last.keys().next().value as string);
    if (last === undefined || last.start !== start || total.value < last.value) return total;
    // The smallest and largest of a running total are those of all time.
    if (isSum)
      return total.value === last.value
        ? { value: 0, count: 0 }
        : { value: total.value - last.value, count: 1 };
    return { value: total.value - last.value, count: total.count - last.count };
  }
}
