import type { Command } from 'commander';
import { findStack, stopStack } from '../stack/find-stack.js';
import { openStateDir, stateDirPath } from '../stack/state-dir.js';
import { jsonOption, stackTargetOption, stateDirOption } from './shared-options.js';
import type { Terminal } from './terminal.js';

interface DownOptions {
  target: 'local' | 'compose';
  stateDir?: string;
  json?: true;
}

export function registerDown(program: Command, terminal: Terminal): void {
  program
    .command('down')
    .description('stop the running stack; no error when there is none')
    .addOption(stackTargetOption())
    .addOption(stateDirOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  lab down\n  lab down --state-dir /tmp/second\n  lab down --target compose',
    )
    .action(async (options: DownOptions) => {
      if (options.target === 'local') return down(options, terminal);
      const { downOnCompose } = await import('./compose.js');
      return downOnCompose(options, terminal);
    });
}

async function down(options: { stateDir?: string; json?: true }, terminal: Terminal): Promise<void> {
  const dir = openStateDir(stateDirPath(options.stateDir));
  const found = await findStack(dir);
  const outcome = found.found
    ? { stopped: true, ...(await stopStack(found)) }
    : { stopped: false, killed: false };
  if (options.json) return terminal.result(JSON.stringify(outcome, null, 2));
  if (!found.found) {
    const gone = found.stale ? '; the last one ended without "lab down"' : '';
    return terminal.result(`no stack is running from ${dir.root}${gone}`);
  }
  terminal.result(outcome.killed ? 'stopped (it did not answer in time and was killed)' : 'stopped');
}
