import type { ServiceName } from '@bottleneck-lab/contracts';
import type { Calibration } from '../recording/index.js';
import type { AppliedKnobs } from '../scenarios/index.js';
import { findFreePorts, isPortFree } from '../supervisor/free-ports.js';
import { ProcessEndedError } from '../supervisor/managed-process.js';
import type { DepartedRows } from '../supervisor/service-supervisor.js';
import { type StackTelemetry, startStackTelemetry } from '../telemetry/stack-telemetry.js';
import { type StackDatabase, startStandIn, useAccount } from './database.js';
import { StackError } from './errors.js';
import { createFailureWatch, type FailureWatch } from './failure-watch.js';
import { applyKnobs, turnKnob } from './knob-changes.js';
import { createLoadBoard, type LoadBoard } from './load-board.js';
import { type OnPhase, phase } from './phases.js';
import { restoreStack } from './restore.js';
import type { StackOptions } from './stack-options.js';
import { createStackServices, type StackServices } from './stack-services.js';
import type { StackFailure, StackStatus } from './stack-status.js';
import { openStateDir } from './state-dir.js';
import { createTurnLog, HIDDEN_KNOBS, parseUsers, type Turn, type TurnLog, USERS_KNOB } from './turns.js';

/** The processes of the lab, running. */
export interface Stack {
  status(): StackStatus;
  /** Makes services and account behave as a scenario asks; restarts only what has to change. */
  applyKnobs(
    knobs: AppliedKnobs,
    options: { seed: number; model: 'off' | 'on'; hidden?: boolean },
  ): Promise<{ changed: string[] }>;
  /** What was set for a mystery may be seen again. */
  reveal(): void;
  /** Forgets budgets and metrics of the stand-in and starts its latencies from their seed. */
  reset(): Promise<void>;
  /** Starts what has ended and makes everything as given, from any state. */
  restore(knobs: AppliedKnobs, options: { seed: number }): Promise<{ changed: string[] }>;
  departedRows(since: number): DepartedRows[];
  /** Turns one knob while whatever runs goes on. Throws KNOB_REFUSED. */
  turn(knob: string, value: unknown): Promise<Turn>;
  turns: TurnLog;
  loads: LoadBoard;
  /** Resolves with the first process that ended by itself; never rejects. */
  failed(): Promise<StackFailure>;
  stop(): Promise<void>;
}

/** What a stack consists of, and what was last asked of it. */
export interface StackParts {
  database: StackDatabase;
  telemetry: StackTelemetry | null;
  services: StackServices;
  watch: FailureWatch;
  seed: number;
  documentsWritten: number;
  physicalPartitions: number;
  calibratedRate: number;
  calibration: Calibration;
  knobs: AppliedKnobs | null;
  /** The knobs are a mystery's, and nobody has solved it. */
  hidden: boolean;
}

/** Starts everything, seeds, calibrates. Stops what it started when any of it fails. */
export async function startStack(
  options: StackOptions,
  secrets: { onPhase: OnPhase; cosmosKey?: string | undefined; connectionString?: string | undefined },
): Promise<Stack> {
  const startedAtMs = Date.now();
  const watch = createFailureWatch();
  const stoppers: (() => Promise<void>)[] = [];
  const stopAll = async () => {
    watch.stopWatching();
    // Services first, so that none of them sees its database go.
    for (const stop of stoppers.reverse()) await stop();
  };
  try {
    const parts = await startParts({ options, ...secrets, watch, stoppers });
    watch.assertAlive();
    return runningStack({ parts, startedAtMs, stop: stopAll });
  } catch (error) {
    await stopAll();
    throw startError(error);
  }
}

