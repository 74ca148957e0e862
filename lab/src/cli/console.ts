import { networkInterfaces } from 'node:os';
import { type Command, Option } from 'commander';
import type { ConsoleServer } from '../console/server.js';
import { StackError } from '../stack/errors.js';
import { findStack } from '../stack/find-stack.js';
import { type LaunchedStack, launchStack } from '../stack/launch-stack.js';
import { stackOptions } from '../stack/stack-options.js';
import { openStateDir, stateDirPath } from '../stack/state-dir.js';
import { EXIT_CODES } from './exit-codes.js';
import { watchInterruptions } from './interruption.js';
import { wholeNumber } from './option-values.js';
import { phasePrinter } from './phase-printer.js';
import { openRunsDir } from './runs-dir.js';
import {
  cosmosEndpointOption,
  jsonOption,
  localTargetOption,
  runsDirOption,
  seedOption,
  stateDirOption,
} from './shared-options.js';
import {
  addTelemetryOptions,
  type TelemetryFlags,
  telemetryConflict,
  telemetryFromFlags,
} from './telemetry-flags.js';
import type { Terminal } from './terminal.js';

interface ConsoleCommandOptions extends Omit<TelemetryFlags, 'telemetry'> {
  telemetry?: boolean;
  host?: string;
  port: number;
  roomPort: number;
  seed: number;
  cosmosEndpoint?: string;
  runsDir?: string;
  stateDir?: string;
  json?: true;
}

const port = wholeNumber(0, 65_535);

export function registerConsole(program: Command, terminal: Terminal): void {
  addTelemetryOptions(program.command('console'))
    .description('follow runs, turn knobs and ask telemetry in a browser; ends with Ctrl-C')
    .addOption(new Option('--no-telemetry', 'start the stack without telemetry: no transactions, no queries'))
    .addOption(
      new Option('--port <number>', "the console's port; 0 takes a free one").argParser(port).default(4280),
    )
    .addOption(
      new Option('--host <address>', 'also open a read-only view for a room at this address of the machine'),
    )
    .addOption(
      new Option('--room-port <number>', "the room's port; 0 takes a free one").argParser(port).default(0),
    )
    .addOption(localTargetOption())
    .addOption(seedOption())
    .addOption(cosmosEndpointOption())
    .addOption(stateDirOption())
    .addOption(runsDirOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  lab console                    at http://127.0.0.1:4280, on the running stack or on one of its own
  lab console --host 0.0.0.0     and a read-only view for everybody in the room, with a token
  lab console --no-telemetry     as cheap as a run without it`,
    )
    .action((options: ConsoleCommandOptions) => openConsole(options, terminal));
}

async function openConsole(options: ConsoleCommandOptions, terminal: Terminal): Promise<void> {
  const runsDir = openRunsDir(options.runsDir);
  const stateDir = stateDirPath(options.stateDir);
  let own: LaunchedStack | null = null;
  const interruption = watchInterruptions(() => {
    own?.kill();
    process.exit(EXIT_CODES.INTERRUPTED.code);
  });
  const pages = import('./console-pages.js');
  own = await findOrLaunch({ options, stateDir, runsDir, terminal, signal: interruption.signal });
  try {
    const { openPages } = await pages;
    const opened = await openPages({ options, stateDir, runsDir, terminal });
    const urls = urlsOf(options, opened);
    terminal.result(options.json ? JSON.stringify(urls) : describeUrls(urls));
    terminal.progress('Ctrl-C ends the console');
    await new Promise<void>((resolve) => {
      interruption.signal.addEventListener('abort', () => resolve(), { once: true });
      if (interruption.signal.aborted) resolve();
    });
    await opened.close();
  } finally {
    await own?.stop();
    interruption.stop();
  }
}

/** The stack that runs, which is left running; else one that lives as long as the console. */
async function findOrLaunch(context: {
  options: ConsoleCommandOptions;
  stateDir: string;
  runsDir: string;
  terminal: Terminal;
  signal: AbortSignal;
}): Promise<LaunchedStack | null> {
  const { options, stateDir, runsDir, terminal, signal } = context;
  const { telemetry: wanted, ...flags } = options;
  const telemetry = wanted === false ? null : telemetryFromFlags({ ...flags, telemetry: true }, runsDir);
  const found = await findStack(openStateDir(stateDir));
  if (found.found) {
    const conflict = wanted === undefined ? null : telemetryConflict(found.status.telemetry, telemetry);
    if (conflict !== null) {
      throw new StackError('ALREADY_RUNNING', `a stack is running ${conflict}; stop it with "lab down"`);
    }
    terminal.progress(`using the running stack, gateway ${found.status.gatewayUrl}`);
    return null;
  }
  return launchStack(
    stackOptions.parse({
      stateDir,
      seed: options.seed,
      verifyCalibration: false,
      cosmosEndpoint: options.cosmosEndpoint ?? null,
      telemetry,
    }),
    { onPhase: phasePrinter(terminal), signal },
  );
}

interface ConsoleUrls {
  console: string;
  /** Empty without --host. */
  room: string[];
}

function urlsOf(
  { host }: ConsoleCommandOptions,
  { owner, room, token }: { owner: ConsoleServer; room: ConsoleServer | null; token: string },
): ConsoleUrls {
  const hosts = room === null || host === undefined ? [] : namesOf(host);
  return {
    console: `http://127.0.0.1:${owner.port}/`,
    room: hosts.map((name) => `http://${name}:${room?.port}/?token=${token}`),
  };
}

/** An address that stands for all of the machine's, as these. */
function namesOf(host: string): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [host.includes(':') ? `[${host}]` : host];
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
  return addresses.length === 0 ? ['127.0.0.1'] : addresses;
}

const describeUrls = ({ console, room }: ConsoleUrls) =>
  [`console   ${console}`, ...room.map((url) => `room      ${url}   read-only`)].join('\n');
