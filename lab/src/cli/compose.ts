import type { AppliedKnobs } from '../scenarios/index.js';
import { StackError } from '../stack/errors.js';
import { acquireLock } from '../stack/file-lock.js';
import { openStateDir, stateDirPath } from '../stack/state-dir.js';
import type { ComposeProject } from '../targets/compose/compose-project.js';
import { formatComposeStatus } from './compose-status.js';
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

/** The containers of the project that run, as the last command has left them. */
export async function openRunningContainers(options: { stateDir?: string }) {
  const { attachToStack } = await import('../targets/compose/compose-stack.js');
  const { project, stateDir } = await runningProject(options);
  return attachToStack(project, { stateDir });
}

async function runningProject(options: { stateDir?: string }) {
  const { findProject } = await import('../targets/compose/compose-stack.js');
  const project = await findProject();
  if (!(await project.containers()).some((one) => one.running)) {
    throw new StackError(
      'CONTROL_FAILED',
      `no containers of project ${project.name} are running; start them with "lab up --target compose"`,
    );
  }
  return { project, stateDir: openStateDir(stateDirPath(options.stateDir)).root };
}

/** `lab reset --target compose`. */
export async function restoreOnCompose(
  options: { stateDir?: string },
  knobs: AppliedKnobs,
): Promise<{ changed: string[] }> {
  const { restoreCompose } = await import('../targets/compose/restore-compose.js');
  const { project, stateDir } = await runningProject(options);
  return restoreCompose(project, { knobs, stateDir });
}

/** `lab status --target compose`: whoever started them. */
export async function statusOnCompose(
  options: { stateDir?: string; json?: true },
  terminal: Terminal,
): Promise<void> {
  const [{ findProject }, { composeStatus }] = await Promise.all([
    import('../targets/compose/compose-stack.js'),
    import('../targets/compose/compose-status.js'),
  ]);
  const status = await composeStatus(await findProject(), openStateDir(stateDirPath(options.stateDir)).root);
  terminal.result(options.json ? JSON.stringify(status, null, 2) : formatComposeStatus(status));
}

export async function downOnCompose(
  options: { stateDir?: string; json?: true },
  terminal: Terminal,
): Promise<void> {
  const [{ findProject }, { composeMemory }] = await Promise.all([
    import('../targets/compose/compose-stack.js'),
    import('../targets/compose/compose-memory.js'),
  ]);
  const project = await findProject();
  composeMemory(stateDirPath(options.stateDir), project.name).forget();
  const stopped = (await project.containers()).length > 0;
  if (stopped) await project.down();
  if (options.json) return terminal.result(JSON.stringify({ stopped, project: project.name }));
  terminal.result(stopped ? 'stopped' : `no containers of project ${project.name} are there`);
}

/** What the run has shown is not lost with an engine that is gone. */
async function removeContainers(project: ComposeProject, terminal: Terminal): Promise<void> {
  await project.down().catch((error: Error) => {
    terminal.progress(
      `${terminal.paint('yellow', 'warning:')} the containers of project ${project.name} were not removed (${error.message}); ` +
        'remove them with "lab down --target compose"',
    );
  });
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
      if (stack.own && options.keep !== true) await removeContainers(stack.project, terminal);
    }
  } finally {
    lock.release();
    interruption.stop();
  }
}
