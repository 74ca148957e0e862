import type { Command } from 'commander';
import { findStack } from '../stack/find-stack.js';
import type { StackStatus } from '../stack/stack-status.js';
import { openStateDir, stateDirPath } from '../stack/state-dir.js';
import { jsonOption, stackTargetOption, stateDirOption } from './shared-options.js';
import { formatTable } from './table.js';
import { describeTelemetry } from './telemetry-flags.js';
import type { Terminal } from './terminal.js';

export function registerStatus(program: Command, terminal: Terminal): void {
  program
    .command('status')
    .description('what is running, and where')
    .addOption(stackTargetOption())
    .addOption(stateDirOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExamples:\n  lab status\n  lab status --json\n  lab status --target compose')
    .action(async (options: StatusOptions) => {
      if (options.target === 'local') return status(options, terminal);
      const { statusOnCompose } = await import('./compose.js');
      return statusOnCompose(options, terminal);
    });
}

interface StatusOptions {
  target: 'local' | 'compose';
  stateDir?: string;
  json?: true;
}

async function status(options: StatusOptions, terminal: Terminal): Promise<void> {
  const dir = openStateDir(stateDirPath(options.stateDir));
  const found = await findStack(dir);
  if (options.json) {
    const report = found.found ? statusReport(found.status) : { state: 'stopped' };
    return terminal.result(JSON.stringify(report, null, 2));
  }
  terminal.result(found.found ? formatStatus(found.status) : `no stack is running from ${dir.root}`);
}

/** The status without the token of the stand-in's control routes. */
export function statusReport({ database, ...status }: StackStatus) {
  const { controlToken: _secret, ...shown } = database;
  return { ...status, database: shown };
}

export function formatStatus(status: StackStatus): string {
  const { database, calibration, failure, load } = status;
  const lines = [
    `stack     ${status.state}, process ${status.pid}, up ${duration(Date.now() - status.startedAtMs)}, seed ${status.seed}`,
    `gateway   ${status.gatewayUrl}`,
    `database  ${database.kind} ${database.endpoint}`,
  ];
  if (status.telemetry !== null) lines.push(`telemetry ${describeTelemetry(status.telemetry)}`);
  if (load !== null) lines.push(`load      ${load.run}, run by process ${load.pid}`);
  if (calibration !== null) {
    const { ceilingRequestsPerSecond, deliveryCpuLimitCores } = calibration;
    lines.push(
      `delivery  saturates at ${ceilingRequestsPerSecond.toFixed(1)} requests/s with ${deliveryCpuLimitCores} cores`,
    );
  }
  lines.push(
    '',
    formatTable(
      ['process', 'pid', 'up', 'url', 'log'],
      status.processes.map((one) => [
        one.instance,
        String(one.pid),
        duration(Date.now() - one.startedAtMs),
        one.url,
        one.log,
      ]),
    ),
  );
  if (failure !== null) {
    lines.push('', `failed: ${failure.process} ${failure.description}; its last lines (${failure.log}):`);
    lines.push(...failure.lastLines.map((line) => `  | ${line}`));
  }
  return lines.join('\n');
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}
