import type { Command } from 'commander';
import { loadScenarios } from '../scenarios/index.js';
import type { LocalRunOptions } from './local-run.js';
import {
  checkOption,
  cosmosEndpointOption,
  durationOption,
  engineOption,
  FULL_SECONDS,
  fullOption,
  jsonOption,
  keepOption,
  portOption,
  runsDirOption,
  seedOption,
  stateDirOption,
} from './shared-options.js';
import { addTelemetryOptions } from './telemetry-flags.js';
import type { Terminal } from './terminal.js';

export function registerStart(program: Command, terminal: Terminal): void {
  addTelemetryOptions(program.command('start'))
    .description('start the stack and run the four tests of the article, one after another')
    .addOption(durationOption())
    .addOption(fullOption())
    .addOption(seedOption())
    .addOption(engineOption())
    .addOption(checkOption())
    .addOption(jsonOption())
    .addOption(keepOption())
    .addOption(portOption())
    .addOption(cosmosEndpointOption())
    .addOption(stateDirOption())
    .addOption(runsDirOption())
    .addHelpText(
      'after',
      `
Examples:
  lab start                  four tests of 60 s, about five minutes in all
  lab start --full           the published length, ${FULL_SECONDS} s each
  lab start --check          exit with 1 when a figure is out of its range
  lab start --telemetry      and with what services tell: see "lab query --list" and "lab trace"
  lab start --engine k6      the same load by k6 on PATH`,
    )
    .action(async (options: Omit<LocalRunOptions, 'scenarios'>) => {
      // Loaded only when needed, so that the other commands answer at once.
      const { runOnLocalStack } = await import('./local-run.js');
      const articleTests = loadScenarios().filter((scenario) => scenario.article !== undefined);
      return runOnLocalStack({ ...options, scenarios: articleTests }, terminal);
    });
}
