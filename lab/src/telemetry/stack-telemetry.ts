import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LOCAL_INSTRUMENTATION_KEY } from '@bottleneck-lab/app-insights-emulator';
import { StackError } from '../stack/errors.js';
import { PROJECT_ROOT } from '../stack/state-dir.js';
import { startChild } from '../supervisor/child-process.js';
import type { ManagedProcess } from '../supervisor/managed-process.js';
import type { TelemetryOptions, TelemetryStatus } from './settings.js';

/** Where the services of a stack send their telemetry, and how they are told. */
export interface StackTelemetry {
  status: TelemetryStatus;
  /** The stand-in's process; null when telemetry goes to a resource. */
  process: ManagedProcess | null;
  /** For every service: loads the SDK before the program. */
  nodeFlags: string[];
  env: Record<string, string>;
  stop(): Promise<void>;
}

/** Loaded by `node --import`; the lab starts it in services and never imports it. */
const REGISTER = path.join(PROJECT_ROOT, 'libs/telemetry/dist/register.js');
const NODE_FLAGS = ['--max-semi-space-size=8', '--max-old-space-size=384'];
/** What was received is kept for live queries; a run's own telemetry is on disk, complete. */
const RETAINED_MB = 96;
const START_TIMEOUT_MS = 15_000;

/** Starts the stand-in, or points the services to a resource of the user's own. */
export async function startStackTelemetry(options: {
  telemetry: TelemetryOptions;
  host: string;
  logDir: string;
  /** Of the resource, when the options name a variable. */
  connectionString: string | undefined;
}): Promise<StackTelemetry> {
  const { telemetry, connectionString } = options;
  const { connectionStringEnv, sdk, samplingRatio, runsDir } = telemetry;
  if (connectionStringEnv !== null) {
    return {
      status: { receiver: 'azure', sdk: 'applicationinsights', samplingRatio, endpoint: null, runsDir },
      process: null,
      nodeFlags: importFlags(),
      env: {
        ...samplingEnv(samplingRatio),
        APPLICATIONINSIGHTS_CONNECTION_STRING: required(connectionStringEnv, connectionString),
      },
      stop: async () => {},
    };
  }
  const child = startChild({
    name: 'app-insights-emulator',
    entry: fileURLToPath(import.meta.resolve('@bottleneck-lab/app-insights-emulator/main')),
    args: [
      ...['--host', options.host, '--port', '0', '--runs-dir', runsDir],
      ...['--retain-mb', String(RETAINED_MB), '--warm'],
    ],
    execArgv: NODE_FLAGS,
    logPath: path.join(options.logDir, 'app-insights-emulator.log'),
  });
  const listening = await child.waitForMessage('listening', START_TIMEOUT_MS);
  const endpoint = `http://${options.host}:${listening.port}`;
  return {
    status: { receiver: 'stand-in', sdk, samplingRatio, endpoint, runsDir },
    process: child,
    nodeFlags: importFlags(),
    env: { ...samplingEnv(samplingRatio), ...receiverEnv(sdk, endpoint) },
    stop: async () => void (await child.stop()),
  };
}

const importFlags = () => ['--import', pathToFileURL(REGISTER).href];

const samplingEnv = (ratio: number) => ({ TELEMETRY_SAMPLING_RATIO: String(ratio) });

function receiverEnv(sdk: TelemetryOptions['sdk'], endpoint: string): Record<string, string> {
  if (sdk === 'otlp') return { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
  return {
    APPLICATIONINSIGHTS_CONNECTION_STRING: `InstrumentationKey=${LOCAL_INSTRUMENTATION_KEY};IngestionEndpoint=${endpoint}/;LiveEndpoint=${endpoint}/`,
    // A stand-in on another address than loopback was asked for with --host.
    TELEMETRY_ALLOW_HTTP: 'true',
  };
}

function required(variable: string, connectionString: string | undefined): string {
  if (connectionString !== undefined && connectionString !== '') return connectionString;
  throw new StackError(
    'CONNECTION_STRING_MISSING',
    `the environment variable ${variable} is empty; put the connection string of an Application Insights resource there`,
  );
}
