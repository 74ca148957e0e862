import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { describeError, EXIT_CODES, LoadError } from './engine/errors.js';
import { RunCommand, type RunStreams } from './engine/run-command.js';
import { parseStageFlags } from './engine/scenario-options.js';
import { inspectScript } from './inspect.js';

/** Lets whoever runs the command interrupt it, by signal or by message. */
export type StopHandler = (stop: () => void) => void;

export interface CliContext extends RunStreams {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onStop: StopHandler;
  /** Told how to set the users of the load that is about to run. */
  readonly onControl?: (setVus: (vus: number) => number) => void;
}

interface RunFlags {
  env: Record<string, string>;
  vus?: number;
  duration?: string;
  iterations?: number;
  stage: string[];
  tag: Record<string, string>;
  out?: string;
  outMetrics?: string[];
  summaryExport?: string;
  generatorReport?: string;
  summaryTrendStats?: string[];
  quiet?: true;
  color: boolean;
  summary: boolean;
  thresholds: boolean;
  setup: boolean;
  teardown: boolean;
}

/** Runs the command line and gives its exit code. `argv` is without the program's own name. */
export async function runCli(argv: readonly string[], context: CliContext): Promise<number> {
  let exitCode: number = EXIT_CODES.passed;
  const program = new Command('lab-load')
    .description('Runs k6 load scripts in Node, with the results and exit codes of k6')
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ writeOut: context.stdout, writeErr: context.stderr })
    .showHelpAfterError();
  addRunCommand(program, async (script, flags) => {
    exitCode = await run(script, flags, context);
  });
  program
    .command('inspect')
    .description(
      "show a script's options, its planned length and number of virtual users, without running it",
    )
    .argument('<script>', 'path of the script')
    .option('-e, --env <NAME=VALUE>', 'a variable of the script; may be repeated', collectPair, {})
    .action(async (script: string, flags: { env: Record<string, string> }) => {
      const found = await inspectScript(script, { ...definedOnly(context.env), ...flags.env });
      context.stdout(`${JSON.stringify(found, null, 2)}\n`);
    });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODES.invalidConfiguration;
    context.stderr(`${describeError(error)}\n`);
    return error instanceof LoadError ? error.exitCode : EXIT_CODES.generic;
  }
}

function addRunCommand(program: Command, action: (script: string, flags: RunFlags) => Promise<void>): void {
  program
    .command('run')
    .description('run a load script')
    .argument('<script>', 'path of the script, JavaScript or TypeScript')
    .option('-e, --env <NAME=VALUE>', 'a variable of the script; may be repeated', collectPair, {})
    .option('-u, --vus <number>', 'number of virtual users', wholeNumber)
    .option('-d, --duration <duration>', "length of the load, for example '1m30s'")
    .option('-i, --iterations <number>', 'number of iterations, shared among the virtual users', wholeNumber)
    .option('-s, --stage <duration:vus>', 'ramp to a number of virtual users; may be repeated', collect, [])
    .option('--tag <name=value>', 'a tag of every sample; may be repeated', collectPair, {})
    .option(
      '-o, --out <json=file>',
      'write every sample as a line of JSON; compressed when the name ends in .gz',
    )
    .option('--out-metrics <list>', 'write only the samples of these metrics', (text) => text.split(','))
    .option('--summary-export <file>', 'write the end-of-test summary as JSON')
    .option('--generator-report <file>', 'write how the load generator itself fared as JSON')
    .option('--summary-trend-stats <list>', "statistics of trends, for example 'avg,p(99),count'", (text) =>
      text.split(','),
    )
    .option('-q, --quiet', 'no progress')
    .option('--no-color', 'no colours')
    .option('--no-summary', 'no end-of-test summary, and handleSummary() is not called')
    .option('--no-thresholds', 'do not judge thresholds')
    .option('--no-setup', 'do not call setup()')
    .option('--no-teardown', 'do not call teardown()')
    .action(action);
}

async function run(script: string, flags: RunFlags, context: CliContext): Promise<number> {
  const variables = definedOnly(context.env);
  const stages = flags.stage.length > 0 ? flags.stage : (variables.K6_STAGES?.split(',') ?? []);
  const command = new RunCommand(
    {
      script,
      env: { ...variables, ...flags.env },
      overrides: {
        vus: flags.vus ?? fromVariable('K6_VUS', variables.K6_VUS),
        duration: flags.duration ?? variables.K6_DURATION,
        iterations: flags.iterations ?? fromVariable('K6_ITERATIONS', variables.K6_ITERATIONS),
        stages: stages.length > 0 ? parseStageFlags(stages) : undefined,
        tags: flags.tag,
        summaryTrendStats: flags.summaryTrendStats,
        noThresholds: !flags.thresholds,
      },
      pointsFile: flags.out === undefined ? undefined : readOut(flags.out),
      pointsMetrics: flags.outMetrics,
      summaryExport: flags.summaryExport,
      generatorReport: flags.generatorReport,
      quiet: flags.quiet ?? false,
      noColor: !flags.color || (variables.NO_COLOR ?? '') !== '',
      noSummary: !flags.summary,
      noSetup: !flags.setup,
      noTeardown: !flags.teardown,
    },
    context,
  );
  context.onStop(() => command.stop());
  context.onControl?.((vus) => command.setVus(vus));
  return command.execute();
}

function readOut(text: string): string {
  const match = /^json=(.+)$/.exec(text);
  if (match !== null) return match[1] as string;
  throw new LoadError('LOAD_OPTION_INVALID', `--out '${text}' is not supported; supported is json=FILE`);
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
}

function fromVariable(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new LoadError('LOAD_OPTION_INVALID', `${name} must be a whole number of at least 1, not '${text}'`);
}

function collect(text: string, before: string[]): string[] {
  return [...before, text];
}

function collectPair(text: string, before: Record<string, string>): Record<string, string> {
  const equals = text.indexOf('=');
  if (equals < 1) throw new InvalidArgumentError('It must be NAME=VALUE.');
  return { ...before, [text.slice(0, equals)]: text.slice(equals + 1) };
}

function definedOnly(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function packageVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
