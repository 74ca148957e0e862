import { InvalidArgumentError, Option } from 'commander';
import { engineName, httpUrl, scriptVariable, statsUrl, wholeNumber } from './option-values.js';

/** Options that several commands take, each declared once. */
export const SHORTEST_SECONDS = 5;
export const LONGEST_SECONDS = 3_600;
export const DEFAULT_SECONDS = 60;
export const FULL_SECONDS = 480;

export const stateDirOption = () =>
  new Option(
    '--state-dir <folder>',
    'where the running stack is recorded; another folder is another stack',
  ).env('LAB_STATE_DIR');

export const jsonOption = () => new Option('--json', 'print the result as JSON on stdout');

export const seedOption = () =>
  new Option('--seed <number>', 'determines data and latencies')
    .argParser(wholeNumber(0, 4_294_967_295))
    .default(1);

export const durationOption = () =>
  new Option('--duration <seconds>', 'length of each load')
    .argParser(wholeNumber(SHORTEST_SECONDS, LONGEST_SECONDS))
    .default(DEFAULT_SECONDS);

export const fullOption = () =>
  new Option('--full', `the published length: ${FULL_SECONDS} s for each load`).conflicts('duration');

export const engineOption = () =>
  new Option(
    '--engine <name>',
    'what generates the load: builtin, k6 (on PATH), docker (k6 in a container) or docker=IMAGE',
  )
    .argParser(engineName)
    .default('builtin');

export const checkOption = () =>
  new Option('--check', 'exit with 1 and name each expected range that was missed');

export const runsDirOption = () =>
  new Option('--runs-dir <folder>', 'where runs are written (default: "runs" in the checkout)');

export const portOption = () =>
  new Option('--port <number>', "the gateway's port; 0 takes a free one")
    .argParser(wholeNumber(0, 65_535))
    .default(0);

export const cosmosEndpointOption = () =>
  new Option(
    '--cosmos-endpoint <url>',
    'a Cosmos DB account instead of the stand-in; its key comes from COSMOS_KEY',
  ).argParser(httpUrl);

export const keepOption = () => new Option('--keep', 'leave the stack running afterwards');

export const scriptVariableOption = () =>
  new Option('-e, --env <name=value>', 'a variable of the script (__ENV); may be repeated')
    .argParser(scriptVariable)
    .default({}, 'none');

export const statsUrlOption = () =>
  new Option('--stats-url <service=url>', "a service's internal URL; may be repeated")
    .argParser(statsUrl)
    .default([], 'none: only the load is measured');

/** Where commands about what runs act; `run` knows one more. */
export const stackTargetOption = () =>
  new Option('--target <kind>', 'local: processes of this machine; compose: its containers')
    .choices(['local', 'compose'])
    .default('local');

/** Of commands that need the process which runs the stack: every other target is refused with the reason. */
export const localTargetOption = () => new Option('--target <kind>').hideHelp().argParser(localOnly);

function localOnly(kind: string): string {
  if (kind === 'local') return kind;
  throw new InvalidArgumentError(
    'This command asks the process of the lab that runs a stack on this machine, and elsewhere there is none. ' +
      'Leave --target out; containers have "lab run", "lab knob", "lab status" and "lab reset".',
  );
}
