import type { Command } from 'commander';
import type { CheckLevel } from '../doctor/check.js';
import { type DoctorReport, examine } from '../doctor/doctor.js';
import { stateDirPath } from '../stack/state-dir.js';
import { EXIT_CODES } from './exit-codes.js';
import { runsDirPath } from './runs-dir.js';
import { jsonOption, runsDirOption, stateDirOption } from './shared-options.js';
import type { PaintStyle, Terminal } from './terminal.js';

const STYLES: Record<CheckLevel, PaintStyle> = { ok: 'green', info: 'dim', warn: 'yellow', fail: 'red' };

export function registerDoctor(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description('is this machine fit for the lab, and if not, what to do')
    .addOption(stateDirOption())
    .addOption(runsDirOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExamples:\n  lab doctor\n  lab doctor --json')
    .action(async (options: { stateDir?: string; runsDir?: string; json?: true }) => {
      const report = await examine({
        stateDir: stateDirPath(options.stateDir),
        runsDir: runsDirPath(options.runsDir),
      });
      terminal.result(options.json ? JSON.stringify(report, null, 2) : formatReport(report, terminal));
      if (report.level === 'fail') process.exitCode = EXIT_CODES.UNHEALTHY.code;
    });
}

function formatReport(report: DoctorReport, terminal: Terminal): string {
  const lines = report.checks.flatMap(({ name, level, found, remedy }) => [
    `${terminal.paintResult(STYLES[level], level.padEnd(5))} ${name.padEnd(17)} ${found}`,
    ...(remedy === '' ? [] : [`${' '.repeat(24)}-> ${remedy}`]),
  ]);
  const verdict: Record<CheckLevel, string> = {
    ok: 'This machine is fit for the lab.',
    info: 'This machine is fit for the lab.',
    warn: 'The lab works here; its figures may be doubtful.',
    fail: 'The lab does not work here until the failed checks are mended.',
  };
  return [...lines, '', verdict[report.level]].join('\n');
}
