import { dirname } from 'node:path';
import type { Clock, Timer } from './clock.js';
import { describeError, EXIT_CODES, LoadError } from './errors.js';
import { GeneratorMonitor, type GeneratorReport } from './generator-monitor.js';
import type { Logger } from './log.js';
import { SharedData } from './modules/data.js';
import { type OptionOverrides, readOptions, type TestOptions } from './options.js';
import { plannedVus } from './plan.js';
import { CheckGroup } from './results/check-tree.js';
import { MetricRegistry, type SampleListener } from './results/metric.js';
import { TagSet } from './results/tags.js';
import {
  evaluateThresholds,
  type ThresholdVerdict,
  thresholdThatAborts,
} from './results/threshold-evaluation.js';
import { type AbortReason, builtInMetrics, type RunState } from './run-state.js';
import { ScenarioRun } from './scenario-run.js';
import type { LoadScript } from './script.js';
import { ScriptFiles } from './script-files.js';
import { VirtualUser } from './vu.js';
import { VuPool } from './vu-pool.js';

export interface TestRunSettings {
  readonly script: LoadScript;
  readonly env: Readonly<Record<string, string>>;
  readonly overrides?: OptionOverrides;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly listener?: SampleListener | undefined;
  readonly noSetup?: boolean | undefined;
  readonly noTeardown?: boolean | undefined;
}

export interface TestOutcome {
  readonly exitCode: number;
  readonly abort: AbortReason | undefined;
  readonly verdicts: readonly ThresholdVerdict[];
  readonly durationMs: number;
  readonly setupData: unknown;
  readonly generator: GeneratorReport | undefined;
  /** Unix milliseconds at which the first scenario's clock started; undefined when none did. */
  readonly loadStartedAtMs: number | undefined;
}

export interface TestProgress {
  readonly phase: 'starting' | 'setup' | 'load' | 'teardown' | 'ended';
  readonly elapsedMs: number;
  readonly vusActive: number;
  readonly vusInitialized: number;
  readonly iterationsCompleted: number;
  readonly iterationsInterrupted: number;
  readonly scenarios: readonly {
    readonly name: string;
    readonly share: number;
    readonly elapsedMs: number;
  }[];
}

const THRESHOLD_PERIOD_MS = 2_000;
const VUS_PERIOD_MS = 1_000;
/** Each is an instance of the script, in this one process. */
export const MOST_SET_VUS = 500;

const ABORT_EXIT_CODES: Record<AbortReason['kind'], number> = {
  signal: EXIT_CODES.externalAbort,
  script: EXIT_CODES.abortedByScript,
  threshold: EXIT_CODES.thresholdsCrossed,
  fatal: EXIT_CODES.scriptException,
};

/**
 * One test: options, virtual users, setup(), scenarios, teardown(), thresholds. {@link prepare} fails with a
 * {@link LoadError} on anything that is wrong with script or options, before any load is made.
 */
export class TestRun {
  readonly state: RunState;
  readonly #settings: TestRunSettings;
  readonly #pool: VuPool;
  readonly #monitor = new GeneratorMonitor();
  readonly #abortCallbacks: (() => void)[] = [];
  readonly #timers = new Set<{ cancel(): void }>();
  #options: TestOptions = readOptions({});
  #abort: AbortReason | undefined;
  #failedByScript = false;
  #phase: TestProgress['phase'] = 'starting';
  #scenarios: ScenarioRun[] = [];
  #startedAtMs: number;

  constructor(settings: TestRunSettings) {
    this.#settings = settings;
    this.#startedAtMs = settings.clock.now();
    this.state = this.#createState();
    const { counters } = this.state;
    this.#pool = new VuPool((vuId) => this.#virtualUser(vuId), { counters, clock: settings.clock });
    if (settings.listener !== undefined) this.state.metrics.listen(settings.listener);
  }

  get options(): TestOptions {
    return this.#options;
  }

