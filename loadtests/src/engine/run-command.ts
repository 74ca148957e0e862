import { writeFileSync } from 'node:fs';
import { type Clock, systemClock } from './clock.js';
import { describeError, EXIT_CODES, LoadError } from './errors.js';
import { createLogger, type Logger } from './log.js';
import type { OptionOverrides } from './options.js';
import { executorOf, plannedSeconds } from './plan.js';
import { ProgressView, progressLines } from './progress-view.js';
import { PointsFile } from './results/points-file.js';
import { type SummaryData, summaryData } from './results/summary-data.js';
import { summaryExport } from './results/summary-export.js';
import { writeSummary } from './results/summary-files.js';
import { summaryText } from './results/summary-text.js';
import { loadScript } from './script.js';
import { type TestOutcome, TestRun } from './test-run.js';

export interface RunCommandSettings {
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  readonly overrides: OptionOverrides;
  /** Path of the points file (`--out json=FILE`). */
  readonly pointsFile?: string | undefined;
  /** Leaves samples of other metrics out of the points file. */
  readonly pointsMetrics?: readonly string[] | undefined;
  readonly summaryExport?: string | undefined;
  readonly generatorReport?: string | undefined;
  readonly quiet: boolean;
  readonly noColor: boolean;
  readonly noSummary: boolean;
  readonly noSetup: boolean;
  readonly noTeardown: boolean;
  readonly clock?: Clock;
}

export interface RunStreams {
  stdout(text: string): void;
  stderr(text: string): void;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
}

/** `lab-load run`: from the script's path to an exit code, with everything that is written on the way. */
export class RunCommand {
  readonly #settings: RunCommandSettings;
  readonly #streams: RunStreams;
  readonly #logger: Logger & { flush(): void };
  readonly #clock: Clock;
  #test: TestRun | undefined;
  #view: ProgressView | undefined;
  #stopRequested = false;

  constructor(settings: RunCommandSettings, streams: RunStreams) {
    this.#settings = settings;
    this.#streams = streams;
    this.#clock = settings.clock ?? systemClock();
    this.#logger = createLogger({
      now: () => this.#clock.now(),
      startedAtMs: this.#clock.now(),
      quiet: settings.quiet,
      write: (text) => (this.#view === undefined ? streams.stderr(text) : this.#view.interleave(text)),
    });
  }

  /** Breaks the test off as an interrupt from the keyboard does. */
  stop(): void {
    this.#stopRequested = true;
    this.#test?.abort({ kind: 'signal', message: 'the test was interrupted from outside' });
  }

  /** Sets the users of the running scenario; see {@link TestRun.setVus}. */
  setVus(vus: number): number {
    if (this.#test !== undefined) return this.#test.setVus(vus);
    throw new LoadError('LOAD_NOT_CONTROLLED', 'no load is running yet');
  }

  async execute(): Promise<number> {
    let points: PointsFile | undefined;
    try {
      const script = await loadScript(this.#settings.script);
      points =
        this.#settings.pointsFile === undefined ? undefined : new PointsFile(this.#settings.pointsFile);
      const { env, overrides, noSetup, noTeardown } = this.#settings;
      const test = new TestRun({
        script,
        env,
        overrides,
        clock: this.#clock,
        logger: this.#logger,
        listener: points === undefined ? undefined : (...sample) => points?.add(...sample),
        noSetup,
        noTeardown,
      });
      this.#test = test;
      test.prepare();
      if (this.#stopRequested) this.stop();
      return await this.#run(test, points);
    } catch (thrown) {
      this.#logger.log('error', describeError(thrown));
      return thrown instanceof LoadError ? thrown.exitCode : EXIT_CODES.generic;
    } finally {
      this.#view?.stop();
      this.#logger.flush();
      await points?.close();
    }
  }

  async #run(test: TestRun, points: PointsFile | undefined): Promise<number> {
    this.#announce(test);
    const outcome = await test.run();
    this.#view?.stop();
    this.#view = undefined;
    if (outcome.generator?.saturated) this.#logger.log('warning', outcome.generator.reason);
    // Complete before the summary, which may be what a reader waits for.
    const incomplete = await points?.close();
    await this.#summarize(test, outcome);
    if (incomplete === undefined) return outcome.exitCode;
    this.#logger.log('error', incomplete.message);
    return incomplete.exitCode;
  }

  #announce(test: TestRun): void {
    const { quiet } = this.#settings;
    if (quiet) return;
    const { scenarios } = test.options;
    const descriptions = new Map(
      scenarios.map((scenario) => [scenario.name, executorOf(scenario).describe(scenario)]),
    );
    const lines = [...descriptions].map(([name, text]) => `  * ${name}: ${text}`);
    this.#streams.stderr(`script: ${this.#settings.script}\n${lines.join('\n')}\n`);
    if (!this.#streams.stderrIsTerminal) return;
    this.#view = new ProgressView(
      () => progressLines(test.progress, descriptions),
      (text) => this.#streams.stderr(text),
    );
    this.#view.start();
  }

  async #summarize(test: TestRun, outcome: TestOutcome): Promise<void> {
    const { summaryExport: exportPath, generatorReport, noSummary } = this.#settings;
    const { options, state } = test;
    const data = summaryData({
      metrics: state.metrics,
      checks: state.checks,
      verdicts: outcome.verdicts,
      trendStats: options.summaryTrendStats,
      timeUnit: options.summaryTimeUnit,
      noColor: this.#settings.noColor || !this.#streams.stdoutIsTerminal,
      isStdOutTTY: this.#streams.stdoutIsTerminal,
      isStdErrTTY: this.#streams.stderrIsTerminal,
      durationMs: outcome.durationMs,
      setupData: outcome.setupData,
    });
    if (exportPath !== undefined) this.#writeJson(exportPath, summaryExport(data));
    if (generatorReport !== undefined) {
      const { generator, loadStartedAtMs = null } = outcome;
      const { iterationsCompleted, iterationsInterrupted } = state.counters;
      const planned = plannedSeconds(options.scenarios);
      this.#writeJson(generatorReport, {
        ...generator,
        loadStartedAtMs,
        plannedSeconds: planned,
        iterationsCompleted,
        iterationsInterrupted,
      });
    }
    if (!noSummary) await this.#show(test, data, outcome);
  }

  async #show(test: TestRun, data: SummaryData, outcome: TestOutcome): Promise<void> {
    const custom = await test.handleSummary(data);
    if (typeof custom === 'object' && custom !== null) {
      writeSummary(custom as Record<string, unknown>, {
        stdout: (text) => this.#streams.stdout(text),
        stderr: (text) => this.#streams.stderr(text),
        failed: (message) => this.#logger.log('error', message),
      });
      return;
    }
    const { iterationsCompleted, iterationsInterrupted } = test.state.counters;
    const iterations = `${iterationsCompleted} complete and ${iterationsInterrupted} interrupted iterations`;
    const { generator } = outcome;
    const own =
      generator === undefined
        ? ''
        : `; generator: ${Math.round(generator.cpuMs)} ms CPU, event loop delay up to ${generator.eventLoopDelayMaxMs.toFixed(1)} ms`;
    this.#streams.stdout(`${summaryText(data)}\n  ${iterations}${own}\n`);
  }

  #writeJson(path: string, value: unknown): void {
    try {
      writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
    } catch (error) {
      this.#logger.log('error', `${path} could not be written: ${(error as Error).message}`);
    }
  }
}
