import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { replaceFile } from '../results/new-folder.js';
import { loadScenarios } from '../scenarios/index.js';
import { workshopDocuments } from '../workshop/documents.js';
import { exercisesOf } from '../workshop/index.js';
import { jsonOption } from './shared-options.js';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';

export function registerWorkshop(program: Command, terminal: Terminal): void {
  program
    .command('workshop')
    .description('the exercises; or their handouts, answers and a guide for trainers as pages')
    .option('--write <folder>', 'write the pages there')
    .addOption(jsonOption())
    .addHelpText('after', '\nExamples:\n  lab workshop\n  lab workshop --write docs/workshop')
    .action((options: { write?: string; json?: true }) => workshop(options, terminal));
}

async function workshop({ write, json }: { write?: string; json?: true }, terminal: Terminal): Promise<void> {
  const scenarios = loadScenarios();
  if (write !== undefined) {
    const documents = Object.entries(workshopDocuments(scenarios));
    mkdirSync(write, { recursive: true });
    for (const [name, text] of documents) await replaceFile(path.join(write, name), text);
    const files = documents.map(([name]) => path.join(write, name));
    return terminal.result(json ? JSON.stringify(files, null, 2) : files.join('\n'));
  }
  const exercises = exercisesOf(scenarios).map(({ scenario, exercise }) => ({
    number: exercise.number,
    scenario: scenario.name,
    minutes: exercise.minutes,
    title: scenario.title,
  }));
  terminal.result(
    json
      ? JSON.stringify(exercises, null, 2)
      : formatTable(
          ['', 'scenario', 'minutes', 'title'],
          exercises.map(({ number, scenario, minutes, title }) => [
            String(number),
            scenario,
            String(minutes),
            title,
          ]),
        ),
  );
}
