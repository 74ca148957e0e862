import type { Command } from 'commander';
import { stateDirPath } from '../stack/state-dir.js';
import { TelemetryError } from '../telemetry/errors.js';
import { findOperation } from '../telemetry/find-operation.js';
import { findSource } from '../telemetry/find-source.js';
import { readOperation } from '../telemetry/operation.js';
import { waterfall } from '../telemetry/waterfall.js';
import { runOption } from './query.js';
import { runsDirPath } from './runs-dir.js';
import { jsonOption, runsDirOption, stateDirOption } from './shared-options.js';
import type { Terminal } from './terminal.js';

interface TraceOptions {
  run?: string;
  json?: true;
  runsDir?: string;
  stateDir?: string;
}

export function registerTrace(program: Command, terminal: Terminal): void {
  program
    .command('trace')
    .description('one request from the gateway to the partitions and back, as a waterfall')
    .argument('<operation>', '"slowest", "throttled", or the beginning of an operation_Id')
    .addOption(runOption())
    .addOption(jsonOption())
    .addOption(stateDirOption())
    .addOption(runsDirOption())
    .addHelpText(
      'after',
      `
Examples:
  lab trace slowest
  lab trace throttled --run latest
  lab trace 4bf92f35 --json`,
    )
    .action((operation: string, options: TraceOptions) => trace(operation, options, terminal));
}

async function trace(given: string, options: TraceOptions, terminal: Terminal): Promise<void> {
  const { source } = await findSource({
    run: options.run,
    runsDir: runsDirPath(options.runsDir),
    stateDir: stateDirPath(options.stateDir),
  });
  const id = await findOperation(source, given);
  const operation = await readOperation(source, id);
  if (operation === null) throw new TelemetryError('TRACE_UNKNOWN', `nothing of operation ${id} is left`);
  terminal.progress(terminal.paint('dim', source.description));
  const { width, paintResult: paint } = terminal;
  terminal.result(options.json ? JSON.stringify(operation, null, 2) : waterfall(operation, { width, paint }));
}
