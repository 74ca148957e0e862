import type { Command } from 'commander';
import { StackError } from '../stack/errors.js';
import { findStack } from '../stack/find-stack.js';
import { launchStack } from '../stack/launch-stack.js';
import { stackOptions } from '../stack/stack-options.js';
import { openStateDir, stateDirPath } from '../stack/state-dir.js';
import { refuseForCompose } from './compose-flags.js';
import { UsageError } from './errors.js';
import { watchInterruptions } from './interruption.js';
import { phasePrinter } from './phase-printer.js';
import { runsDirPath } from './runs-dir.js';
import {
  cosmosEndpointOption,
  jsonOption,
  portOption,
  runsDirOption,
  seedOption,
  stackTargetOption,
  stateDirOption,
} from './shared-options.js';
import { statusReport } from './status.js';
import { addTelemetryOptions, type TelemetryFlags, telemetryFromFlags } from './telemetry-flags.js';
import type { Terminal } from './terminal.js';

interface UpOptions extends TelemetryFlags {
  runsDir?: string;
  stateDir?: string;
  seed: number;
  port: number;
  cosmosEndpoint?: string;
  detach: boolean;
  target: 'local' | 'compose';
  json?: true;
}

export function registerUp(program: Command, terminal: Terminal): void {
  addTelemetryOptions(program.command('up'))
    .description('start the stack and leave it running')
    .addOption(stackTargetOption())
    .addOption(seedOption())
    .addOption(portOption())
    .addOption(cosmosEndpointOption())
    .addOption(stateDirOption())
    .addOption(runsDirOption())
    .addOption(jsonOption())
    .option('--no-detach', 'stay in the foreground and stop the stack on Ctrl-C')
    .addHelpText(
      'after',
      `
Examples:
  lab up                                       on free loopback ports, seed 1
  lab up --port 8080 --seed 7
  lab up --telemetry                           and ask it with "lab query" and "lab trace"
  COSMOS_KEY=... lab up --cosmos-endpoint https://example.documents.azure.com
  lab up --state-dir /tmp/second               a second stack beside the first
  lab up --target compose --port 8080          the same in containers, with a calibrated CPU limit`,
    )
    .action(async (options: UpOptions) => {
      if (options.target === 'local') return up(options, terminal);
      refuseForCompose(options);
      if (!options.detach) {
        throw new UsageError('--no-detach belongs to --target local: containers stay by themselves');
      }
      const { upOnCompose } = await import('./compose.js');
      return upOnCompose(options, terminal);
    });
}

async function up(options: UpOptions, terminal: Terminal): Promise<void> {
  const telemetry = telemetryFromFlags(options, runsDirPath(options.runsDir));
  const dir = openStateDir(stateDirPath(options.stateDir));
  const existing = await findStack(dir);
  if (existing.found) {
    throw new StackError(
      'ALREADY_RUNNING',
      `a stack is already running from ${dir.root} (gateway ${existing.status.gatewayUrl}, process ${existing.file.pid}); ` +
        'stop it with "lab down", or use another directory with --state-dir',
    );
  }
  const interruption = watchInterruptions(() => process.exit(130));
  const stack = await launchStack(
    stackOptions.parse({
      stateDir: dir.root,
      seed: options.seed,
      gatewayPort: options.port,
      cosmosEndpoint: options.cosmosEndpoint ?? null,
      telemetry,
    }),
    { onPhase: phasePrinter(terminal), signal: interruption.signal },
  );
  const status = await stack.client.status();
  terminal.result(
    options.json ? JSON.stringify(statusReport(status), null, 2) : `gateway ${status.gatewayUrl}`,
  );
  if (options.detach) {
    await stack.detach();
    interruption.stop();
    return;
  }
  terminal.progress('Ctrl-C stops the stack');
  try {
    const failure = await stack.client.failure(interruption.signal).catch(() => null);
    if (failure !== null) {
      throw new StackError('PROCESS_DIED', `${failure.process} ${failure.description}`, {
        lastLines: failure.lastLines,
      });
    }
    interruption.signal.throwIfAborted();
  } finally {
    await stack.stop();
  }
}
