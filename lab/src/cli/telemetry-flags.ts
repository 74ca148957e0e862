import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  SAMPLING_RATIOS,
  TELEMETRY_SDKS,
  type TelemetryOptions,
  type TelemetrySdk,
  type TelemetryStatus,
  telemetryOptions,
} from '../telemetry/settings.js';
import { UsageError } from './errors.js';

/** How telemetry is asked for on the command line. */
export interface TelemetryFlags {
  telemetry?: true;
  sampling?: number;
  telemetrySdk?: TelemetrySdk;
  connectionStringEnv?: string;
}

/** Adds the options to a command that starts a stack. */
export function addTelemetryOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--telemetry',
        'services send telemetry to a local Application Insights stand-in; see "lab query"',
      ),
    )
    .addOption(
      new Option('--sampling <share>', `share of traces kept: ${SAMPLING_RATIOS.join(', ')}`).argParser(
        samplingRatio,
      ),
    )
    .addOption(new Option('--telemetry-sdk <name>', 'what services send with').choices([...TELEMETRY_SDKS]))
    .addOption(
      new Option(
        '--connection-string-env <variable>',
        'send telemetry to the Application Insights resource whose connection string this environment variable holds',
      ),
    );
}

function samplingRatio(text: string): number {
  const ratio = SAMPLING_RATIOS.find((known) => known === Number(text));
  if (ratio === undefined || text.trim() === '') {
    throw new InvalidArgumentError(`It must be one of ${SAMPLING_RATIOS.join(', ')}.`);
  }
  return ratio;
}

/** Null without telemetry. Throws for flags that have no meaning together. */
export function telemetryFromFlags(flags: TelemetryFlags, runsDir: string): TelemetryOptions | null {
  const { telemetry, sampling, telemetrySdk, connectionStringEnv } = flags;
  if (telemetry !== true && connectionStringEnv === undefined) {
    if (sampling === undefined && telemetrySdk === undefined) return null;
    throw new UsageError('--sampling and --telemetry-sdk belong to --telemetry');
  }
  if (connectionStringEnv !== undefined && telemetrySdk === 'otlp') {
    throw new UsageError('a connection string is for --telemetry-sdk applicationinsights');
  }
  return telemetryOptions.parse({
    sdk: telemetrySdk,
    samplingRatio: sampling,
    connectionStringEnv,
    runsDir,
  });
}

/** How a running stack's telemetry differs from what is asked for; null when it does not. */
export function telemetryConflict(running: TelemetryStatus | null, wanted: TelemetryOptions | null) {
  // Nothing asked for: what runs is what its user wanted when it was started.
  if (wanted === null) return null;
  if (running === null) return 'without telemetry';
  const receiver = wanted.connectionStringEnv === null ? 'stand-in' : 'azure';
  const same =
    running.receiver === receiver &&
    running.sdk === wanted.sdk &&
    running.samplingRatio === wanted.samplingRatio;
  return same ? null : `with telemetry: ${describeTelemetry(running)}`;
}

/** `applicationinsights to the stand-in at http://127.0.0.1:4319, all traces`. */
export function describeTelemetry({ receiver, sdk, samplingRatio, endpoint }: TelemetryStatus): string {
  const where = receiver === 'azure' ? 'a resource in Azure' : `the stand-in at ${endpoint}`;
  return `${sdk} to ${where}, ${samplingRatio === 1 ? 'all traces' : `${100 * samplingRatio} % of traces`}`;
}
