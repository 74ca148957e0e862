export type MetricType = 'counter' | 'gauge' | 'rate' | 'trend';

/** Collects the samples of one metric; answers an aggregation such as `avg` or `p(95)`. */
export interface Sink {
  readonly empty: boolean;
  add(value: number): void;
  /** `elapsedMs` is the length of the whole test, which k6 divides every counter by. Undefined for an unknown aggregation. */
  aggregate(name: string, elapsedMs: number): number | undefined;
}

export class CounterSink implements Sink {
  count = 0;
  empty = true;

  add(value: number): void {
    this.count += value;
    this.empty = false;
  }

  aggregate(name: string, elapsedMs: number): number | undefined {
    if (name === 'count') return this.count;
    if (name === 'rate') return elapsedMs > 0 ? this.count / (elapsedMs / 1000) : 0;
    return undefined;
  }
}

export class GaugeSink implements Sink {
  value = 0;
  min = 0;
  max = 0;
  empty = true;

  add(value: number): void {
    this.value = value;
    this.min = this.empty ? value : Math.min(this.min, value);
    this.max = this.empty ? value : Math.max(this.max, value);
    this.empty = false;
  }

  aggregate(name: string): number | undefined {
    if (name === 'value') return this.value;
    if (name === 'min') return this.min;
    return name === 'max' ? this.max : undefined;
  }
}

export class RateSink implements Sink {
  passes = 0;
  total = 0;

  get empty(): boolean {
    return this.total === 0;
  }

  get fails(): number {
    return this.total - this.passes;
  }

  add(value: number): void {
    this.total += 1;
    if (value !== 0) this.passes += 1;
  }

  aggregate(name: string): number | undefined {
    if (name === 'rate') return this.total === 0 ? 0 : this.passes / this.total;
    if (name === 'passes') return this.passes;
    return name === 'fails' ? this.fails : undefined;
  }
}

const PERCENTILE = /^p\((\d+(?:\.\d+)?)\)$/;

/** The share asked for by `p(95)` or `med`, 0 to 1; undefined for any other name or beyond 100. */
export function percentileOf(name: string): number | undefined {
  if (name === 'med') return 0.5;
  const match = PERCENTILE.exec(name);
  const percent = match === null ? Number.NaN : Number(match[1]);
  return percent <= 100 ? percent / 100 : undefined;
}

/** Keeps every value, as k6 does. Values are sorted in runs and merged, so evaluating every two seconds stays linear. */
export class TrendSink implements Sink {
  #values = new Float64Array(256);
  #length = 0;
  #sorted = 0;
  sum = 0;
  min = 0;
  max = 0;

  get empty(): boolean {
    return this.#length === 0;
  }

  get count(): number {
    return this.#length;
  }

  add(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.min = this.#length === 0 ? value : Math.min(this.min, value);
    this.max = this.#length === 0 ? value : Math.max(this.max, value);
    this.#values[this.#length++] = value;
    this.sum += value;
  }

  aggregate(name: string): number | undefined {
    if (name === 'count') return this.count;
    if (name === 'min') return this.min;
    if (name === 'max') return this.max;
    if (name === 'avg') return this.empty ? 0 : this.sum / this.count;
    const share = percentileOf(name);
    return share === undefined ? undefined : this.percentile(share);
  }

  /** Linear interpolation at `share * (n - 1)` between the neighbouring ranks. */
  percentile(share: number): number {
    if (this.#length === 0) return 0;
    this.#sort();
    const rank = share * (this.#length - 1);
    const lower = this.#values[Math.floor(rank)] as number;
    const upper = this.#values[Math.ceil(rank)] as number;
    return lower + (upper - lower) * (rank - Math.floor(rank));
  }

  #sort(): void {
    if (this.#sorted === this.#length) return;
    const tail = this.#values.slice(this.#sorted, this.#length).sort();
    let left = this.#sorted - 1;
    let right = tail.length - 1;
    for (let at = this.#length - 1; right >= 0; at--) {
      const candidate = left < 0 ? Number.NEGATIVE_INFINITY : (this.#values[left] as number);
      if (candidate > (tail[right] as number)) {
        this.#values[at] = candidate;
        left--;
      } else {
        this.#values[at] = tail[right--] as number;
      }
    }
    this.#sorted = this.#length;
  }
}

export function createSink(type: MetricType): Sink {
  if (type === 'counter') return new CounterSink();
  if (type === 'gauge') return new GaugeSink();
  return type === 'rate' ? new RateSink() : new TrendSink();
}
