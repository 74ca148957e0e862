import path from 'node:path';
import type { EngineName } from '@bottleneck-lab/loadtests';
import { MEASURE_TABLE } from '../analysis/measure-table.js';
import { quantity, withUnit } from '../analysis/quantity.js';
import { compareEngines, type EngineComparison } from '../ci/engine-agreement.js';
import { signed } from '../ci/judge-measure.js';
import type { RunResult } from '../results/index.js';
import { replaceFile } from '../results/new-folder.js';
import { newRunId } from '../runner/run-id.js';
import type { Scenario } from '../scenarios/index.js';
import { requireEngine } from './engine.js';
import { UsageError } from './errors.js';
import { EXIT_CODES, type ExitName } from './exit-codes.js';
import { watchInterruptions } from './interruption.js';
import { openRunsDir } from './runs-dir.js';
import { recordRun, type TargetChoice, withTarget } from './single-run.js';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';

export interface CompareEnginesOptions extends Omit<TargetChoice, 'terminal' | 'signal'> {
  scenario: Scenario;
  plannedSeconds: number;
  /** The engine beside the built-in one; `builtin`: k6 on the PATH, else in a container. */
  engine: EngineName;
  json: boolean;
  runsDir?: string | undefined;
}

const FILE = 'engines.json';

/** Runs a scenario by the built-in engine and by k6, and says whether they agree. Gives the exit code. */
export async function runCompareEngines(options: CompareEnginesOptions, terminal: Terminal): Promise<number> {
  const { scenario, plannedSeconds, seed } = options;
  const second = await secondEngine(options.engine);
  const id = newRunId('engines');
  const folder = path.join(openRunsDir(options.runsDir), id);
  const interruption = watchInterruptions(() => process.exit(EXIT_CODES.INTERRUPTED.code));
  const { signal } = interruption;
  try {
    const results = await withTarget({ ...options, terminal, signal }, async (target) => {
      const done: RunResult[] = [];
      for (const engine of ['builtin', second] as const) {
        terminal.progress(`\n${terminal.paint('bold', engine)}: ${scenario.title}, ${plannedSeconds} s`);
        const run = { scenario, plannedSeconds, seed, engine, runsDir: folder, terminal, signal };
        const { result } = await recordRun(target, run);
        done.push(result);
        if (result.status !== 'complete') break;
      }
      return done;
    });
    const [first, other] = results as [RunResult, RunResult | undefined];
    if (other === undefined) return EXIT_CODES[brokenOff(first, terminal)].code;
    const comparison = compareEngines(id, first, other);
    await replaceFile(path.join(folder, FILE), `${JSON.stringify(comparison, null, 2)}\n`);
    print(comparison, { terminal, json: options.json, folder });
    return EXIT_CODES[exitOf(comparison, other, terminal)].code;
  } finally {
    interruption.stop();
  }
}

async function secondEngine(given: EngineName): Promise<EngineName> {
  if (given !== 'builtin') {
    await requireEngine(given);
    return given;
  }
  const { findEngine } = await import('@bottleneck-lab/loadtests');
  const onPath = await findEngine('k6');
  if (onPath.available) return 'k6';
  const inContainer = await findEngine('docker', {
    onFetch: (image) => process.stderr.write(`pulling ${image} ...\n`),
  });
  if (inContainer.available) return 'docker';
  throw new UsageError(
    `--compare-engines needs k6 beside the built-in engine: ${onPath.reason}; ${inContainer.reason}`,
  );
}

function brokenOff({ status, reason }: RunResult, terminal: Terminal): ExitName {
  terminal.progress(`${terminal.paint('red', status)}: ${reason}`);
  return status === 'interrupted' ? 'INTERRUPTED' : 'RUN_BROKEN';
}

function exitOf({ agree }: EngineComparison, second: RunResult, terminal: Terminal): ExitName {
  if (second.status !== 'complete') return brokenOff(second, terminal);
  if (agree === null) return 'RUN_INVALID';
  return agree ? 'OK' : 'EXPECTATION_MISSED';
}

function print(
  comparison: EngineComparison,
  { terminal, json, folder }: { terminal: Terminal; json: boolean; folder: string },
): void {
  const [first, second] = comparison.runs.map(({ engine }) => `${engine.name} ${engine.version}`);
  const figure = (measure: keyof typeof MEASURE_TABLE, value: number | null) =>
    value === null ? 'not measured' : withUnit(value, MEASURE_TABLE[measure].unit, 3);
  const rows = comparison.figures.map((one) => [
    one.measure,
    figure(one.measure, one.first),
    figure(one.measure, one.second),
    one.differencePercent === null ? '' : `${signed(one.differencePercent)} %`,
    `±${one.allowedPercent} %`,
  ]);
  const table = formatTable(['measure', first ?? '', second ?? '', 'difference', 'allowed'], rows);
  terminal.result(json ? JSON.stringify(comparison, null, 2) : `\n${table}`);
  for (const { measure, differencePercent, allowedPercent, ok } of comparison.figures) {
    if (ok !== false || comparison.agree === null || differencePercent === null) continue;
    terminal.progress(
      `${terminal.paint('red', 'differs')}: ${measure} by ${quantity(Math.abs(differencePercent), 3)} %, allowed are ${allowedPercent} %`,
    );
  }
  for (const { valid, engine, reason } of comparison.runs) {
    if (!valid)
      terminal.progress(`${terminal.paint('yellow', 'not judged')}: the run by ${engine.name}: ${reason}`);
  }
  terminal.progress(`result: ${path.join(path.relative(process.cwd(), folder), FILE)}`);
}
