import type { Command } from 'commander';
import { loadScenarios, type Scenario } from '../scenarios/index.js';
import { jsonOption } from './shared-options.js';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';

export function registerScenarios(program: Command, terminal: Terminal): void {
  program
    .command('scenarios')
    .description('what can be run, in the order of a progression')
    .addOption(jsonOption())
    .addHelpText('after', '\nExamples:\n  lab scenarios\n  lab scenarios --json')
    .action((options: { json?: true }) => {
      const scenarios = loadScenarios();
      terminal.result(options.json ? JSON.stringify(scenarios, null, 2) : formatScenarios(scenarios));
    });
}

/** Titles and knobs only: the question is for the workshop, and the answer is not for a list. */
function formatScenarios(scenarios: readonly Scenario[]): string {
  const header = ['name', 'RU/s', 'partitions', 'fan-out', 'partition key', 'load', 'title'];
  const rows = scenarios.map(({ name, title, knobs, load }) => [
    name,
    String(knobs.ruPerSecond),
    String(knobs.physicalPartitions),
    knobs.queryFanout,
    knobs.partitionKey,
    load.profile,
    title,
  ]);
  return formatTable(header, rows);
}
