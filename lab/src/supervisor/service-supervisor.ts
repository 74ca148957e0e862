import cluster from 'node:cluster';
import path from 'node:path';
import type { FinalRowsMessage, MeasurementRow, ServiceName } from '@bottleneck-lab/contracts';
import { findFreePorts } from './free-ports.js';
import {
  type ManagedProcess,
  manageProcess,
  ProcessEndedError,
  type ProcessExit,
} from './managed-process.js';
import { waitUntilReady } from './readiness.js';

/** What is needed to start one service. */
export interface ServiceDefinition {
  name: ServiceName;
  /** The service's main module. */
  entry: string;
  /** The public port; stays the same over replacements. */
  port: number;
  env: Record<string, string>;
  execArgv: string[];
}

export interface RunningService extends ServiceDefinition {
  instance: string;
  internalPort: number;
  process: ManagedProcess;
  startedAtMs: number;
}

/** Rows that a process sent before it ended, in the order of arrival; `sequence` counts from 1. */
export interface DepartedRows {
  sequence: number;
  instance: string;
  rows: MeasurementRow[];
}

export interface ServiceSupervisor {
  /** Starts a service and waits until it listens; readiness is waited for apart, as it may need the database. */
  start(definition: ServiceDefinition): Promise<RunningService>;
  ready(name: ServiceName, timeoutMs?: number): Promise<void>;
  /**
   * Rolling replacement: the new process is ready before the old one drains, on the same public port. Resolves when
   * the new one serves; the old one finishes what it has, and its last rows come with `departedRows`.
   */
  replace(name: ServiceName, env: Record<string, string>): Promise<RunningService>;
  running(): RunningService[];
  get(name: ServiceName): RunningService;
  departedRows(since: number): DepartedRows[];
  stopAll(graceMs?: number): Promise<void>;
}

/** A service that fails is noticed by its end; this is for one that hangs. Four SDKs loading on a busy machine take 20 s. */
const LISTEN_TIMEOUT_MS = 60_000;
const READY_TIMEOUT_MS = 30_000;
/** Longer than a service waits for its requests in flight. */
const DRAIN_MS = 15_000;
/** A port that was free a moment ago may be taken by an outgoing connection before the service listens. */
const PORT_ATTEMPTS = 3;

/**
 * One `node:cluster` primary owns the public ports of all services. One primary per service would do the same
 * and cost about 40 MB each; the executable, which cluster takes from global settings, is set before every fork.
 * Ports are always explicit: workers that listen on port 0 would share one.
 */
export function createServiceSupervisor(options: {
  logDir: string;
  host: string;
  /** Called for a process that ended without being asked to. */
  onUnexpectedExit: (process: ManagedProcess, exit: ProcessExit) => void;
}): ServiceSupervisor {
  const { logDir, host, onUnexpectedExit } = options;
  const current = new Map<ServiceName, RunningService>();
  const alive = new Set<ManagedProcess>();
  const departed: DepartedRows[] = [];
  let started = 0;
  let sequence = 0;

  const fork = (definition: ServiceDefinition, internalPort: number): RunningService => {
    started += 1;
    const instance = `${definition.name}-${started}`;
    cluster.setupPrimary({
      exec: definition.entry,
      args: [],
      execArgv: definition.execArgv,
      silent: true,
      windowsHide: true,
    });
    const worker = cluster.fork({
      ...definition.env,
      HOST: host,
      PORT: String(definition.port),
      INTERNAL_PORT: String(internalPort),
      INSTANCE: instance,
    });
    // Without a listener, a failing IPC write to a dying worker would end the primary.
    worker.on('error', () => {});
    const child = manageProcess({
      name: definition.name,
      instance,
      child: worker.process,
      logPath: path.join(logDir, `${definition.name}.log`),
    });
    alive.add(child);
    child.onMessage((message) => {
      if (message.type !== 'final-rows') return;
      sequence += 1;
      departed.push({ sequence, instance, rows: (message as unknown as FinalRowsMessage).rows });
    });
    void child.exited.then((exit) => {
      alive.delete(child);
      const serving = current.get(definition.name)?.process === child;
      if (!exit.expected && serving) onUnexpectedExit(child, exit);
    });
    return { ...definition, instance, internalPort, process: child, startedAtMs: Date.now() };
  };

  const launch = async (definition: ServiceDefinition): Promise<RunningService> => {
    for (let attempt = 1; ; attempt += 1) {
      const [internalPort] = (await findFreePorts(1, host)) as [number];
      const service = fork(definition, internalPort);
      try {
        await service.process.waitForMessage('listening', LISTEN_TIMEOUT_MS);
        return service;
      } catch (error) {
        const output = error instanceof ProcessEndedError ? error.exit.lastLines.join('\n') : '';
        const lostRace = output.includes('EADDRINUSE') && output.includes(String(internalPort));
        await service.process.stop(0);
        if (!lostRace || attempt === PORT_ATTEMPTS) throw error;
      }
    }
  };

  const get = (name: ServiceName): RunningService => {
    const service = current.get(name);
    if (service === undefined) throw new Error(`${name} was never started`);
    return service;
  };

  const waitReady = (service: RunningService, timeoutMs: number) =>
    waitUntilReady({
      process: service.process,
      internalUrl: `http://${host}:${service.internalPort}`,
      timeoutMs,
    });

  return {
    async start(definition) {
      const service = await launch(definition);
      current.set(definition.name, service);
      return service;
    },
    ready: (name, timeoutMs = READY_TIMEOUT_MS) => waitReady(get(name), timeoutMs),
    async replace(name, env) {
      const old = get(name);
      const next = await launch({ ...old, env });
      try {
        await waitReady(next, READY_TIMEOUT_MS);
      } catch (error) {
        await next.process.stop();
        throw error;
      }
      current.set(name, next);
      void old.process.stop(DRAIN_MS);
      return next;
    },
    running: () => [...current.values()],
    get,
    departedRows: (since) => departed.filter((entry) => entry.sequence > since),
    async stopAll(graceMs = 5_000) {
      await Promise.all([...alive].map((child) => child.stop(graceMs)));
    },
  };
}
