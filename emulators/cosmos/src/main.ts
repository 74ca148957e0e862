#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { type CommandLine, EXIT_USAGE, parseCommandLine } from './command-line.js';
import { ConfigurationError, type EmulatorSettings } from './config.js';
import { type CosmosEmulator, startCosmosEmulator } from './emulator.js';

const EXIT_FAILURE = 1;

async function main(): Promise<void> {
  const { settings, printConfig } = readCommandLine();
  if (printConfig) {
    const shown = {
      ...settings,
      key: '***',
      ...(settings.controlToken === undefined ? {} : { controlToken: '***' }),
    };
    process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
    return;
  }
  const emulator = await start(settings);
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    emulator.stop().then(
      () => process.exit(0),
      (error: Error) => quit(EXIT_FAILURE, [error.message]),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', stop);
  // A parent process stops its children by message, which works on every system.
  process.on('message', (message: unknown) => {
    if ((message as { type?: unknown } | null)?.type === 'shutdown') stop();
  });
  const { endpoint, port, controlToken } = emulator;
  // A parent that ended while this process was starting can't be heard any more.
  if (process.send !== undefined && !process.connected) stop();
  else if (process.send === undefined) {
    process.stdout.write(`Azure Cosmos DB stand-in at ${endpoint}\nControl token: ${controlToken}\n`);
  } else {
    process.send({ type: 'listening', port, controlToken });
  }
}

function readCommandLine(): CommandLine {
  try {
    return parseCommandLine(process.argv.slice(2), version());
  } catch (error) {
    if (error instanceof ConfigurationError) return quit(EXIT_USAGE, error.problems);
    if (error instanceof InvalidArgumentError) return quit(EXIT_USAGE, [error.message]);
    throw error;
  }
}

async function start(settings: EmulatorSettings): Promise<CosmosEmulator> {
  try {
    return await startCosmosEmulator({ ...settings, onError: (error) => console.error(error) });
  } catch (error) {
    if (error instanceof ConfigurationError) return quit(EXIT_USAGE, error.problems);
    const { code } = error as NodeJS.ErrnoException;
    const { host, port } = settings;
    if (code === 'EADDRINUSE')
      return quit(EXIT_FAILURE, [`Port ${port} on ${host} is in use: choose another with --port.`]);
    if (code === 'EACCES')
      return quit(EXIT_FAILURE, [`Port ${port} may not be used by this user: choose one above 1023.`]);
    if (code === 'EADDRNOTAVAIL')
      return quit(EXIT_FAILURE, [`Address ${host} is not one of this machine: choose another with --host.`]);
    throw error;
  }
}

function quit(exitCode: number, problems: readonly string[]): never {
  for (const problem of problems) process.stderr.write(`cosmos-emulator: ${problem}\n`);
  process.exit(exitCode);
}

function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

await main();
