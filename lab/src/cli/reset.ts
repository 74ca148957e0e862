import type { Command } from 'commander';
import { applyLength, loadScenarios } from '../scenarios/index.js';
import { StackError } from '../stack/errors.js';
import { acquireLock } from '../stack/file-lock.js';
import { findStack } from '../stack/find-stack.js';
import { openStateDir, type StateDir, stateDirPath } from '../stack/state-dir.js';
import { DEFAULT_SECONDS, jsonOption, stackTargetOption, stateDirOption } from './shared-options.js';
import type { Terminal } from './terminal.js';

export function registerReset(program: Command, terminal: Terminal): void {
  program
    .command('reset')
    .description(
      'budgets, knobs and services of the running stack as in the beginning; data and runs are kept',
    )
    .addOption(stackTargetOption())
    .addOption(stateDirOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExamples:\n  lab reset\n  lab reset --json\n  lab reset --target compose')
    .action((options: ResetOptions) => reset(options, terminal));
}

interface ResetOptions {
  target: 'local' | 'compose';
  stateDir?: string;
  json?: true;
}

async function reset(options: ResetOptions, terminal: Terminal): Promise<void> {
  const dir = openStateDir(stateDirPath(options.stateDir));
  const lock = acquireLock(dir.runLock);
  if (!lock.acquired) {
    throw new StackError(
      'ALREADY_RUNNING',
      `process ${lock.holder.pid} is running a load on the stack of ${dir.root}; end it first, with Ctrl-C`,
    );
  }
  try {
    const startedAt = performance.now();
    const { changed } = await (options.target === 'local' ? restoreStack(dir) : restoreContainers(options));
    const seconds = Math.round(performance.now() - startedAt) / 1000;
    const what = changed.length === 0 ? 'budgets; the rest was as in the beginning' : changed.join('; ');
    terminal.result(
      options.json
        ? JSON.stringify({ seconds, changed }, null, 2)
        : `reset in ${seconds.toFixed(1)} s: ${what}`,
    );
  } finally {
    lock.release();
  }
}

async function restoreStack(dir: StateDir): Promise<{ changed: string[] }> {
  const stack = await findStack(dir);
  if (!stack.found) {
    throw new StackError('CONTROL_FAILED', `no stack is running from ${dir.root}; start one with "lab up"`);
  }
  return stack.client.restore({ knobs: initialKnobs(), seed: stack.status.seed });
}

async function restoreContainers(options: ResetOptions): Promise<{ changed: string[] }> {
  const { restoreOnCompose } = await import('./compose.js');
  return restoreOnCompose(options, initialKnobs());
}

/** The system of the first exercise. */
function initialKnobs() {
  const [first] = loadScenarios();
  if (first === undefined) throw new Error('there is no scenario');
  return applyLength(first.knobs, DEFAULT_SECONDS);
}
