import { randomBytes } from 'node:crypto';
import type { EngineName } from '@bottleneck-lab/loadtests';
import { type Command, Option } from 'commander';
import type { RunResult } from '../results/index.js';
import { findStack } from '../stack/find-stack.js';
import type { OnPhase } from '../stack/phases.js';
import { openStateDir, stateDirPath } from '../stack/state-dir.js';
import { localTarget } from '../targets/local-target.js';
import { formatPanel, MYSTERY, whyUnjudgeable } from '../workshop/index.js';
import { canConverse } from './conversation.js';
import { requireEngine } from './engine.js';
import { EXIT_CODES, type ExitName } from './exit-codes.js';
import { watchInterruptions } from './interruption.js';
import { clientLine } from './live-line.js';
import { checkMystery } from './mystery-answer.js';
import { wholeNumber } from './option-values.js';
import { openRunsDir } from './runs-dir.js';
import {
  durationOption,
  engineOption,
  jsonOption,
  keepOption,
  localTargetOption,
  runsDirOption,
  stateDirOption,
} from './shared-options.js';
import { openStackSession } from './stack-session.js';
import type { Terminal } from './terminal.js';

interface MysteryOptions {
  seed?: number;
  duration: number;
  engine: EngineName;
  json?: true;
  keep?: true;
  stateDir?: string;
  runsDir?: string;
}

const LARGEST_SEED = 4_294_967_295;

export function registerMystery(program: Command, terminal: Terminal): void {
  program
    .command(MYSTERY)
    .description('run one of the scenarios without telling which; then find its bottleneck')
    .addOption(
      new Option('--seed <number>', 'chooses the scenario; the same seed, the same mystery').argParser(
        wholeNumber(0, LARGEST_SEED),
      ),
    )
    .addOption(localTargetOption())
    .addOption(durationOption())
    .addOption(engineOption())
    .addOption(keepOption())
    .addOption(jsonOption())
    .addOption(stateDirOption())
    .addOption(runsDirOption())
    .addHelpText(
      'after',
      `
On a terminal it asks for the diagnosis at the end; otherwise, and later, answer with "lab check mystery".

Examples:
  lab mystery
  lab mystery --seed 7 --duration 120`,
    )
    .action((options: MysteryOptions) => mystery(options, terminal));
}

async function mystery(options: MysteryOptions, terminal: Terminal): Promise<void> {
  const runsDir = openRunsDir(options.runsDir);
  await requireEngine(options.engine);
  const seed = options.seed ?? randomBytes(4).readUInt32BE();
  const interruption = watchInterruptions(() => process.exit(EXIT_CODES.INTERRUPTED.code));
  const result = await runHidden({ ...options, seed, runsDir, signal: interruption.signal }, terminal);
  interruption.stop();
  const { color, width } = terminal;
  terminal.result(
    options.json
      ? JSON.stringify(withoutClues(result), null, 2)
      : `\n${formatPanel(result, { color, width: Math.min(width, 110) })}`,
  );
  process.exitCode = EXIT_CODES[exitOf(result)].code;
  const why = whyUnjudgeable(result);
  if (why !== null) return terminal.progress(`\n${terminal.paint('yellow', 'no mystery')}: ${why}`);
  if (options.json || !canConverse(terminal)) {
    return terminal.progress('\nWhat holds it back? Answer with "lab check mystery".');
  }
  const { stateDir } = options;
  await checkMystery({ runsDir, ...(stateDir === undefined ? {} : { stateDir }) }, terminal);
}

/** Runs the scenario that the seed stands for under another name, and puts the run away. */
async function runHidden(
  options: MysteryOptions & { seed: number; runsDir: string; signal: AbortSignal },
  terminal: Terminal,
): Promise<RunResult> {
  const { seed, runsDir, signal, engine } = options;
  const stateDir = stateDirPath(options.stateDir);
  const running = await findStack(openStateDir(stateDir));
  const session = await openStackSession({
    stateDir,
    // The stack's data is not the mystery; whatever runs is fine.
    seed: running.found ? running.status.seed : 1,
    port: 0,
    cosmosEndpoint: null,
    telemetry: null,
    keep: options.keep === true,
    onPhase: () => terminal.redraw(terminal.paint('dim', '  ... starting')),
    onReuse: (status) => terminal.progress(`using the running stack, gateway ${status.gatewayUrl}`),
    signal,
  });
  try {
    terminal.progress(`\n${terminal.paint('bold', MYSTERY)}: ${options.duration} s`);
    const { runMystery } = await import('../workshop/run-mystery.js');
    return await runMystery({
      target: await localTarget(session.client),
      runsDir,
      plannedSeconds: options.duration,
      seed,
      engine,
      signal,
      onPhase: plainPhases(terminal),
      onSecond: clientLine(terminal),
      onFailure: ({ process: name, description }) =>
        terminal.progress(`${name} ${description}; the run ends`),
    });
  } finally {
    await session.close();
  }
}

/** What a phase did, and how long it took, would tell which knobs were turned. */
function plainPhases(terminal: Terminal): OnPhase {
  return ({ name, state }) => {
    if (state === 'begin') terminal.redraw(terminal.paint('dim', `  ... ${name}`));
  };
}

function exitOf({ status, validity }: RunResult): ExitName {
  if (status === 'broken') return 'RUN_BROKEN';
  if (status === 'interrupted') return 'INTERRUPTED';
  return validity.valid ? 'OK' : 'RUN_INVALID';
}

/** What instruments measured: no scenario, no knob, no diagnosis. */
function withoutClues({ id, plannedSeconds, measures, lastQuarter, steps, partitions }: RunResult) {
  return { kind: MYSTERY, id, plannedSeconds, measures, lastQuarter, steps, partitions };
}
