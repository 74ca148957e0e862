import type { Command } from 'commander';
import { formatComparison } from '../report/index.js';
import { compareRuns, findRun, readResult } from '../results/index.js';
import { runsDirPath } from './runs-dir.js';
import { jsonOption, runsDirOption } from './shared-options.js';
import type { Terminal } from './terminal.js';

export function registerCompare(program: Command, terminal: Terminal): void {
  program
    .command('compare')
    .description('two runs: what is better, worse, or within noise')
    .argument('<first>', 'a run: "latest", a unique beginning of its name, or a path')
    .argument('<second>', 'the run to judge against it')
    .addOption(runsDirOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  lab compare 20261130T1015 latest\n  lab compare runs/a runs/b --json',
    )
    .action((first: string, second: string, options: { runsDir?: string; json?: true }) => {
      const runsDir = runsDirPath(options.runsDir);
      const read = (reference: string) => readResult(findRun(runsDir, reference));
      const comparison = compareRuns(read(first), read(second));
      terminal.result(
        options.json
          ? JSON.stringify(comparison, null, 2)
          : formatComparison(comparison, { color: terminal.color, width: terminal.width }),
      );
    });
}
