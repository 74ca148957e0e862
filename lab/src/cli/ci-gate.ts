import path from 'node:path';
import { startLoad } from '@bottleneck-lab/loadtests';
import { type Baseline, readBaseline } from '../ci/baseline-file.js';
import { type CiResult, ciResult } from '../ci/ci-result.js';
import { CiError } from '../ci/errors.js';
import { judgeAgainst, type TimeChange } from '../ci/judge-against.js';
import { judgeBaseline, refuseOtherSubject } from '../ci/judge-baseline.js';
import { judgeRun } from '../ci/judge-run.js';
import { thisMachine } from '../ci/machine.js';
import type { CiMeasures } from '../ci/measure.js';
import { type Measured, measuredScenario, measuredScript } from '../ci/measured.js';
import { CI_FILES, openResultFolder, writeResultFiles } from '../ci/result-files.js';
import { runLoad, type StartLoad } from '../ci/run-load.js';
import { runRounds } from '../ci/run-rounds.js';
import { openSystem, type SystemUnderTest } from '../ci/system-under-test.js';
import { updateBaseline } from '../ci/update-baseline.js';
import type { CiCase, Verdict } from '../ci/verdict.js';
import { startScenarioLoad } from '../runner/load-engine.js';
import { newRunId } from '../runner/run-id.js';
import { StackError } from '../stack/errors.js';
import type { CiOptions, CiSubject } from './ci.js';
import { printGate } from './ci-print.js';
import { EXIT_CODES, type ExitName } from './exit-codes.js';
import { watchInterruptions } from './interruption.js';
import { openRunsDir } from './runs-dir.js';
import { recordRun, withTarget } from './single-run.js';
import type { Terminal } from './terminal.js';

/** Seconds between two lines of progress where a line can't be redrawn. */
const PROGRESS_EVERY_SECONDS = 5;

const EXITS: Record<Verdict, ExitName> = {
  passed: 'OK',
  failed: 'EXPECTATION_MISSED',
  undecided: 'RUN_INVALID',
  broken: 'RUN_BROKEN',
  interrupted: 'INTERRUPTED',
  'not-started': 'STACK_FAILED',
};

/** What a load, or a series of them, adds to the result. */
interface Judged {
  engine: CiResult['engine'];
  cases: CiCase[];
  measures?: CiMeasures;
  changes?: TimeChange[];
  run?: string;
  notes?: string[];
  verdict?: Verdict;
  baseline?: Baseline | null;
}

interface Gate {
  subject: CiSubject;
  options: CiOptions;
  terminal: Terminal;
  signal: AbortSignal;
  /** Of the file in `--baseline`; null without one. */
  before: Baseline | null;
}

/** Everything from the files to read to the files that are written. Gives the exit code. */
export async function runGate(subject: CiSubject, options: CiOptions, terminal: Terminal): Promise<number> {
  const before = baselineFor(subject, options);
  const folder = openResultFolder(options.out);
  if (subject.kind === 'scenario' && options.against === undefined) openRunsDir(options.runsDir);
  const id = newRunId('ci');
  const startedAt = new Date();
  const interruption = watchInterruptions(() => process.exit(EXIT_CODES.INTERRUPTED.code));
  const gate: Gate = { subject, options, terminal, before, signal: interruption.signal };
  let failure: unknown = null;
  try {
    const judged = await judge(gate).catch((error: unknown) => {
      failure = error;
      return notStarted(error);
    });
    const result = resultOf({ gate, id, startedAt, judged });
    await writeResultFiles(folder, result);
    printGate(result, {
      terminal,
      json: options.json === true,
      files: Object.values(CI_FILES).map((file) => path.join(path.relative(process.cwd(), folder), file)),
    });
    if (failure !== null) throw failure;
    return EXIT_CODES[EXITS[result.verdict]].code;
  } finally {
    interruption.stop();
  }
}

function baselineFor(subject: CiSubject, options: CiOptions): Baseline | null {
  const { baseline: file, updateBaseline: update } = options;
  if (file === undefined) return null;
  const baseline = readBaseline(file);
  if (baseline === null) {
    if (update) return null;
    throw new CiError(
      'BASELINE_MISSING',
      `there is no baseline at ${file}; record one with --update-baseline`,
    );
  }
  const plannedSeconds = subject.kind === 'scenario' ? options.duration : null;
  refuseOtherSubject(file, baseline, { subject: nameOf(subject), plannedSeconds });
  return baseline;
}

function judge(gate: Gate): Promise<Judged> {
  const { against, target } = gate.options;
  if (against === undefined) return judgeOnce(gate);
  return judgeDifference(gate, { target: target as string, against });
}

async function judgeOnce(gate: Gate): Promise<Judged> {
  const { subject, options, before } = gate;
  const { measured, run } = await onTarget(gate, (url) => measureOnce(gate, url));
  const own = judgeRun(measured);
  const base = {
    engine: measured.engine,
    measures: measured.measures,
    ...(run === undefined ? {} : { run }),
    ...(measured.status === 'interrupted' ? { verdict: 'interrupted' as const } : {}),
  };
  const notes = busyNotes(measured);
  if (options.updateBaseline && options.baseline !== undefined) {
    const updated = await updateBaseline({
      file: options.baseline,
      subject: nameOf(subject),
      measured,
      machine: thisMachine(),
      before,
      own,
    });
    return {
      ...base,
      cases: [...own, ...updated.cases],
      notes: [...notes, ...updated.notes],
      baseline: updated.baseline,
    };
  }
  const compared = before === null ? [] : judgeBaseline(before, measured, thisMachine());
  return { ...base, cases: [...own, ...compared], notes };
}

