import { statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { findReported } from '../results/index.js';
import { runsDirPath } from './runs-dir.js';
import { jsonOption, runsDirOption } from './shared-options.js';
import type { Terminal } from './terminal.js';

export function registerReport(program: Command, terminal: Terminal): void {
  program
    .command('report')
    .description('write report.html of a run or a progression again, from the files in its folder')
    .argument('<run>', 'a run or a progression: "latest", a unique beginning of its name, or a path')
    .addOption(runsDirOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  lab report latest\n  lab report 20261130T101500Z-progression --json',
    )
    .action(async (reference: string, options: { runsDir?: string; json?: true }) => {
      const folder = findReported(runsDirPath(options.runsDir), reference);
      const { rewriteReport } = await import('../report/rewrite-report.js');
      const file = await rewriteReport(folder);
      terminal.result(
        options.json
          ? JSON.stringify({ id: path.basename(folder), report: file, bytes: statSync(file).size }, null, 2)
          : file,
      );
    });
}