async function startParts(context: {
  options: StackOptions;
  cosmosKey?: string | undefined;
  connectionString?: string | undefined;
  onPhase: OnPhase;
  watch: FailureWatch;
  stoppers: (() => Promise<void>)[];
}): Promise<StackParts> {
  const { options, onPhase, watch, stoppers } = context;
  const dir = openStateDir(options.stateDir);
  const { host, seed, physicalPartitions, ruPerSecond } = options;
  const ports = await choosePorts(options);
  // First up and last down, so that nothing that services send is lost.
  const telemetry = await startTelemetry({ ...context, logDir: dir.logs });
  const database = await phase(
    { name: 'database', onPhase, detail: (started) => `${started.kind} at ${started.endpoint}` },
    async () =>
      options.cosmosEndpoint === null
        ? startStandIn({ host, port: ports.cosmos, seed, logDir: dir.logs })
        : useAccount(options.cosmosEndpoint, context.cosmosKey),
  );
  stoppers.push(() => database.stop());
  void database.standIn?.process.exited.then((exit) => {
    if (!exit.expected && database.standIn !== null) watch.report(database.standIn.process, exit);
  });

  const services = createStackServices({
    host,
    ports,
    seed,
    cosmos: { endpoint: database.endpoint, key: database.key },
    logDir: dir.logs,
    telemetry,
    calibrationFile: telemetry === null ? dir.calibrationFile : dir.telemetryCalibrationFile,
    deliveryRequestsPerSecond: options.deliveryRequestsPerSecond,
    onUnexpectedExit: watch.report,
  });
  stoppers.push(() => services.stop());
  // Services start without their database, so they and the data come up side by side.
  const [{ written }] = await Promise.all([
    phase(
      {
        name: 'data',
        onPhase,
        detail: (seeded) =>
          seeded.written === 0 ? 'already there' : `${seeded.written} documents, seed ${seed}`,
      },
      () => database.seed({ seed, physicalPartitions, ruPerSecond }),
    ),
    phase({ name: 'services', onPhase, detail: () => `gateway at ${services.urls.gateway}` }, () =>
      services.start(),
    ),
  ]);
  await phase({ name: 'readiness', onPhase }, () => services.ready());
  const calibration = await phase({ name: 'calibration', onPhase, detail: describeCalibration }, () =>
    services.calibrate(options.deliveryRequestsPerSecond, { verify: options.verifyCalibration }),
  );
  return {
    database,
    telemetry,
    services,
    watch,
    seed,
    documentsWritten: written,
    physicalPartitions,
    calibratedRate: options.deliveryRequestsPerSecond,
    calibration,
    knobs: null,
    hidden: false,
  };
}

function runningStack(options: { parts: StackParts; startedAtMs: number; stop: () => Promise<void> }): Stack {
  const { parts, startedAtMs } = options;
  const { database, telemetry, services, watch } = parts;
  const turns = createTurnLog();
  const loads = createLoadBoard();
  let stopping: Promise<void> | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  /** Changes never overlap: the next one starts when the last has ended, however it ended. */
  const inTurn = <Result>(change: () => Promise<Result>): Promise<Result> => {
    const result = queue.then(change);
    queue = result.catch(() => {});
    return result;
  };
  const exclusively = <Result>(change: () => Promise<Result>): Promise<Result> =>
    inTurn(() => {
      watch.assertAlive();
      return change();
    });
  const tell = (turned: Omit<Turn, 'sequence'>): Turn => {
    const added = turns.add(turned);
    loads.turned(added);
    return added;
  };
  /** What differs from a mystery's knobs would tell them. */
  const setKnobs = async (hidden: boolean, set: () => Promise<{ changed: string[] }>) => {
    const tells = parts.hidden || hidden;
    parts.hidden ||= hidden;
    const { changed } = await set();
    parts.hidden = hidden;
    return { changed: tells && changed.length > 0 ? ['set; what changed would tell a mystery'] : changed };
  };
  const state = (): StackStatus['state'] => {
    if (stopping !== null) return 'stopping';
    return watch.current() === null ? 'ready' : 'failed';
  };

  return {
    failed: () => watch.failed(),
    stop() {
      stopping ??= options.stop();
      return stopping;
    },
    departedRows: (since) => services.departedRows(since),
    turns,
    loads,
    reveal() {
      parts.hidden = false;
    },
    turn: (knob, value) =>
      exclusively(async () => {
        if (parts.hidden) throw new StackError('KNOB_REFUSED', `${HIDDEN_KNOBS}; solve it first`);
        if (knob !== USERS_KNOB) return tell(await turnKnob(parts, knob, value));
        const to = parseUsers(value);
        const from = await loads.setUsers(to);
        return tell({ atMs: Date.now(), knob, from, to });
      }),
    status: () => ({
      state: state(),
      pid: process.pid,
      startedAtMs,
      seed: parts.seed,
      gatewayUrl: services.urls.gateway,
      database: {
        kind: database.kind,
        endpoint: database.endpoint,
        controlToken: database.standIn?.controlToken ?? null,
        documentsWritten: parts.documentsWritten,
      },
      telemetry: telemetry?.status ?? null,
      processes: [...standInStatus(parts, startedAtMs), ...services.status()],
      knobs: parts.hidden ? null : parts.knobs,
      knobsHidden: parts.hidden,
      load: loads.current(),
      calibration: parts.calibration,
      failure: watch.current(),
    }),
    applyKnobs: (knobs, { hidden = false, ...choice }) =>
      exclusively(() => setKnobs(hidden, () => applyKnobs(parts, { knobs, ...choice }))),
    reset: () =>
      exclusively(async () => {
        await database.standIn?.control.reset({ budgets: true, metrics: true });
      }),
    restore: (knobs, choice) =>
      inTurn(() => setKnobs(false, () => restoreStack(parts, { knobs, ...choice }))),
  };
}

