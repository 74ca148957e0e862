import { TrendSink } from './engine/results/sink.js';
import type { LoadSecond, LoadStep } from './load-second.js';
import type { Point } from './point.js';

/** The metrics that seconds and steps are made of. */
export const SERIES_METRICS: ReadonlySet<string> = new Set([
  'http_req_duration',
  'http_req_failed',
  'dropped_iterations',
  'vus',
  'load_start_ms',
  'step_seconds',
]);

interface OpenSecond {
  users: number | undefined;
  failed: number;
  droppedIterations: number;
  durationsMs: number[];
}

interface OpenStep {
  readonly durations: TrendSink;
  failed: number;
}

/** Builds per-second and per-step results out of points, in whatever order they come. */
export class LoadSeries {
  readonly #seconds = new Map<number, OpenSecond>();
  readonly #steps = new Map<string, OpenStep>();
  readonly #stepSeconds = new Map<string, number>();
  #newestMs = 0;
  loadStartMs: number | null = null;

  /** Time of the newest point, Unix milliseconds. */
  get newestMs(): number {
    return this.#newestMs;
  }

  add({ metric, timeMs, value, tags }: Point): void {
    this.#newestMs = Math.max(this.#newestMs, timeMs);
    if (metric === 'load_start_ms') this.loadStartMs = value;
    else if (metric === 'step_seconds') this.#stepSeconds.set(tags.step ?? '', value);
    else if (metric === 'vus') this.#second(timeMs).users = value;
    // Only what scenarios do is load; setup() and teardown() have no scenario.
    else if (tags.scenario !== undefined) this.#addLoad({ metric, timeMs, value, tags });
  }

  /** Finished seconds from `from` on: those that ended before `untilMs`, without gaps. */
  seconds({ from, untilMs }: { from?: number | undefined; untilMs: number }): LoadSecond[] {
    const known = [...this.#seconds.keys()].sort((a, b) => a - b);
    const first =
      from ??
      known.find(
        (second) => (this.#seconds.get(second) as OpenSecond).durationsMs.length > 0 || this.#started(second),
      );
    const last = Math.min(known.at(-1) ?? 0, Math.floor(untilMs / 1000) - 1);
    const result: LoadSecond[] = [];
    for (let second = first ?? Number.POSITIVE_INFINITY; second <= last; second++) {
      const open = this.#seconds.get(second);
      result.push({
        second,
        users: open?.users ?? this.#usersBefore(second, known),
        requests: open?.durationsMs.length ?? 0,
        failed: open?.failed ?? 0,
        droppedIterations: open?.droppedIterations ?? 0,
        durationsMs: open?.durationsMs ?? [],
      });
    }
    return result;
  }

  get steps(): LoadStep[] {
    const names = new Set([...this.#stepSeconds.keys(), ...this.#steps.keys()]);
    return [...names].sort(byNumber).map((step) => this.#step(step));
  }

  #started(second: number): boolean {
    return this.loadStartMs !== null && second >= Math.floor(this.loadStartMs / 1000);
  }

  #addLoad({ metric, timeMs, value, tags }: Point): void {
    const second = this.#second(timeMs);
    const step = tags.step === undefined ? undefined : this.#openStep(tags.step);
    if (metric === 'http_req_duration') {
      second.durationsMs.push(value);
      step?.durations.add(value);
    } else if (metric === 'http_req_failed') {
      second.failed += value;
      if (step !== undefined) step.failed += value;
    } else {
      second.droppedIterations += value;
    }
  }

  #second(timeMs: number): OpenSecond {
    const key = Math.floor(timeMs / 1000);
    const known = this.#seconds.get(key);
    if (known !== undefined) return known;
    const made: OpenSecond = { users: undefined, failed: 0, droppedIterations: 0, durationsMs: [] };
    this.#seconds.set(key, made);
    return made;
  }

  #openStep(name: string): OpenStep {
    const known = this.#steps.get(name);
    if (known !== undefined) return known;
    const made: OpenStep = { durations: new TrendSink(), failed: 0 };
    this.#steps.set(name, made);
    return made;
  }

  #usersBefore(second: number, known: readonly number[]): number {
    const before = known.findLast((other) => other < second && this.#seconds.get(other)?.users !== undefined);
    const after = known.find((other) => other > second && this.#seconds.get(other)?.users !== undefined);
    return this.#seconds.get(before ?? after ?? second)?.users ?? 0;
  }

  #step(name: string): LoadStep {
    const { durations, failed } = this.#steps.get(name) ?? { durations: new TrendSink(), failed: 0 };
    const seconds = this.#stepSeconds.get(name) ?? null;
    const value = (aggregation: string) => durations.aggregate(aggregation) ?? 0;
    return {
      step: name,
      seconds,
      requests: durations.count,
      failed,
      requestsPerSecond: seconds === null ? null : durations.count / seconds,
      meanMs: value('avg'),
      p50Ms: value('med'),
      p95Ms: value('p(95)'),
      p99Ms: value('p(99)'),
      maxMs: durations.max,
    };
  }
}

function byNumber(a: string, b: string): number {
  return Number(a) - Number(b) || (a < b ? -1 : 1);
}
