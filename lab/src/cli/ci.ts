import { existsSync } from 'node:fs';
import path from 'node:path';
import type { EngineName } from '@bottleneck-lab/loadtests';
import { type Command, Option } from 'commander';
import { isUrl } from '../ci/system-under-test.js';
import { findScenarios, type Scenario } from '../scenarios/index.js';
import type { AttachOptions } from '../targets/attach-target.js';
import { requireEngine } from './engine.js';
import { UsageError } from './errors.js';
import { wholeNumber } from './option-values.js';
import {
  cosmosEndpointOption,
  durationOption,
  engineOption,
  jsonOption,
  runsDirOption,
  scriptVariableOption,
  seedOption,
  stateDirOption,
  statsUrlOption,
} from './shared-options.js';
import type { Terminal } from './terminal.js';

export interface CiOptions {
  engine: EngineName;
  target?: string;
  against?: string;
  baseline?: string;
  updateBaseline?: true;
  out: string;
  wait: number;
  rounds: number;
  confidence: number;
  smallestChange: number;
  env: Record<string, string>;
  statsUrl: AttachOptions['statsUrls'];
  duration: number;
  seed: number;
  cosmosEndpoint?: string;
  stateDir?: string;
  runsDir?: string;
  json?: true;
}

/** What is judged: one of the lab's scenarios, or a k6 script of somebody's own. */
export type CiSubject =
  | { kind: 'scenario'; name: string; scenario: Scenario }
  | { kind: 'script'; name: string; script: string };

/** Length of one load with --against, where twice as many loads are made as there are rounds. */
const BLOCK_SECONDS = 10;

export function registerCi(program: Command, terminal: Terminal): void {
  program
    .command('ci')
    .description(
      'run a scenario or your own k6 script as a gate: JUnit, Markdown and JSON, judged against a baseline or another version',
    )
    .argument('<scenario|script>', 'a name, as "lab scenarios" lists them, or the path of a k6 script')
    .option('--target <url|command>', "what is loaded; a scenario without it runs on the lab's own stack")
    .addOption(new Option('--baseline <file>', 'judge against recorded measures').conflicts('against'))
    .option('--update-baseline', 'record the measures in the baseline file instead of judging them')
    .option('--against <url|command>', 'load target and this one in turn, and judge the difference')
    .option('--out <folder>', 'where junit.xml, summary.md and result.json are written', 'ci-results')
    .addOption(number('--wait <seconds>', 'how long target and against may take to answer', 0, 600, 10))
    .addOption(number('--rounds <number>', 'with --against: loads on each side', 4, 100, 8))
    .addOption(number('--confidence <percent>', 'with --against: of all times together', 80, 99, 95))
    .addOption(
      number(
        '--smallest-change <percent>',
        'with --against: a change of a time not worth failing for',
        0,
        100,
        3,
      ),
    )
    .addOption(scriptVariableOption())
    .addOption(engineOption())
    .addOption(durationOption())
    .addOption(seedOption())
    .addOption(statsUrlOption())
    .addOption(cosmosEndpointOption())
    .addOption(jsonOption())
    .addOption(stateDirOption())
    .addOption(runsDirOption())
    .addHelpText(
      'after',
      `
A command is started without a shell; it must listen on the port in the variable PORT, or in its argument {port}.

Examples:
  lab ci checkout.js --target http://127.0.0.1:8080
  lab ci checkout.js --target http://127.0.0.1:8080 --baseline load/baseline.json
  lab ci checkout.js --target "node dist/server.js" --against "node ../main/dist/server.js"
  lab ci partition-key --baseline baselines/partition-key.json --update-baseline`,
    )
    .action(async (subject: string, options: CiOptions, command: Command) => {
      const found = subjectOf(subject);
      const given = (name: string) => command.getOptionValueSource(name) === 'cli';
      refuseContradictions(found, options, given);
      await requireEngine(options.engine);
      const { runGate } = await import('./ci-gate.js');
      const duration = options.against !== undefined && !given('duration') ? BLOCK_SECONDS : options.duration;
      process.exitCode = await runGate(found, { ...options, duration }, terminal);
    });
}

function number(
  ...[flags, description, min, max, fallback]: [string, string, number, number, number]
): Option {
  return new Option(flags, description).argParser(wholeNumber(min, max)).default(fallback);
}

/** A path that exists or looks like a script is one; anything else must be a scenario. */
function subjectOf(text: string): CiSubject {
  const script = path.resolve(text);
  if (existsSync(script) || /[\\/]|\.[cm]?[jt]s$/.test(text)) {
    if (!existsSync(script)) throw new UsageError(`no script at ${script}`);
    return { kind: 'script', name: path.basename(script), script };
  }
  const [scenario] = findScenarios([text]);
  return { kind: 'scenario', name: text, scenario: scenario as Scenario };
}

function refuseContradictions(
  subject: CiSubject,
  options: CiOptions,
  given: (name: string) => boolean,
): void {
  const { target, against, baseline, updateBaseline, statsUrl, cosmosEndpoint, env } = options;
  const refuse = (reason: string) => {
    throw new UsageError(reason);
  };
  if (updateBaseline && baseline === undefined)
    refuse('--update-baseline needs --baseline, the file to record in');
  if (target === undefined && subject.kind === 'script') {
    refuse(`${subject.name} needs --target, the URL of what it loads or a command that starts it`);
  }
  if (target === undefined && against !== undefined) {
    refuse('--against needs --target, the URL or command of the system that is judged');
  }
  if (against === undefined && ['rounds', 'confidence', 'smallestChange'].some(given)) {
    refuse('--rounds, --confidence and --smallest-change belong to --against');
  }
  if (subject.kind === 'script' && (given('duration') || statsUrl.length > 0)) {
    refuse('--duration and --stats-url belong to scenarios; a script says its own length');
  }
  if (subject.kind === 'scenario' && Object.keys(env).length > 0) {
    refuse('--env belongs to scripts; a scenario sets the variables of its load');
  }
  if (statsUrl.length > 0 && (target === undefined || against !== undefined)) {
    refuse('--stats-url belongs to a scenario with --target and without --against');
  }
  if (target !== undefined && (given('stateDir') || cosmosEndpoint !== undefined)) {
    refuse("--cosmos-endpoint and --state-dir belong to the lab's own stack, so not to --target");
  }
  for (const [flag, value] of [
    ['--target', target],
    ['--against', against],
  ] as const) {
    if (value !== undefined && isUrl(value) && !URL.canParse(value)) {
      refuse(`${flag} must be a URL, for example http://127.0.0.1:8080, or a command; '${value}' is neither`);
    }
  }
}
