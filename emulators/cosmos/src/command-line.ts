import { Command, InvalidArgumentError, Option } from 'commander';
import { type EmulatorSettings, parseOptions } from './config.js';
import { WELL_KNOWN_KEY } from './http/authorization.js';

export const EXIT_USAGE = 2;

export interface CommandLine {
  settings: EmulatorSettings;
  /** Show the settings instead of starting. */
  printConfig: boolean;
}

/** Reads flags and environment; flags win. Throws `ConfigurationError`; commander itself exits for unknown flags and `--help`. */
export function parseCommandLine(argv: readonly string[], version: string): CommandLine {
  // Wrong flags and wrong values share one exit code.
  const program = buildProgram(version).exitOverride(({ exitCode }) =>
    process.exit(exitCode === 0 ? 0 : EXIT_USAGE),
  );
  program.parse(argv, { from: 'user' });
  const { printConfig, latencyQuery, latencyRead, latencyWrite, latencyMetadata, ...options } =
    program.opts();
  const latency = {
    query: latencyQuery,
    pointRead: latencyRead,
    write: latencyWrite,
    metadata: latencyMetadata,
  };
  return { settings: parseOptions({ ...options, latency }, flagOf), printConfig: printConfig === true };
}

function buildProgram(version: string): Command {
  return new Command('cosmos-emulator')
    .description(
      'A stand-in for Azure Cosmos DB: wire protocol, physical partitions, request units, HTTP 429.\n' +
        'Every option can also be given by the environment variable named beside it.',
    )
    .version(version)
    .option('--print-config', 'show the settings, without secrets, and exit')
    .addOption(
      number('--port <number>', 'port to listen on; 0 takes a free one', 'COSMOS_EMULATOR_PORT').default(
        8081,
      ),
    )
    .addOption(env('--host <address>', 'address to listen on', 'COSMOS_EMULATOR_HOST').default('127.0.0.1'))
    .addOption(
      env('--key <base64>', 'account key', 'COSMOS_EMULATOR_KEY').default(
        WELL_KNOWN_KEY,
        'the public emulator key',
      ),
    )
    .addOption(
      env('--control-token <text>', 'token for /_emulator/*', 'COSMOS_EMULATOR_CONTROL_TOKEN').default(
        undefined,
        'a random one, printed',
      ),
    )
    .addOption(
      env(
        '--snapshot <file>',
        'load this file at the start, if it exists, and save it at the end',
        'COSMOS_EMULATOR_SNAPSHOT',
      ),
    )
    .addOption(
      flag(
        '--control-any-host',
        'let other machines use /_emulator/*, with the token',
        'COSMOS_EMULATOR_CONTROL_ANY_HOST',
      ),
    )
    .addOption(
      number('--seed <integer>', 'determines every modelled latency', 'COSMOS_EMULATOR_SEED').default(1),
    )
    .addOption(flag('--no-throttling', 'never answer 429', 'COSMOS_EMULATOR_NO_THROTTLING'))
    .addOption(
      number(
        '--burst-seconds <number>',
        "seconds' worth of unused RU a partition may save (Azure: 300, if enabled)",
        'COSMOS_EMULATOR_BURST_SECONDS',
      ).default(0),
    )
    .addOption(
      number(
        '--query-base-ru <number>',
        'RU for visiting one partition with a query',
        'COSMOS_EMULATOR_QUERY_BASE_RU',
      ).default(2.5),
    )
    .addOption(
      number(
        '--physical-partitions <count>',
        'of new containers',
        'COSMOS_EMULATOR_PHYSICAL_PARTITIONS',
      ).default(undefined, 'from their RU/s'),
    )
    .addOption(latency('--latency-query <mean[:cv]>', 'queries', 'COSMOS_EMULATOR_LATENCY_QUERY'))
    .addOption(latency('--latency-read <mean[:cv]>', 'point reads', 'COSMOS_EMULATOR_LATENCY_READ'))
    .addOption(latency('--latency-write <mean[:cv]>', 'writes', 'COSMOS_EMULATOR_LATENCY_WRITE'))
    .addOption(
      latency(
        '--latency-metadata <mean[:cv]>',
        'query plans and key ranges',
        'COSMOS_EMULATOR_LATENCY_METADATA',
      ),
    );
}

function env(flags: string, description: string, variable: string): Option {
  return new Option(flags, description).env(variable);
}

function number(flags: string, description: string, variable: string): Option {
  return env(flags, description, variable).argParser(parseNumber);
}

function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) throw new InvalidArgumentError('It has to be a number.');
  return value;
}

/** In the environment a switch is `true` or `false`; anything else is refused rather than taken for true. */
function flag(flags: string, description: string, variable: string): Option {
  const given = process.env[variable];
  if (given !== undefined && given !== 'true' && given !== 'false') {
    throw new InvalidArgumentError(`${variable} has to be true or false, not ${JSON.stringify(given)}.`);
  }
  const option = new Option(flags, `${description} (env: ${variable}=true)`);
  return given === 'true' ? option.default(!option.negate) : option;
}

function latency(flags: string, of: string, variable: string): Option {
  const description = `log-normal latency of ${of}: mean in ms and coefficient of variation`;
  return env(flags, description, variable).argParser((text: string) => {
    const [mean = '', variation = '0', ...rest] = text.split(':');
    if (rest.length > 0) throw new InvalidArgumentError('It has to look like 65 or 65:1.3.');
    return { meanMs: parseNumber(mean), coefficientOfVariation: parseNumber(variation) };
  });
}

/** `queryBaseRu` is `--query-base-ru`. */
function flagOf(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
