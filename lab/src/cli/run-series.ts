import { existsSync } from 'node:fs';
import path from 'node:path';
import type { EngineName } from '@bottleneck-lab/loadtests';
import type { Recording } from '../recording/index.js';
import {
  formatProgression,
  formatRun,
  type ReportedRun,
  reportedRun,
  whyNoTransaction,
} from '../report/index.js';
import {
  buildResult,
  missedExpectations,
  progressionOf,
  RUN_FILES,
  type RunResult,
  sealResult,
  writeProgression,
  writeRun,
} from '../results/index.js';
import { newRunId } from '../runner/run-id.js';
import { type RunOptions, runScenario } from '../runner/run-scenario.js';
import type { Scenario } from '../scenarios/index.js';
import type { StackFailure } from '../stack/stack-status.js';
import type { Target } from '../targets/target.js';
import { formatPanel } from '../workshop/panel.js';
import { checkLines } from './check-lines.js';
import type { ExitName } from './exit-codes.js';
import { liveLine } from './live-line.js';
import { phasePrinter } from './phase-printer.js';
import type { Terminal } from './terminal.js';

export interface SeriesOptions {
  scenarios: readonly Scenario[];
  target: Target;
  runsDir: string;
  plannedSeconds: number;
  seed: number;
  engine: EngineName;
  check: boolean;
  /** False: only what was measured is shown and written, so that somebody can find the bottleneck. */
  diagnosis?: boolean | undefined;
  json: boolean;
  terminal: Terminal;
  signal: AbortSignal;
  /** Told what the terminal shows, as it happens. */
  observer?: RunObserver;
}

/** Follows a series from inside this process. */
export interface RunObserver extends Pick<RunOptions, 'onPhase' | 'onSecond'> {
  onStart(run: { id: string; scenario: Scenario; plannedSeconds: number }): void;
  onTurn: NonNullable<RunOptions['onTurn']>;
  onEnd(run: { recording: Recording; result: RunResult }): void;
}

/** Runs scenarios one after another, writes each as it ends, and prints them together. One that breaks off ends the series. */
export async function runSeries(options: SeriesOptions): Promise<ExitName> {
  const { scenarios, terminal } = options;
  const several = scenarios.length > 1;
  const id = newRunId('progression');
  const folder = several ? path.join(options.runsDir, id) : options.runsDir;
  const runs: ReportedRun[] = [];
  let last = folder;

  for (const [index, scenario] of scenarios.entries()) {
    const count = several ? `[${index + 1}/${scenarios.length}] ` : '';
    terminal.progress(
      `\n${terminal.paint('bold', `${count}${scenario.name}`)}: ${scenario.title}, ${options.plannedSeconds} s`,
    );
    const { run, written } = await runOne(options, { scenario, folder });
    runs.push(run);
    last = written;
    if (several) await writeProgression(folder, { id, runs });
    if (run.result.status !== 'complete') break;
  }

  const results = runs.map((run) => run.result);
  printResults(options, { id, results, folder: several ? folder : last });
  return exitOf(results, options);
}

async function runOne(
  options: SeriesOptions,
  place: { scenario: Scenario; folder: string },
): Promise<{ run: ReportedRun; written: string }> {
  const { terminal, target, plannedSeconds, seed, engine, signal, observer } = options;
  const printPhase = phasePrinter(terminal);
  const printSecond = liveLine(terminal);
  const recording = await runScenario({
    scenario: place.scenario,
    target,
    plannedSeconds,
    seed,
    engine,
    signal,
    onStart: (id) => observer?.onStart({ id, scenario: place.scenario, plannedSeconds }),
    onPhase: (event) => {
      printPhase(event);
      observer?.onPhase(event);
    },
    onSecond: (second, source) => {
      printSecond(second);
      observer?.onSecond(second, source);
    },
    onTurn: (turned) => {
      terminal.progress(`  ${turned.knob} turned from ${turned.from} to ${turned.to}`);
      observer?.onTurn(turned);
    },
    onFailure: (failure) => printFailure(failure, terminal),
  });
  const concluded = buildResult(recording);
  const result = options.diagnosis === false ? sealResult(concluded) : concluded;
  const written = path.join(place.folder, recording.meta.id);
  const telemetryFolder = recordedTelemetry(target, recording.meta.id);
  const transactions = await transactionsOf(telemetryFolder, result);
  await writeRun(written, recording, result, { telemetryFolder, transactions });
  observer?.onEnd({ recording, result });
  return { run: reportedRun(recording, result, transactions), written };
}