  get progress(): TestProgress {
    const { counters } = this.state;
    const now = this.#settings.clock.now();
    return {
      ...counters,
      phase: this.#phase,
      elapsedMs: now - this.#startedAtMs,
      scenarios: this.#scenarios.map((scenario) => ({
        name: scenario.config.name,
        share: scenario.progress,
        elapsedMs: Math.max(0, now - scenario.startedAtMs),
      })),
    };
  }

  /** {@link readScript}, and initialises the planned virtual users. */
  prepare(): void {
    this.readScript();
    this.#pool.fill(plannedVus(this.#options.scenarios));
  }

  /** Evaluates the script and checks its options. */
  readScript(): void {
    const script = this.#virtualUser(0);
    this.#options = readOptions(script.exports.options, this.#settings.overrides);
    for (const warning of this.#options.warnings) this.state.logger.log('warning', warning);
    for (const { name, exec } of this.#options.scenarios) {
      if (typeof script.exports[exec] === 'function') continue;
      throw new LoadError(
        'LOAD_OPTION_INVALID',
        `scenarios.${name}: the script exports no function '${exec}'`,
      );
    }
    this.state.metrics.addThresholds(this.#options.thresholds);
    this.state.files.growing = false;
  }

  async run(): Promise<TestOutcome> {
    const { clock } = this.#settings;
    this.#startedAtMs = clock.now();
    let loadStartedAtMs: number | undefined;
    let generator: GeneratorReport | undefined;
    let setupJson: string | undefined;
    let failure: LoadError | undefined;
    try {
      setupJson = await this.#setup();
      if (this.#abort === undefined) {
        loadStartedAtMs = clock.now();
        generator = await this.#load(loadStartedAtMs, setupJson);
      }
      await this.#teardown(setupJson);
    } catch (thrown) {
      failure =
        thrown instanceof LoadError ? thrown : new LoadError('LOAD_SCRIPT_EXCEPTION', describeError(thrown));
      this.state.logger.log('error', failure.message);
    }
    this.#phase = 'ended';
    for (const timer of this.#timers) timer.cancel();
    this.#pool.close();
    const durationMs = clock.now() - this.#startedAtMs;
    const verdicts = evaluateThresholds(this.state.metrics, { elapsedMs: durationMs, final: true });
    return {
      exitCode: failure?.exitCode ?? this.#exitCode(verdicts),
      abort: this.#abort,
      verdicts,
      durationMs,
      setupData: setupJson === undefined ? undefined : JSON.parse(setupJson),
      generator,
      loadStartedAtMs,
    };
  }

  /** Breaks the test off: running iterations are interrupted, teardown() and the summary still follow. */
  abort(reason: AbortReason): void {
    if (this.#abort !== undefined || this.#phase === 'ended') return;
    this.#abort = reason;
    this.state.logger.log('error', reason.message);
    for (const callback of this.#abortCallbacks.splice(0)) callback();
  }

  /**
   * Sets the users of the running scenario until the next call or its end; returns how many there were. Throws
   * LOAD_NOT_CONTROLLED where there is no such scenario, saying why.
   */
  setVus(vus: number): number {
    if (!Number.isInteger(vus) || vus < 0 || vus > MOST_SET_VUS) {
      throw notControlled(`users must be a whole number from 0 to ${MOST_SET_VUS}, not ${vus}`);
    }
    if (this.#phase !== 'load' || this.#abort !== undefined) {
      throw notControlled(`no load is running, the test is in its phase '${this.#phase}'`);
    }
    const controlled = this.#scenarios.flatMap(({ setVus }) => setVus ?? []);
    const [only] = controlled;
    if (only !== undefined && controlled.length === 1) return only(vus);
    const executors = this.#options.scenarios.map(({ executor }) => executor).join(', ');
    throw notControlled(
      `users can be set while one scenario with the executor ramping-vus runs; this script has ${executors}`,
    );
  }

  /** Calls the script's handleSummary(data); undefined when it has none or it failed. */
  async handleSummary(data: unknown): Promise<unknown> {
    const vu = this.#virtualUser(0);
    if (typeof vu.exports.handleSummary !== 'function') return undefined;
    const end = await vu.call('handleSummary', data);
    vu.close();
    if (end.kind === 'done') return end.value;
    this.state.logger.log('error', `handleSummary() failed: ${this.state.explain(end.thrown)}`);
    return undefined;
  }

  async #setup(): Promise<string | undefined> {
    this.#phase = 'setup';
    const end = this.#settings.noSetup
      ? undefined
      : await this.#callOnce('setup', undefined, this.#options.setupTimeoutMs);
    if (end === undefined || this.#abort !== undefined) return undefined;
    if (end.kind === 'interrupted') throw timeoutOf('setup', this.#options.setupTimeoutMs);
    if (end.kind === 'failed') {
      const code = end.async ? 'LOAD_SETUP_REJECTED' : 'LOAD_SCRIPT_EXCEPTION';
      throw new LoadError(code, `setup() failed: ${this.state.explain(end.thrown)}`, { cause: end.thrown });
    }
    return JSON.stringify(end.value);
  }

  async #load(loadStartedAtMs: number, setupJson: string | undefined): Promise<GeneratorReport> {
    this.#phase = 'load';
    this.#monitor.start();
    this.#every(VUS_PERIOD_MS, () => this.#recordVus());
    this.#every(THRESHOLD_PERIOD_MS, () => this.#watchThresholds());
    this.#scenarios = this.#options.scenarios.map(
      (config) =>
        new ScenarioRun(config, {
          run: this.state,
          pool: this.#pool,
          setupJson,
          env: this.#settings.env,
          loadStartedAtMs,
          onAbort: (callback) => this.#onAbort(callback),
          late: (ms) => this.#monitor.late(ms),
        }),
    );
    await Promise.all(this.#scenarios.map((scenario) => scenario.execute()));
    for (const timer of this.#timers) timer.cancel();
    this.#recordVus();
    return this.#monitor.stop();
  }

  async #teardown(setupJson: string | undefined): Promise<void> {
    if (this.#settings.noTeardown) return;
    this.#phase = 'teardown';
    const data = setupJson === undefined ? undefined : JSON.parse(setupJson);
    const end = await this.#callOnce('teardown', data, this.#options.teardownTimeoutMs);
    if (end?.kind === 'interrupted') throw timeoutOf('teardown', this.#options.teardownTimeoutMs);
    if (end?.kind === 'failed') {
      throw new LoadError('LOAD_TEARDOWN_FAILED', `teardown() failed: ${this.state.explain(end.thrown)}`);
    }
  }

  /** Calls an exported function on an instance of its own, within a time limit; undefined when there is none. */
  async #callOnce(name: 'setup' | 'teardown', data: unknown, timeoutMs: number) {
    const vu = this.#virtualUser(0);
    const body = vu.exports[name];
    if (typeof body !== 'function') return undefined;
    vu.enterPhaseGroup(name);
    const timeout = this.#settings.clock.after(timeoutMs, () => vu.interrupt());
    if (name === 'setup') this.#onAbort(() => vu.interrupt());
    const end = await vu.call(name, data);
    timeout.cancel();
    vu.close();
    return { ...end, async: body.constructor.name === 'AsyncFunction' };
  }

  #virtualUser(vuId: number): VirtualUser {
    const { script, env } = this.#settings;
    try {
      return new VirtualUser(vuId, script, { run: this.state, env });
    } catch (thrown) {
      if (thrown instanceof LoadError) throw thrown;
      throw new LoadError('LOAD_SCRIPT_EXCEPTION', script.explain(thrown), { cause: thrown });
    }
  }

  #createState(): RunState {
    const { script, clock, logger } = this.#settings;
    const run = this;
    const metrics = new MetricRegistry();
    const root = TagSet.root();
    return {
      clock,
      logger,
      metrics,
      builtIn: builtInMetrics(metrics),
      checks: new CheckGroup(),
      files: new ScriptFiles(dirname(script.path)),
      shared: new SharedData(),
      counters: { iterationsCompleted: 0, iterationsInterrupted: 0, vusActive: 0, vusInitialized: 0 },
      get options() {
        return run.#options;
      },
      get runTags() {
        return root.withAll(run.#options.tags);
      },
      get startedAtMs() {
        return run.#startedAtMs;
      },
      explain: (thrown) => script.explain(thrown),
      abort: (reason) => run.abort(reason),
      markFailed: (message) => {
        run.#failedByScript = true;
        logger.log('error', `test marked as failed: ${message}`);
      },
    };
  }

  #onAbort(callback: () => void): void {
    if (this.#abort !== undefined) callback();
    else this.#abortCallbacks.push(callback);
  }

  #every(periodMs: number, callback: () => void): void {
    const { clock } = this.#settings;
    let due = clock.now() + periodMs;
    let timer: Timer;
    const turn = () => {
      callback();
      due += periodMs;
      timer = clock.after(Math.max(0, due - clock.now()), turn);
    };
    timer = clock.after(periodMs, turn);
    this.#timers.add({ cancel: () => timer.cancel() });
  }

  #recordVus(): void {
    const { metrics, builtIn, counters, runTags, clock } = this.state;
    metrics.add(builtIn.vus, counters.vusActive, runTags, clock.now());
    metrics.add(builtIn.vus_max, counters.vusInitialized, runTags, clock.now());
  }

  #watchThresholds(): void {
    const elapsedMs = this.#settings.clock.now() - this.#startedAtMs;
    const verdicts = evaluateThresholds(this.state.metrics, { elapsedMs, final: false });
    const aborting = thresholdThatAborts(verdicts, elapsedMs);
    if (aborting === undefined) return;
    const { view, threshold, value } = aborting;
    const message = `the threshold '${threshold.source}' of ${view.selector} was crossed (${value}); the test ends`;
    this.abort({ kind: 'threshold', message });
  }

  #exitCode(verdicts: readonly ThresholdVerdict[]): number {
    if (this.#abort !== undefined) return ABORT_EXIT_CODES[this.#abort.kind];
    if (this.#failedByScript) return EXIT_CODES.markedAsFailed;
    return verdicts.some((verdict) => !verdict.ok) ? EXIT_CODES.thresholdsCrossed : EXIT_CODES.passed;
  }
}

const notControlled = (message: string) => new LoadError('LOAD_NOT_CONTROLLED', message);

function timeoutOf(name: 'setup' | 'teardown', timeoutMs: number): LoadError {
  const code = name === 'setup' ? 'LOAD_SETUP_TIMEOUT' : 'LOAD_TEARDOWN_TIMEOUT';
  return new LoadError(code, `${name}() did not end within ${timeoutMs} ms; ${name}Timeout allows more`);
}
