import { type Command, InvalidArgumentError, Option } from 'commander';
import { stateDirPath } from '../stack/state-dir.js';
import { answerChart } from '../telemetry/answer-chart.js';
import { answerCsv, answerTable } from '../telemetry/answer-formats.js';
import { findSource } from '../telemetry/find-source.js';
import { queriesPage } from '../telemetry/queries-page.js';
import { hasLet, setParameters } from '../telemetry/query-file.js';
import { type GivenQuery, loadQueries, resolveQuery } from '../telemetry/query-library.js';
import type { QueryAnswer } from '../telemetry/telemetry-source.js';
import { UsageError } from './errors.js';
import { runsDirPath } from './runs-dir.js';
import { jsonOption, runsDirOption, stateDirOption } from './shared-options.js';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';

interface QueryOptions {
  run?: string;
  set: Record<string, string>;
  list?: true;
  markdown?: true;
  chart?: true;
  csv?: true;
  json?: true;
  runsDir?: string;
  stateDir?: string;
}

export const runOption = () =>
  new Option(
    '--run <id>',
    'telemetry of this run: "latest", a unique beginning of its name, or a path (default: the running stack, else the newest run with telemetry)',
  );

export function registerQuery(program: Command, terminal: Terminal): void {
  program
    .command('query')
    .description('ask the telemetry of a run or of the running stack, in the Kusto query language')
    .argument('[query]', 'a name of the library, a .kql file, or the text of a query')
    .addOption(runOption())
    .addOption(new Option('--list', 'the queries of the library, with the question each answers'))
    .addOption(new Option('--markdown', 'with --list: as the reference page').hideHelp())
    .addOption(
      new Option('--set <name=value>', 'another value in a "let" statement; may be repeated')
        .argParser(nameAndValue)
        .default({}, 'the values of the run'),
    )
    .addOption(new Option('--chart', 'draw the result').conflicts(['csv', 'json']))
    .addOption(new Option('--csv', 'print the result as CSV').conflicts('json'))
    .addOption(jsonOption())
    .addOption(stateDirOption())
    .addOption(runsDirOption())
    .addHelpText(
      'after',
      `
Examples:
  lab query --list
  lab query cosmos-calls-per-operation --run latest
  lab query cosmos-results-over-time --chart
  lab query partition-throughput --set provisionedRuPerSecond=2500
  lab query "requests | summarize count(), percentile(duration, 95) by name" --json
  lab query my-own.kql --run 20261130T1015 --csv`,
    )
    .action((given: string | undefined, options: QueryOptions) => query(given, options, terminal));
}

function nameAndValue(text: string, previous: Record<string, string>): Record<string, string> {
  const [, name, value] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('It must be name=value, for example provisionedRuPerSecond=2500.');
  }
  return { ...previous, [name]: value };
}

async function query(given: string | undefined, options: QueryOptions, terminal: Terminal): Promise<void> {
  if (options.list) return terminal.result(listOf(options));
  if (given === undefined || given.trim() === '') {
    throw new UsageError('a query is missing: a name ("lab query --list"), a .kql file, or its text');
  }
  const resolved = resolveQuery(given);
  const { source, knobs } = await findSource({
    run: options.run,
    runsDir: runsDirPath(options.runsDir),
    stateDir: stateDirPath(options.stateDir),
  });
  const values = { ...parametersFrom(resolved, knobs), ...options.set };
  const text = setParameters(resolved.text, values);
  terminal.progress(terminal.paint('dim', [source.description, ...describeValues(values)].join(', ')));
  terminal.result(formatted(await source.query(text), options, terminal));
}

/** Values of a run or stack for the parameters that stand for them. */
function parametersFrom({ parameters, text }: GivenQuery, knobs: Readonly<Record<string, unknown>>) {
  const known = parameters.filter(({ name, knob }) => typeof knobs[knob] === 'number' && hasLet(text, name));
  return Object.fromEntries(known.map(({ name, knob }) => [name, String(knobs[knob])]));
}

const describeValues = (values: Record<string, string>) =>
  Object.entries(values).map(([name, value]) => `${name} = ${value}`);

function formatted(answer: QueryAnswer, options: QueryOptions, terminal: Terminal): string {
  const { columns, rows, visualization } = answer;
  if (options.json) return JSON.stringify({ columns, rows, visualization: visualization ?? null }, null, 2);
  if (options.csv) return answerCsv(answer);
  return options.chart ? answerChart(answer, terminal.width) : answerTable(answer);
}

function listOf({ json, markdown }: QueryOptions): string {
  const queries = loadQueries();
  if (markdown) return queriesPage(queries);
  if (json) return JSON.stringify(queries, null, 2);
  return formatTable(
    ['name', 'question'],
    queries.map(({ name, question }) => [name, question]),
  );
}
