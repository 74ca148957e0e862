import type { Clock } from '../clock.js';
import type { Fields } from '../fields.js';

export interface ScenarioConfig {
  readonly name: string;
  readonly executor: string;
  readonly startTimeMs: number;
  readonly gracefulStopMs: number;
  /** Name of the exported function. */
  readonly exec: string;
  readonly env: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
}

/** A count that holds from `atMs` (since the scenario's start) on. */
export interface VuStep {
  readonly atMs: number;
  readonly vus: number;
}

/** A virtual user that one scenario has at its disposal. */
export interface ActiveVu {
  /** Runs one iteration to its end, or until {@link interrupt}. Never rejects. */
  iterate(): Promise<void>;
  /** Hard stop: what the iteration waits for is cancelled, the code after it does not run. */
  interrupt(): void;
  release(): void;
}

/** Sets how many virtual users iterate; returns how many did. */
export type SetVus = (vus: number) => number;

/** What a scenario's executor may use while it runs. */
export interface ExecutorContext {
  readonly clock: Clock;
  /** The scenario's start, Unix milliseconds. */
  readonly startedAtMs: number;
  /** Takes a planned, idle virtual user. */
  acquire(): ActiveVu;
  /** Initialises one more virtual user than planned, in the background; the promise resolves once it can be used. */
  acquireUnplanned(): Promise<ActiveVu>;
  /** Counts iterations that should have started and could not. */
  drop(count: number): void;
  /** Tells how late an iteration was started by the generator itself. */
  late(ms: number): void;
  /** Done share of an executor that works through a number of iterations, 0 to 1. */
  progress(share: number): void;
  /** Lends the executor's users to whoever controls the load from outside; undefined takes them back. */
  offerVus(setVus: SetVus | undefined): void;
  /** Called when the whole test is broken off; at once when it already is. */
  onAbort(callback: () => void): void;
}

export interface ExecutorDefinition<C extends ScenarioConfig = ScenarioConfig> {
  /** Reads the executor's own fields. */
  parse(fields: Fields, common: ScenarioConfig): C;
  /** Planned length without the graceful stop. */
  durationMs(config: C): number;
  /** True when the load may end before that, because all iterations are done. */
  readonly endsEarly: boolean;
  /** Reserved virtual users over time, graceful stops included; starts at 0 and ends with none. */
  plannedVus(config: C): VuStep[];
  /** Highest number of virtual users, unplanned ones included. */
  maxVus(config: C): number;
  describe(config: C): string;
  run(config: C, context: ExecutorContext): Promise<void>;
}

/** From the start to the end of the graceful stop, a constant number of reserved virtual users. */
export function constantPlan(vus: number, durationMs: number, gracefulStopMs: number): VuStep[] {
  return [
    { atMs: 0, vus },
    { atMs: durationMs + gracefulStopMs, vus: 0 },
  ];
}
