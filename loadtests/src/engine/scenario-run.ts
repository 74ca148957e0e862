import type { Timer } from './clock.js';
import type { ExecutorContext, ScenarioConfig, SetVus } from './executors/executor.js';
import { executorOf } from './plan.js';
import type { RunState } from './run-state.js';
import type { Activation } from './vu.js';
import type { VuPool } from './vu-pool.js';

export interface ScenarioSettings {
  readonly run: RunState;
  readonly pool: VuPool;
  readonly setupJson: string | undefined;
  /** What `__ENV` is outside of scenarios. */
  readonly env: Readonly<Record<string, string>>;
  /** Start of all scenarios; each waits for its own startTime after that. */
  readonly loadStartedAtMs: number;
  readonly onAbort: (callback: () => void) => void;
  readonly late: (ms: number) => void;
}

/** One scenario from its start time to the end of its last iteration. */
export class ScenarioRun {
  readonly config: ScenarioConfig;
  readonly #settings: ScenarioSettings;
  #iterations = 0;
  #share: number | undefined;
  #setVus: SetVus | undefined;
  #state: 'waiting' | 'running' | 'done' = 'waiting';

  constructor(config: ScenarioConfig, settings: ScenarioSettings) {
    this.config = config;
    this.#settings = settings;
  }

  get startedAtMs(): number {
    return this.#settings.loadStartedAtMs + this.config.startTimeMs;
  }

  /** 0 to 1: of the iterations where the executor counts them, of the time otherwise. */
  get progress(): number {
    if (this.#state !== 'running') return this.#state === 'done' ? 1 : 0;
    if (this.#share !== undefined) return this.#share;
    const elapsedMs = this.#settings.run.clock.now() - this.startedAtMs;
    return Math.min(1, Math.max(0, elapsedMs / executorOf(this.config).durationMs(this.config)));
  }

  /** Sets the users of a scenario that runs; undefined for one that does not run or lend them. */
  get setVus(): SetVus | undefined {
    return this.#setVus;
  }

  async execute(): Promise<void> {
    if (await this.#waitForStart()) {
      this.#state = 'running';
      await executorOf(this.config).run(this.config, this.#context());
    }
    this.#state = 'done';
  }

  /** False when the test was broken off before the scenario's turn. */
  #waitForStart(): Promise<boolean> {
    const { run, onAbort } = this.#settings;
    return new Promise((resolve) => {
      let timer: Timer | undefined;
      onAbort(() => {
        timer?.cancel();
        resolve(false);
      });
      const delayMs = this.startedAtMs - run.clock.now();
      if (delayMs <= 0) resolve(true);
      else timer = run.clock.after(delayMs, () => resolve(true));
    });
  }

  #context(): ExecutorContext {
    const { run, pool, onAbort, late } = this.#settings;
    const activation = this.#activation();
    return {
      clock: run.clock,
      startedAtMs: this.startedAtMs,
      acquire: () => pool.acquire(activation),
      acquireUnplanned: () => pool.acquireUnplanned(activation),
      drop: (count) => this.#drop(count),
      late,
      progress: (share) => {
        this.#share = share;
      },
      offerVus: (setVus) => {
        this.#setVus = setVus;
      },
      onAbort,
    };
  }

  #activation(): Activation {
    const { setupJson, env } = this.#settings;
    const { name, executor, exec, tags } = this.config;
    return {
      name,
      executor,
      exec,
      tags,
      setupJson,
      startedAtMs: this.startedAtMs,
      env: { ...env, ...this.config.env },
      nextIteration: () => this.#iterations++,
      progress: () => this.progress,
    };
  }

  #drop(count: number): void {
    const { run } = this.#settings;
    const { systemTags } = run.options;
    let tags = run.runTags.withAll(this.config.tags);
    if (systemTags.has('group')) tags = tags.with('group', '');
    if (systemTags.has('scenario')) tags = tags.with('scenario', this.config.name);
    run.metrics.add(run.builtIn.dropped_iterations, count, tags, run.clock.now());
  }
}
