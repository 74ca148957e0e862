import { StackError } from '../stack/errors.js';
import { acquireLock } from '../stack/file-lock.js';
import { openStateDir, stateDirPath } from '../stack/state-dir.js';
import { requireEngine } from './engine.js';
import { EXIT_CODES } from './exit-codes.js';
import { watchInterruptions } from './interruption.js';
import { phasePrinter } from './phase-printer.js';
import { openRunsDir } from './runs-dir.js';
import { type SeriesFlags, seriesFromFlags } from './series-flags.js';
import type { Terminal } from './terminal.js';

interface ComposeOptions {
  stateDir?: string;
  seed: number;
  port: number;
  json?: true;
}

export interface ComposeRunOptions extends ComposeOptions, SeriesFlags {
  keep?: true;
  runsDir?: string;
}

async function open(options: ComposeOptions, terminal: Terminal, signal: AbortSignal) {
  // Loaded only when asked for: it brings the account's client with it.
  const { openComposeStack } = await import('../targets/compose/compose-stack.js');
  const { root: stateDir } = openStateDir(stateDirPath(options.stateDir));
  const { seed, port } = options;
  return openComposeStack({ stateDir, seed, port, onPhase: phasePrinter(terminal), signal });
}

/** `lab up --target compose`: containers that stay, with a calibrated limit. */
export async function upOnCompose(options: ComposeOptions, terminal: Terminal): Promise<void> {
  const interruption = watchInterruptions(() => process.exit(EXIT_CODES.INTERRUPTED.code));
  const stack = await open(options, terminal, interruption.signal);
  await stack.close();
  interruption.stop();
  const { gatewayUrl, project } = stack;
  const calibration = stack.calibration();
  terminal.result(
    options.json
      ? JSON.stringify({ target: 'compose', project: project.name, gatewayUrl, calibration }, null, 2)
      : `gateway ${gatewayUrl}`,
  );
}

export async function downOnCompose(options: { json?: true }, terminal: Terminal): Promise<void> {
  const { findProject } = await import('../targets/compose/compose-stack.js');
  const project = await findProject();
  const stopped = (await project.containers()).length > 0;
  if (stopped) await project.down();
  if (options.json) return terminal.result(JSON.stringify({ stopped, project: project.name }));
  terminal.result(stopped ? 'stopped' : `no containers of project ${project.name} are there`);
}

/** Runs scenarios on the lab in containers, which is started and stopped for it unless it runs. */
export async function runOnCompose(options: ComposeRunOptions, terminal: Terminal): Promise<void> {
  const runsDir = openRunsDir(options.runsDir);
  await requireEngine(options.engine);
  const lock = acquireLock(openStateDir(stateDirPath(options.stateDir)).runLock);
  if (!lock.acquired) {
    throw new StackError(
      'ALREADY_RUNNING',
      `process ${lock.holder.pid} is running a load; two at once would disturb each other`,
    );
  }
  const interruption = watchInterruptions(() => process.exit(EXIT_CODES.INTERRUPTED.code));
  try {
    const stack = await open(options, terminal, interruption.signal);
    try {
      const [{ runSeries }, { composeTarget }] = await Promise.all([
        import('./run-series.js'),
        import('../targets/compose/compose-target.js'),
      ]);
      const exit = await runSeries({
        ...seriesFromFlags(options),
        target: composeTarget(stack),
        runsDir,
        terminal,
        signal: interruption.signal,
      });
      process.exitCode = EXIT_CODES[exit].code;
    } finally {
      await stack.close();
      if (stack.own && options.keep !== true) await stack.project.down();
    }
  } finally {
    lock.release();
    interruption.stop();
  }
}