/** What reads telemetry takes a second to load; a run without does not wait for it. */
async function transactionsOf(telemetryFolder: string | null, result: RunResult) {
  if (telemetryFolder === null) return { missing: whyNoTransaction(result) };
  const { readTransactions } = await import('../report/read-transactions.js');
  return readTransactions(telemetryFolder);
}

/** Where the run's telemetry was written as it came in; null when none was. */
function recordedTelemetry({ telemetryRecording }: Target, runId: string): string | null {
  const folder = telemetryRecording?.folderOf(runId) ?? null;
  return folder !== null && existsSync(folder) ? folder : null;
}

function printFailure(failure: StackFailure, terminal: Terminal): void {
  terminal.progress(
    `${terminal.paint('red', 'error:')} ${failure.process} (${failure.instance}) ${failure.description}; the run ends`,
  );
  if (failure.lastLines.length > 0) terminal.progress('  its last lines:');
  for (const line of failure.lastLines) terminal.progress(`  | ${line}`);
  terminal.progress(`  log: ${failure.log}`);
}

const WIDEST = 110;

function printResults(
  options: SeriesOptions,
  done: { id: string; results: readonly RunResult[]; folder: string },
): void {
  const { terminal, check } = options;
  const { results } = done;
  if (options.diagnosis === false) printMeasurements(results, terminal);
  else printFindings(options, done);
  for (const result of results) {
    if (result.status !== 'complete') {
      terminal.progress(`${terminal.paint('red', result.status)}: ${result.scenario.name}: ${result.reason}`);
    } else if (!result.validity.valid) {
      const failed = result.validity.checks.filter((one) => one.ok === false).map((one) => one.text);
      terminal.progress(
        `${terminal.paint('yellow', 'machine too busy')}: ${result.scenario.name}: ${failed.join('; ')}`,
      );
    }
  }
  if (!check) return;
  for (const line of checkLines(results, (word) => terminal.paint('red', word))) terminal.progress(line);
}

function printFindings(
  options: SeriesOptions,
  { id, results, folder }: { id: string; results: readonly RunResult[]; folder: string },
): void {
  const { terminal, json } = options;
  const layout = layoutOf(terminal);
  const [only] = results;
  if (options.scenarios.length === 1 && only !== undefined) {
    terminal.result(json ? JSON.stringify(only, null, 2) : `\n${formatRun(only, layout)}`);
  } else {
    terminal.result(
      json
        ? JSON.stringify(progressionOf({ id, results }), null, 2)
        : `\n${formatProgression(results, layout)}`,
    );
  }
  terminal.progress(
    `\nreport: ${path.join(path.relative(process.cwd(), folder), RUN_FILES.reportPage)} (as text: ${RUN_FILES.report})`,
  );
}

function printMeasurements(results: readonly RunResult[], terminal: Terminal): void {
  for (const result of results) {
    terminal.result(`\n${formatPanel(result, layoutOf(terminal))}`);
    terminal.progress(`\nWhat holds it back? Answer with "lab check ${result.scenario.name}".`);
  }
}

function layoutOf({ color, width }: Terminal) {
  return { color, width: Math.min(width, WIDEST) };
}

/** The worst that happened decides. */
function exitOf(results: readonly RunResult[], { check, signal }: SeriesOptions): ExitName {
  if (results.some((result) => result.status === 'broken')) return 'RUN_BROKEN';
  if (signal.aborted || results.some((result) => result.status === 'interrupted')) return 'INTERRUPTED';
  if (results.some((result) => !result.validity.valid)) return 'RUN_INVALID';
  return check && results.some((result) => missedExpectations(result).length > 0)
    ? 'EXPECTATION_MISSED'
    : 'OK';
}