async function measureOnce(
  gate: Gate,
  url: string | undefined,
): Promise<{ measured: Measured; run?: string }> {
  const { subject, options, terminal, signal } = gate;
  if (subject.kind === 'script') return { measured: measuredScript(await load(gate, url as string)) };
  const choice = { ...options, gatewayUrl: url, port: 0, keep: false, terminal, signal };
  const { recording, result, folder } = await withTarget(choice, (target) =>
    recordRun(target, {
      scenario: subject.scenario,
      plannedSeconds: options.duration,
      seed: options.seed,
      engine: options.engine,
      runsDir: openRunsDir(options.runsDir),
      terminal,
      signal,
    }),
  );
  return { measured: measuredScenario(result, recording.load), run: folder };
}

/** Without a target, a scenario has the lab's own stack, which it starts itself. */
async function onTarget<Result>(
  { options, signal }: Gate,
  use: (url: string | undefined) => Promise<Result>,
): Promise<Result> {
  if (options.target === undefined) return use(undefined);
  const system = await openSystem(options.target, { waitMs: options.wait * 1000, signal });
  try {
    return await use(system.url);
  } finally {
    await system.close();
  }
}

async function judgeDifference(gate: Gate, given: { target: string; against: string }): Promise<Judged> {
  const { options, signal, terminal } = gate;
  const { rounds, confidence, smallestChange, wait } = options;
  const opened: SystemUnderTest[] = [];
  try {
    for (const text of [given.target, given.against]) {
      opened.push(await openSystem(text, { waitMs: wait * 1000, signal }));
    }
    const [target, against] = opened as [SystemUnderTest, SystemUnderTest];
    const done = await runRounds({
      rounds,
      seed: options.seed,
      load: (side) => load(gate, side === 'target' ? target.url : against.url),
      onLoad: ({ round, side }) =>
        terminal.progress(round === 0 ? `warm-up: ${side}` : `round ${round} of ${rounds}: ${side}`),
    });
    if (done.stopped !== null) {
      const { side, outcome } = done.stopped;
      const text = `the load on ${side} (${given[side]}) ended with exit code ${outcome.exitCode}: ${outcome.detail}`;
      const interrupted = outcome.meaning === 'interrupted';
      return {
        engine: done.engine,
        cases: [{ group: 'load', name: 'load', outcome: 'error', text }],
        ...(interrupted ? { verdict: 'interrupted' as const } : {}),
      };
    }
    const rules = { confidence: confidence / 100, smallestPercent: smallestChange };
    const { cases, changes } = judgeAgainst(done.rounds, rules);
    const ran: CiCase = {
      group: 'load',
      name: 'load',
      outcome: 'passed',
      text: `${rounds} loads on each side ran to their end`,
    };
    return { engine: done.engine, cases: [ran, ...cases], changes };
  } finally {
    for (const system of opened) await system.close();
  }
}

/** One load of the gate's subject on a URL. */
function load({ subject, options, terminal, signal }: Gate, url: string) {
  const { engine, env, duration, seed } = options;
  const start: StartLoad =
    subject.kind === 'script'
      ? (target, outDir) =>
          startLoad({ engine, script: subject.script, env: { ...env, BASE_URL: target }, outDir })
      : (target, outDir) =>
          startScenarioLoad({
            engine,
            scenario: subject.scenario,
            runId: newRunId(subject.name),
            gatewayUrl: target,
            plannedSeconds: duration,
            seed,
            outDir,
          }).run;
  return runLoad({
    start,
    url,
    signal,
    onSecond: ({ elapsedSeconds, users, requests, failed }) => {
      const line = `${String(elapsedSeconds).padStart(4)} s  ${users} users  ${requests} req/s${failed > 0 ? `  ${failed} failed` : ''}`;
      if (terminal.live) terminal.redraw(line);
      else if (elapsedSeconds % PROGRESS_EVERY_SECONDS === 0) terminal.progress(line);
    },
  });
}

function busyNotes({ tooBusy, status }: Measured): string[] {
  if (tooBusy === '' || status !== 'complete') return [];
  return [`the machine was too busy to measure times: ${tooBusy}; counts are judged all the same`];
}

/** A target that did not start is a result as well; any other error is not the gate's to tell. */
function notStarted(error: unknown): Judged {
  const known = error instanceof CiError || error instanceof StackError;
  if (!known) throw error;
  return {
    engine: { name: '', version: '' },
    cases: [{ group: 'load', name: 'load', outcome: 'error', text: error.message }],
    verdict: 'not-started',
  };
}

function nameOf({ kind, name }: CiSubject) {
  return { kind, name };
}

function resultOf(input: { gate: Gate; id: string; startedAt: Date; judged: Judged }): CiResult {
  const { gate, id, startedAt, judged } = input;
  const { target, against, baseline: file, rounds } = gate.options;
  const baseline = judged.baseline ?? gate.before;
  return ciResult({
    id,
    startedAt: startedAt.toISOString(),
    elapsedSeconds: (Date.now() - startedAt.getTime()) / 1000,
    verdict: judged.verdict,
    subject: nameOf(gate.subject),
    target: target ?? null,
    against: against ?? null,
    engine: judged.engine,
    machine: thisMachine(),
    baseline:
      file === undefined || baseline === null
        ? null
        : { file, recordedAt: baseline.recordedAt, updated: (judged.baseline ?? null) !== null },
    run: judged.run ?? null,
    cases: judged.cases,
    measures: judged.measures ?? {},
    changes: judged.changes ?? [],
    rounds: against === undefined ? null : rounds,
    notes: judged.notes ?? [],
  });
}
