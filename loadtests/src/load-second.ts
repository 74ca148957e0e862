/** What the load did in one wall-clock second. */
export interface LoadSecond {
  /** Unix time in whole seconds: covers [second, second + 1). */
  readonly second: number;
  /** Virtual users active in it; the engine's last count in the second, or the one before it. */
  readonly users: number;
  /** Requests that ended in it, failed ones included. */
  readonly requests: number;
  readonly failed: number;
  /** Arrivals without a free user (open models). */
  readonly droppedIterations: number;
  /** Durations of all requests that ended in it, milliseconds. */
  readonly durationsMs: readonly number[];
}

/** Results of one step of the load; see the script's `step` tag. */
export interface LoadStep {
  readonly step: string;
  /** Planned length, as the script tells it in `step_seconds`; null when it does not. */
  readonly seconds: number | null;
  readonly requests: number;
  readonly failed: number;
  /** Requests per second of the step's planned length. */
  readonly requestsPerSecond: number | null;
  readonly meanMs: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}
