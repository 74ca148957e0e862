import cluster from 'node:cluster';
import path from 'node:path';
import type {
  CpuLimitMessage,
  CpuLimitSetMessage,
  FinalRowsMessage,
  MeasurementRow,
  ServiceName,
} from '@bottleneck-lab/contracts';
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
   * Rolling replacement: every new process is ready before the old ones drain, on the same public port. Resolves with
   * the first of the new ones when all serve; an old one finishes what it has, and its last rows come with
   * `departedRows`. All are replaced even when only their number changes, because callers keep the connections they
   * have, and a replica beside the old ones would wait for work.
   */
  replace(
    name: ServiceName,
    env: Record<string, string>,
    options?: { replicas?: number },
  ): Promise<RunningService>;
  /** Changes the CPU limit of each process of a service, which was started with one; none is replaced. */
  setCpuLimit(name: ServiceName, cores: number): Promise<void>;
  running(): RunningService[];
  /** Services of which a process has ended by itself and was not replaced. */
  ended(): ServiceName[];
  /** The first of its processes. */
  get(name: ServiceName): RunningService;
  departedRows(since: number): DepartedRows[];
  stopAll(graceMs?: number): Promise<void>;
}

/** A service that fails is noticed by its end; this is for one that hangs. Four SDKs loading on a busy machine take 20 s. */
const LISTEN_TIMEOUT_MS = 60_000;
const READY_TIMEOUT_MS = 30_000;
/** A throttled service reads messages between two periods of 100 ms. */
const LIMIT_TIMEOUT_MS = 15_000;
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
  /** Never empty for a service that was started. */
  const current = new Map<ServiceName, readonly RunningService[]>();
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
      const serving = current.get(definition.name)?.some((one) => one.process === child);
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

  const replicasOf = (name: ServiceName): readonly RunningService[] => {
    const services = current.get(name);
    if (services === undefined) throw new Error(`${name} was never started`);
    return services;
  };
  const get = (name: ServiceName) => replicasOf(name)[0] as RunningService;

  const waitReady = (service: RunningService, timeoutMs: number) =>
    waitUntilReady({
      process: service.process,
      internalUrl: `http://${host}:${service.internalPort}`,
      timeoutMs,
    });

  /** All or none: what came up beside one that failed is stopped again. */
  const launchReady = async (definition: ServiceDefinition, replicas: number): Promise<RunningService[]> => {
    const launched: RunningService[] = [];
    const outcomes = await Promise.allSettled(
      Array.from({ length: replicas }, async () => {
        const service = await launch(definition);
        launched.push(service);
        await waitReady(service, READY_TIMEOUT_MS);
      }),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed === undefined) return launched;
    await Promise.all(launched.map((service) => service.process.stop()));
    throw failed.reason;
  };

  return {
    async start(definition) {
      const service = await launch(definition);
      current.set(definition.name, [service]);
      return service;
    },
    async ready(name, timeoutMs = READY_TIMEOUT_MS) {
      await Promise.all(replicasOf(name).map((service) => waitReady(service, timeoutMs)));
    },
    async replace(name, env, options = {}) {
      const old = replicasOf(name);
      const next = await launchReady({ ...get(name), env }, options.replicas ?? old.length);
      current.set(name, next);
      for (const service of old) void service.process.stop(DRAIN_MS);
      return get(name);
    },
    async setCpuLimit(name, cores) {
      await Promise.all(
        replicasOf(name).map(async ({ process, instance }) => {
          const answer = process.waitForMessage('cpu-limit-set', LIMIT_TIMEOUT_MS);
          const order: CpuLimitMessage = { type: 'cpu-limit', cores };
          process.tell({ ...order });
          const { cores: inEffect } = (await answer) as unknown as CpuLimitSetMessage;
          if (inEffect !== cores) throw new Error(`${instance} keeps its CPU limit of ${inEffect} cores`);
        }),
      );
    },
    running: () => [...current.values()].flat(),
    ended: () =>
      [...current].flatMap(([name, replicas]) =>
        replicas.some((one) => one.process.hasEnded()) ? [name] : [],
      ),
    get,
    departedRows: (since) => departed.filter((entry) => entry.sequence > since),
    async stopAll(graceMs = 5_000) {
      await Promise.all([...alive].map((child) => child.stop(graceMs)));
    },
  };
}
