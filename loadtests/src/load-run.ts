import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { EXIT_CODES, LoadError } from './engine/errors.js';
import type { GeneratorReport } from './engine/generator-monitor.js';
import type { RunFiles } from './engine-definition.js';
import { EngineProcess, type ProcessEnd } from './engine-process.js';
import { type EngineKind, type EngineName, engineKind, engineOf } from './engines.js';
import { LineTail } from './line-tail.js';
import type { LoadSecond, LoadStep } from './load-second.js';
import { LoadSeries, SERIES_METRICS } from './load-series.js';
import { type MetricDefinition, parsePointLine } from './point.js';
import { SecondStream } from './second-stream.js';
import { type LoadSummary, readSummaryExport } from './summary-file.js';

export interface LoadOptions {
  readonly engine: EngineName;
  /** Path of a k6 script. */
  readonly script: string;
  /** Variables of the script (`__ENV`). */
  readonly env: Readonly<Record<string, string>>;
  /** Folder for the run's files; made when it is missing. */
  readonly outDir: string;
  readonly signal?: AbortSignal | undefined;
  /** Keeps `points.ndjson` beside `summary.json`; some 4 kB per request. */
  readonly keepPoints?: boolean | undefined;
}

export type LoadMeaning = 'passed' | 'thresholds-crossed' | 'interrupted' | 'broken';

export interface LoadOutcome {
  readonly exitCode: number;
  readonly meaning: LoadMeaning;
  /** What the engine had to say: the last lines of its standard error; empty when all went well. */
  readonly detail: string;
  /** The load's zero, Unix milliseconds; null when no iteration began. */
  readonly loadStartMs: number | null;
  /** Length of the load as planned; as measured where there is no plan. */
  readonly plannedSeconds: number;
  readonly seconds: readonly LoadSecond[];
  readonly steps: readonly LoadStep[];
  /** Null when the engine did not get as far as a summary. */
  readonly summary: LoadSummary | null;
  /** The text that the engine printed at the end. */
  readonly text: string;
  readonly generator: LoadGenerator;
  readonly engine: { readonly name: EngineKind; readonly version: string };
}

export interface LoadGenerator {
  readonly cpuMs?: number | undefined;
  readonly eventLoopDelayMaxMs?: number | undefined;
  /** The generator was short of CPU, so it measured itself rather than the target. */
  readonly saturated: boolean;
  /** Says how; empty when not saturated. */
  readonly reason: string;
}

export interface LoadRun {
  /** Each finished second, as soon as its points are there; ends with the load. */
  readonly seconds: AsyncIterable<LoadSecond>;
  /** Never rejects: what went wrong is in the outcome. */
  readonly outcome: Promise<LoadOutcome>;
  /** Interrupts the load; teardown() and the summary still follow. */
  stop(): void;
  /**
   * Sets how many users of a `ramping-vus` load iterate, 0 to 500, until the next call or the load's end; resolves
   * with how many did. Rejects with LOAD_NOT_CONTROLLED, saying why, also on every engine but the built-in one.
   */
  setVus(vus: number): Promise<number>;
}

const POLL_MS = 200;
const DETAIL_LINES = 20;
const SATURATED_SHARE = 0.9;

/** Starts a load in a process of its own and follows it. Every engine gives the same seconds, steps and summary. */
export function startLoad(options: LoadOptions): LoadRun {
  const seconds = new SecondStream();
  const load = new RunningLoad(options, seconds);
  return { seconds, outcome: load.follow(), stop: () => load.stop(), setVus: (vus) => load.setVus(vus) };
}

class RunningLoad {
  readonly #options: LoadOptions;
  readonly #stream: SecondStream;
  readonly #series = new LoadSeries();
  readonly #definitions = new Map<string, MetricDefinition>();
  readonly #files: RunFiles;
  #process: EngineProcess | undefined;
  #stopped = false;
  #nextSecond: number | undefined;

