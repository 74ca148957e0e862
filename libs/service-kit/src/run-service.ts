import type { FromServiceMessage, ServiceName, ToServiceMessage } from '@bottleneck-lab/contracts';
import { announceStopping } from './announce-stopping.js';
import { parseCommandLine, UsageError } from './config/command-line.js';
import { ConfigError, type ConfigRule, loadConfig, printableConfig } from './config/load-config.js';
import type { ConfigOf, Settings } from './config/setting.js';
import { EXIT_CODES } from './exit-codes.js';
import { PortError } from './http/listen.js';
import {
  type CreateServiceApp,
  type RunningService,
  type SERVICE_SETTINGS,
  type ServiceConfig,
  startService,
} from './service.js';

export interface ServiceDefinition<S extends Settings> {
  name: ServiceName;
  settings: S;
  rules?: readonly ConfigRule<S>[];
  createApp: CreateServiceApp<ConfigOf<S>>;
}

/** The whole of a service's `main.ts`: command line, configuration, start, and an orderly end. */
export async function runService<S extends typeof SERVICE_SETTINGS & Settings>(
  definition: ServiceDefinition<S>,
): Promise<void> {
  const { name, settings, rules = [] } = definition;
  try {
    const flags = parseCommandLine(process.argv.slice(2));
    if (flags.help) return print(helpText(name, settings));
    const config = loadConfig(settings, { rules });
    if (flags.printConfig) return print(JSON.stringify(printableConfig(settings, config), null, 2));
    const service = await startService({
      ...{ name, createApp: definition.createApp as CreateServiceApp<ServiceConfig> },
      config: config as unknown as ServiceConfig,
    });
    await stopWhenAsked(service);
  } catch (error) {
    process.exitCode = reportStartFailure(name, error);
    // A supervisor's channel would keep a process alive that never started. Closing it would not do: a worker of
    // node:cluster whose channel closes ends with code 0, whatever its exit code was to be.
    process.channel?.unref();
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function helpText(name: string, settings: Settings): string {
  const lines = Object.values(settings).map((s) => `  ${s.variable.padEnd(30)} ${s.allowed}`);
  const codes = Object.values(EXIT_CODES).map((row) => `  ${String(row.code).padEnd(4)} ${row.meaning}`);
  return [
    `${name}: configured by environment variables`,
    ...lines,
    'Flags: --print-config, --help',
    'Exit codes:',
    ...codes,
  ].join('\n');
}

function reportStartFailure(name: string, error: unknown): number {
  if (error instanceof UsageError) return complain(`${name}: ${error.message}`, EXIT_CODES.usage.code);
  if (error instanceof PortError)
    return complain(`${name}: ${error.message}`, EXIT_CODES.portUnavailable.code);
  if (error instanceof ConfigError) {
    return complain(
      `${name}: the environment is not right\n${indent(error.message)}`,
      EXIT_CODES.config.code,
    );
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return complain(`${name}: failed to start\n${indent(text)}`, EXIT_CODES.crashed.code);
}

function complain(text: string, exitCode: number): number {
  process.stderr.write(`${text}\n`);
  return exitCode;
}

const indent = (text: string) => text.replaceAll(/^/gm, '  ');

/** Tells the supervisor where the service listens, then waits for a signal or message to stop it, and exits. */
async function stopWhenAsked(service: RunningService): Promise<void> {
  const { port, internalPort, runtime } = service;
  const { log, cpu } = runtime;
  const cause = new Promise<string>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal));
    process.on('message', (message: ToServiceMessage) => {
      if (message?.type === 'shutdown') resolve('shutdown message');
      if (message?.type === 'cpu-limit') {
        cpu.setLimit(message.cores);
        void send({ type: 'cpu-limit-set', cores: cpu.limitCores });
      }
    });
    // A supervisor that died without a word must not leave orphans behind.
    process.on('disconnect', () => resolve('supervisor gone'));
    // One that died while the service was starting can't be heard any more.
    if (process.send !== undefined && !process.connected) resolve('supervisor gone');
  });
  const { limitCores, source } = cpu;
  log.info(
    { url: service.url, internalUrl: service.internalUrl, cpuLimitCores: limitCores, source },
    'listening',
  );
  await send({ type: 'listening', port, internalPort });
  log.info({ cause: await cause }, 'stopping');
  const { cutOff, rows } = await service.stop();
  if (cutOff > 0) log.warn({ cutOff }, 'requests were cut off when the grace period ended');
  await send({ type: 'final-rows', rows });
  await announceStopping();
  log.info('stopped');
  process.exit(EXIT_CODES.ok.code);
}

function send(message: FromServiceMessage): Promise<void> {
  return new Promise((resolve) => {
    // A failed send means that the supervisor is gone, which 'disconnect' reports.
    if (process.send && process.connected) process.send(message, undefined, undefined, () => resolve());
    else resolve();
  });
}
