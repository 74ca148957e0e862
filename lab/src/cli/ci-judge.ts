import { startLoad } from '@bottleneck-lab/loadtests';
import type { Baseline } from '../ci/baseline-file.js';
import type { CiResult } from '../ci/ci-result.js';
import { judgeAgainst, type TimeChange } from '../ci/judge-against.js';
import { judgeBaseline } from '../ci/judge-baseline.js';
import { judgeRun } from '../ci/judge-run.js';
import { thisMachine } from '../ci/machine.js';
import type { CiMeasures } from '../ci/measure.js';
import { type Measured, measuredScenario, measuredScript } from '../ci/measured.js';
import { runLoad, type StartLoad } from '../ci/run-load.js';
import { type RoundsOutcome, runRounds } from '../ci/run-rounds.js';
import { openSystem, type SystemUnderTest } from '../ci/system-under-test.js';
import { updateBaseline } from '../ci/update-baseline.js';
import type { CiCase, Verdict } from '../ci/verdict.js';
import { startScenarioLoad } from '../runner/load-engine.js';
import { newRunId } from '../runner/run-id.js';
import type { CiOptions, CiSubject } from './ci.js';
import { openRunsDir } from './runs-dir.js';
import { recordRun, withTarget } from './single-run.js';
import type { Terminal } from './terminal.js';

/** Seconds between two lines of progress where a line can't be redrawn. */
const PROGRESS_EVERY_SECONDS = 5;

/** What a load, or a series of them, adds to the result. */
export interface Judged {
  engine: CiResult['engine'];
  cases: CiCase[];
  measures?: CiMeasures;
  changes?: TimeChange[];
  run?: string;
  notes?: string[];
  verdict?: Verdict;
  baseline?: Baseline | null;
}

export interface Gate {
  subject: CiSubject;
  options: CiOptions;
  terminal: Terminal;
  signal: AbortSignal;
  /** Of the file in `--baseline`; null without one. */
  before: Baseline | null;
}

/** Loads what the gate is about, and judges it by itself, against a baseline or against another system. */
export function judge(gate: Gate): Promise<Judged> {
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
  const { rounds, wait } = options;
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
    return judgeRounds(done, { given, options });
  } finally {
    for (const system of opened) await system.close();
  }
}

function judgeRounds(
  { rounds, stopped, engine }: RoundsOutcome,
  { given, options }: { given: { target: string; against: string }; options: CiOptions },
): Judged {
  const load = { group: 'load' as const, name: 'load' };
  if (stopped !== null) {
    const { side, outcome } = stopped;
    const text = `the load on ${side} (${given[side]}) ended with exit code ${outcome.exitCode}: ${outcome.detail}`;
    const interrupted = outcome.meaning === 'interrupted';
    return {
      engine,
      cases: [{ ...load, outcome: 'error', text }],
      ...(interrupted ? { verdict: 'interrupted' as const } : {}),
    };
  }
  const { confidence, smallestChange } = options;
  const rules = { confidence: confidence / 100, smallestPercent: smallestChange };
  const { cases, changes } = judgeAgainst(rounds, rules);
  const text = `${rounds.length} loads on each side ran to their end`;
  return { engine, cases: [{ ...load, outcome: 'passed', text }, ...cases], changes };
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

export function nameOf({ kind, name }: CiSubject) {
  return { kind, name };
}
