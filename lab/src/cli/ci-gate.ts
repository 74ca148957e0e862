import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { type Baseline, baselineNotWritable, readBaseline } from '../ci/baseline-file.js';
import { type CiResult, ciResult } from '../ci/ci-result.js';
import { CiError } from '../ci/errors.js';
import { refuseOtherSubject } from '../ci/judge-baseline.js';
import { thisMachine } from '../ci/machine.js';
import { CI_FILES, openResultFolder, writeResultFiles } from '../ci/result-files.js';
import type { Verdict } from '../ci/verdict.js';
import { newRunId } from '../runner/run-id.js';
import { StackError } from '../stack/errors.js';
import type { CiOptions, CiSubject } from './ci.js';
import { type Gate, type Judged, judge, nameOf } from './ci-judge.js';
import { printGate } from './ci-print.js';
import { EXIT_CODES, type ExitName } from './exit-codes.js';
import { watchInterruptions } from './interruption.js';
import { openRunsDir } from './runs-dir.js';
import type { Terminal } from './terminal.js';

const EXITS: Record<Verdict, ExitName> = {
  passed: 'OK',
  failed: 'EXPECTATION_MISSED',
  undecided: 'RUN_INVALID',
  broken: 'RUN_BROKEN',
  interrupted: 'INTERRUPTED',
  'not-started': 'STACK_FAILED',
};

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
  if (update) proveWritable(file);
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

/** Minutes of load must not be lost to a typing error. */
function proveWritable(file: string): void {
  const folder = path.dirname(path.resolve(file));
  try {
    mkdirSync(folder, { recursive: true });
    rmdirSync(mkdtempSync(path.join(folder, '.probe-')));
  } catch (cause) {
    throw baselineNotWritable(file, cause);
  }
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