  constructor(options: LoadOptions, stream: SecondStream) {
    this.#options = options;
    this.#stream = stream;
    const { outDir } = options;
    this.#files = {
      points: join(outDir, 'points.ndjson'),
      summaryExport: join(outDir, 'summary-export.json'),
      generatorReport: join(outDir, 'generator.json'),
    };
  }

  stop(): void {
    this.#stopped = true;
    this.#process?.stop();
  }

  async setVus(vus: number): Promise<number> {
    if (this.#process !== undefined) return this.#process.setVus(vus);
    throw new LoadError('LOAD_NOT_CONTROLLED', 'no load is running yet');
  }

  async follow(): Promise<LoadOutcome> {
    const stop = () => this.stop();
    this.#options.signal?.addEventListener('abort', stop, { once: true });
    try {
      if (this.#options.signal?.aborted) this.#stopped = true;
      return await this.#run();
    } finally {
      this.#options.signal?.removeEventListener('abort', stop);
      this.#stream.end();
    }
  }

  async #run(): Promise<LoadOutcome> {
    const { engine, script, env, outDir, keepPoints = false } = this.#options;
    const definition = engineOf(engine);
    const found = await definition.find();
    const version = found.version ?? '';
    if (!found.available)
      return this.#outcome(broken(found.reason ?? `the engine ${engine} is not available`), version);
    try {
      mkdirSync(outDir, { recursive: true });
      for (const file of Object.values(this.#files)) rmSync(file, { force: true });
    } catch (error) {
      return this.#outcome(
        broken(`the folder ${outDir} cannot be used: ${(error as Error).message}`),
        version,
      );
    }
    if (this.#stopped)
      return this.#outcome(
        { ...broken('stopped before it began'), exitCode: EXIT_CODES.externalAbort },
        version,
      );
    const command = await definition
      .command({
        script,
        env,
        files: this.#files,
        metrics: keepPoints ? undefined : [...SERIES_METRICS],
      })
      .catch((error: Error) => error);
    if (command instanceof Error) return this.#outcome(broken(command.message), version);
    this.#process = new EngineProcess(definition, command);
    // Stopped while the command was made.
    if (this.#stopped) this.#process.stop();
    return this.#outcome(await this.#tail(this.#process, definition.pointsDelayMs), version);
  }

  /** Reads points while the engine runs, and once more when it has ended. */
  async #tail(process: EngineProcess, pointsDelayMs: number): Promise<ProcessEnd> {
    const tail = new LineTail(this.#files.points);
    let end: ProcessEnd | undefined;
    const ended = process.ended.then((result) => {
      end = result;
    });
    while (end === undefined) {
      await Promise.race([ended, delay(POLL_MS)]);
      await tail.read((line) => this.#line(line));
      this.#emit(Date.now() - pointsDelayMs);
    }
    await tail.read((line) => this.#line(line));
    await tail.close();
    this.#emit(Number.POSITIVE_INFINITY);
    return end;
  }

  #line(line: string): void {
    const read = parsePointLine(line, SERIES_METRICS);
    if (read === undefined) return;
    if ('point' in read) this.#series.add(read.point);
    else this.#definitions.set(read.definition.name, read.definition);
  }

  #emit(untilMs: number): void {
    const ready = this.#series.seconds({ from: this.#nextSecond, untilMs });
    for (const second of ready) this.#stream.push(second);
    const last = ready.at(-1);
    if (last !== undefined) this.#nextSecond = last.second + 1;
  }

  #outcome(end: ProcessEnd, version: string): LoadOutcome {
    const report = readJson(this.#files.generatorReport) as (GeneratorReport & ReportedPlan) | undefined;
    const exported = readJson(this.#files.summaryExport);
    const summary = exported === undefined ? null : readSummaryExport(exported, this.#definitions);
    const seconds = this.#series.seconds({ untilMs: Number.POSITIVE_INFINITY });
    const { meaning, detail } = meaningOf(end, summary !== null);
    const outcome: LoadOutcome = {
      exitCode: end.exitCode,
      meaning,
      detail,
      loadStartMs: this.#series.loadStartMs ?? report?.loadStartedAtMs ?? firstMs(seconds),
      plannedSeconds: report?.plannedSeconds ?? plannedBySteps(this.#series.steps) ?? seconds.length,
      seconds,
      steps: this.#series.steps,
      summary,
      text: end.stdout,
      generator: generatorOf(report, end, seconds.length),
      engine: { name: engineKind(this.#options.engine), version },
    };
    this.#keepFiles(outcome);
    return outcome;
  }

  #keepFiles(outcome: LoadOutcome): void {
    const { outDir, keepPoints = false } = this.#options;
    const { seconds: _seconds, text: _text, ...kept } = outcome;
    try {
      writeFileSync(join(outDir, 'summary.json'), `${JSON.stringify(kept, null, 2)}\n`);
      for (const file of [this.#files.summaryExport, this.#files.generatorReport])
        rmSync(file, { force: true });
      if (!keepPoints) rmSync(this.#files.points, { force: true });
    } catch {
      // The outcome says why the run is broken; a folder that cannot be written is among the reasons.
    }
  }
}

interface ReportedPlan {
  readonly plannedSeconds: number | null;
  readonly loadStartedAtMs: number | null;
}

/** Crossed thresholds are an answer about the target; every other exit code but 0 says that the run broke. */
function meaningOf(
  { exitCode, stderr }: ProcessEnd,
  hasSummary: boolean,
): { meaning: LoadMeaning; detail: string } {
  const said = stderr.trim().split('\n').slice(-DETAIL_LINES).join('\n');
  if (exitCode === EXIT_CODES.externalAbort) return { meaning: 'interrupted', detail: said };
  if (exitCode !== EXIT_CODES.passed && exitCode !== EXIT_CODES.thresholdsCrossed) {
    return { meaning: 'broken', detail: said };
  }
  // k6 only logs that it could not write its summary, and exits as if it had.
  if (!hasSummary) {
    return {
      meaning: 'broken',
      detail: `the engine ended with ${exitCode} and left no results\n${said}`.trim(),
    };
  }
  return exitCode === EXIT_CODES.passed
    ? { meaning: 'passed', detail: '' }
    : { meaning: 'thresholds-crossed', detail: said };
}

function broken(reason: string): ProcessEnd {
  return { exitCode: EXIT_CODES.generic, stderr: reason, stdout: '', cpuMs: undefined };
}

function generatorOf(report: GeneratorReport | undefined, end: ProcessEnd, seconds: number): LoadGenerator {
  if (report !== undefined) {
    const { cpuMs, eventLoopDelayMaxMs, saturated, reason } = report;
    return { cpuMs, eventLoopDelayMaxMs, saturated, reason };
  }
  // Another engine tells nothing about itself, but one that takes nearly all cores is short of them.
  const cores = (end.cpuMs ?? 0) / 1000 / Math.max(1, seconds);
  const saturated = cores > SATURATED_SHARE * availableParallelism();
  const reason = saturated ? `the load generator used ${cores.toFixed(1)} cores, nearly all there are` : '';
  return { cpuMs: end.cpuMs, saturated, reason };
}

function plannedBySteps(steps: readonly LoadStep[]): number | undefined {
  const sum = steps.reduce((total, { seconds }) => total + (seconds ?? 0), 0);
  return sum > 0 ? sum : undefined;
}

function firstMs(seconds: readonly LoadSecond[]): number | null {
  const first = seconds[0];
  return first === undefined ? null : first.second * 1000;
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // An engine that broke off has not written it.
    return undefined;
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