async function startTelemetry(context: {
  options: StackOptions;
  connectionString?: string | undefined;
  onPhase: OnPhase;
  watch: FailureWatch;
  stoppers: (() => Promise<void>)[];
  logDir: string;
}): Promise<StackTelemetry | null> {
  const { options, connectionString, onPhase, watch, stoppers, logDir } = context;
  const { telemetry, host } = options;
  if (telemetry === null) return null;
  const started = await phase(
    { name: 'telemetry', onPhase, detail: ({ status }) => status.endpoint ?? 'to the resource given' },
    () => startStackTelemetry({ telemetry, host, logDir, connectionString }),
  );
  stoppers.push(() => started.stop());
  const standIn = started.process;
  void standIn?.exited.then((exit) => {
    if (!exit.expected) watch.report(standIn, exit);
  });
  return started;
}

function standInStatus(
  { database, telemetry }: Pick<StackParts, 'database' | 'telemetry'>,
  startedAtMs: number,
): StackStatus['processes'] {
  const standIns = [
    { role: 'Application Insights stand-in', url: telemetry?.status.endpoint, process: telemetry?.process },
    { role: 'Cosmos DB stand-in', url: database.endpoint, process: database.standIn?.process },
  ];
  return standIns.flatMap(({ role, url, process }) => {
    if (process === undefined || process === null) return [];
    const { name, instance, pid, logPath } = process;
    return [{ name, role, instance, pid, url: url ?? '', internalUrl: null, startedAtMs, log: logPath }];
  });
}

async function choosePorts(options: StackOptions): Promise<Record<ServiceName | 'cosmos', number>> {
  const { gatewayPort, host } = options;
  if (gatewayPort !== 0 && !(await isPortFree(gatewayPort, host))) {
    throw new StackError(
      'PORT_BUSY',
      `port ${gatewayPort} on ${host} is in use; choose another with --port, or 0 for a free one`,
    );
  }
  const free = (await findFreePorts(5, host)) as [number, number, number, number, number];
  return {
    gateway: gatewayPort === 0 ? free[0] : gatewayPort,
    delivery: free[1],
    package: free[2],
    'drone-utilization': free[3],
    cosmos: free[4],
  };
}

function describeCalibration(calibration: Calibration): string {
  const { ceilingRequestsPerSecond, deliveryCpuLimitCores, source } = calibration;
  return `delivery saturates at ${ceilingRequestsPerSecond.toFixed(1)} requests/s with ${deliveryCpuLimitCores} cores (${source})`;
}

function startError(error: unknown): StackError {
  if (error instanceof StackError) return error;
  const lastLines = error instanceof ProcessEndedError ? error.exit.lastLines : [];
  return new StackError('START_FAILED', (error as Error).message, { cause: error, lastLines });
}
