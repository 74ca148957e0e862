#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { type EmulatorOptionsInput, parseOptions } from './config.js';
import { type RunningEmulator, startAppInsightsEmulator } from './server.js';

interface Flags {
  port: number;
  host: string;
  appName?: string;
  dataDir?: string;
  runsDir?: string;
  retainRows?: number;
  retainMb?: number;
  maxBodyMb?: number;
  maxItemsPerSecond?: number;
  dailyCap?: number;
  queryTimeoutMs?: number;
  warm?: boolean;
  printConfig?: boolean;
}

const MB = 1024 * 1024;

function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('must be a number.');
  return value;
}

function command(): Command {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return new Command('app-insights-emulator')
    .description(
      'A stand-in for Application Insights: ingestion (Breeze and OTLP), tables, KQL over the query API',
    )
    .version(version)
    .option('--port <number>', 'port; 0 takes a free one', number, 4319)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--app-name <name>', 'value of the appName column')
    .option('--data-dir <folder>', 'keep telemetry here over restarts')
    .option('--runs-dir <folder>', 'folder of runs, for recordings and queries of finished runs')
    .option('--retain-rows <number>', 'rows kept per table', number)
    .option('--retain-mb <number>', 'megabytes of rows kept', number)
    .option('--max-body-mb <number>', 'largest request body', number)
    .option('--max-items-per-second <number>', 'above it, requests are answered 429', number)
    .option('--daily-cap <items>', 'items a day; above it, requests are answered 402; 0 is none', number)
    .option('--query-timeout-ms <number>', 'longest run of one query', number)
    .option('--warm', 'load the query engine at the start instead of at the first query')
    .option('--print-config', 'print the complete configuration and exit')
    .allowExcessArguments(false);
}

function optionsOf(flags: Flags): EmulatorOptionsInput {
  const set = <T>(name: string, value: T | undefined) => (value === undefined ? {} : { [name]: value });
  return {
    port: flags.port,
    host: flags.host,
    ...set('appName', flags.appName),
    ...set('dataDirectory', flags.dataDir),
    ...set('runsDirectory', flags.runsDir),
    warmQueries: flags.warm === true,
    retain: { ...set('rows', flags.retainRows), ...set('bytes', scaled(flags.retainMb)) },
    limits: {
      ...set('maxBodyBytes', scaled(flags.maxBodyMb)),
      ...set('maxItemsPerSecond', flags.maxItemsPerSecond),
      ...set('dailyCapItems', flags.dailyCap),
    },
    query: set('timeoutMs', flags.queryTimeoutMs),
  };
}

const scaled = (megabytes: number | undefined) =>
  megabytes === undefined ? undefined : Math.round(megabytes * MB);

/** Ends with the process that started this one, too: its channel closes when it is gone. */
function stopWhenAsked(emulator: RunningEmulator): void {
  const stop = () => {
    void emulator.stop().then(() => {
      process.exitCode = 0;
      if (process.connected) process.disconnect();
    });
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.once('disconnect', stop);
  process.on('message', (message: { type?: unknown } | null) => {
    if (message?.type === 'shutdown') stop();
  });
  // A parent that ended while this process was starting can't be heard any more.
  if (process.send !== undefined && !process.connected) stop();
}

async function main(): Promise<void> {
  const flags = command().parse().opts<Flags>();
  const options = optionsOf(flags);
  if (flags.printConfig === true) {
    process.stdout.write(`${JSON.stringify(parseOptions(options), null, 2)}\n`);
    return;
  }
  const emulator = await startAppInsightsEmulator(options);
  stopWhenAsked(emulator);
  if (process.send === undefined) {
    process.stdout.write(
      `Application Insights stand-in on ${emulator.endpoint}\n` +
        `APPLICATIONINSIGHTS_CONNECTION_STRING="${emulator.connectionString}"\n` +
        `OTEL_EXPORTER_OTLP_ENDPOINT=${emulator.endpoint}\n`,
    );
  }
  for (const { file, line } of emulator.loaded?.tornLines ?? []) {
    process.stderr.write(`${file}:${line} was cut off and is left out\n`);
  }
  if (process.connected) process.send?.({ type: 'listening', port: emulator.port });
}

main().catch((error: unknown) => {
  process.stderr.write(`app-insights-emulator: ${(error as Error).message}\n`);
  process.exitCode = 1;
});
