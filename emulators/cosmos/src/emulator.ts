import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { z } from 'zod';
import { App } from './app.js';
import { AdjustableClock, type Clock, systemClock } from './clock.js';
import { type EmulatorSettings, type emulatorOptions, parseOptions } from './config.js';
import { ControlRoutes, TOKEN_HEADER } from './control/control-routes.js';
import { FaultRules } from './control/fault-rules.js';
import { MasterKeyAuthorization } from './http/authorization.js';
import { DeadlineQueue } from './latency/deadline-queue.js';
import { OperationTotals } from './metrics/operation-totals.js';
import { ProcessMetrics } from './metrics/process-metrics.js';
import { SnapshotFile } from './snapshot-file.js';
import { QueryCache } from './sql/index.js';
import { Account } from './store/account.js';
import { mergeLatency } from './store/container-model.js';

export interface EmulatorOptions extends z.input<typeof emulatorOptions> {
  /** Time of budgets, `_ts` and time to live; the system's if absent. Signatures are always checked against the system's. */
  clock?: Clock;
  /** Told of errors that are the emulator's own fault; they are answered 500 in any case. */
  onError?: (error: unknown) => void;
}

export interface CosmosEmulator {
  /** For the client, for example `http://127.0.0.1:8081/`. */
  readonly endpoint: string;
  readonly port: number;
  readonly key: string;
  /** For `x-emulator-token`. */
  readonly controlToken: string;
  /**
   * Calls a control route from the same process or a test, for example
   * `control('containers/db/c/model', { method: 'PATCH', body: { throttling: false } })`.
   * Rejects with the route's message if it refuses.
   */
  control(route: string, request?: ControlRequest): Promise<unknown>;
  /** Finishes what has been accepted, then closes. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ControlRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
}

/** Idle connections of clients are kept, as a closed one costs the official client a pause of a second. */
const KEEP_ALIVE_MS = 10 * 60_000;
/** A client that has not sent its request within this time is disconnected. */
const REQUEST_TIMEOUT_MS = 30_000;
const STOP_GRACE_MS = 2_000;

/**
 * Starts a stand-in for an Azure Cosmos DB account.
 *
 * @throws ConfigurationError for options that are out of range, and the system's error if the port is taken
 * @example
 * await using emulator = await startCosmosEmulator();
 * const client = new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key });
 */
export async function startCosmosEmulator(options: EmulatorOptions = {}): Promise<CosmosEmulator> {
  const { clock: base = systemClock, onError = () => {}, ...rest } = options;
  const settings = parseOptions(rest);
  const controlToken = settings.controlToken ?? randomBytes(16).toString('hex');
  const deadlines = new DeadlineQueue();
  const processMetrics = new ProcessMetrics();
  const clock = new AdjustableClock(base);
  const account = accountOf(settings, clock);
  const file = settings.snapshot === undefined ? null : new SnapshotFile(settings.snapshot);
  await file?.load(account);
  const app = wire({ settings, account, clock, controlToken, deadlines, processMetrics, onError });
  const server = http.createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    app.handle,
  );
  await listen(server, settings);
  const { port } = server.address() as AddressInfo;
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= close(server, deadlines)
      .then(() => file?.save(account))
      .finally(() => processMetrics.stop());
    return stopping;
  };
  const endpoint = `http://${urlHost(settings.host)}:${port}/`;
  return {
    endpoint,
    port,
    key: settings.key,
    controlToken,
    control: (route, request) => callControl({ endpoint, controlToken, route }, request),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

interface ControlCall {
  endpoint: string;
  controlToken: string;
  route: string;
}

async function callControl(
  { endpoint, controlToken, route }: ControlCall,
  { method = 'GET', body }: ControlRequest = {},
): Promise<unknown> {
  const response = await fetch(new URL(`_emulator/${route}`, endpoint), {
    method,
    headers: { [TOKEN_HEADER]: controlToken },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error((answer as { message: string }).message);
  return answer;
}

function accountOf(settings: EmulatorSettings, clock: Clock): Account {
  const { seed, throttling, burstSeconds, queryBaseRu, latency, physicalPartitions } = settings;
  return new Account({
    clock,
    defaultModel: { seed, throttling, burstSeconds, queryBaseRu, latency: mergeLatency({}, latency) },
    defaultPhysicalPartitions: physicalPartitions,
  });
}

interface Parts {
  settings: EmulatorSettings;
  account: Account;
  clock: AdjustableClock;
  controlToken: string;
  deadlines: DeadlineQueue;
  processMetrics: ProcessMetrics;
  onError: (error: unknown) => void;
}

function wire({ settings, account, clock, controlToken, deadlines, processMetrics, onError }: Parts): App {
  const totals = new OperationTotals();
  const faults = new FaultRules(deadlines);
  const control = new ControlRoutes({
    account,
    clock,
    totals,
    processMetrics,
    faults,
    deadlines,
    token: controlToken,
    anyHost: settings.controlAnyHost,
  });
  return new App({
    context: { account, clock, queries: new QueryCache() },
    authorization: new MasterKeyAuthorization(settings.key, () => Date.now()),
    deadlines,
    totals,
    processMetrics,
    control,
    faults,
    onError,
  });
}

function listen(server: http.Server, { port, host }: EmulatorSettings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: 1024 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function close(server: http.Server, deadlines: DeadlineQueue): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  deadlines.flush();
  server.closeIdleConnections();
  const grace = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS);
  await closed;
  clearTimeout(grace);
}

/** An address to connect to: wildcard addresses are no place to go. */
function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
