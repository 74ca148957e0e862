import http from 'node:http';
import { type MeasurementRow, ROLES, type ServiceName } from '@bottleneck-lab/contracts';
import { SERVICE_SETTINGS } from './config/service-settings.js';
import type { ConfigOf } from './config/setting.js';
import { type CpuControl, createCpuControl } from './cpu/cpu-control.js';
import { Health } from './health.js';
import { createApp } from './http/app.js';
import { Connections } from './http/connections.js';
import { createInternalApp } from './http/internal-app.js';
import { listen } from './http/listen.js';
import { messageClasses } from './http/messages.js';
import type { Route } from './http/routes.js';
import { createLogger, type Logger } from './logger.js';
import { createProcessSampler } from './stats/process-sampler.js';
import { StatsRecorder } from './stats/recorder.js';

export { SERVICE_SETTINGS };
export type ServiceConfig = ConfigOf<typeof SERVICE_SETTINGS>;

/** What a service's own code gets from the kit. */
export interface Runtime {
  name: ServiceName;
  role: string;
  instance: string;
  log: Logger;
  health: Health;
  stats: StatsRecorder;
  cpu: CpuControl;
}

/** What a service's own code gives to the kit. */
export interface ServiceApp {
  routes: readonly Route[];
  /** Begins background work (connecting to backends); must not wait for it. */
  start?(): void;
  /** Ends it; called after the last request. */
  stop?(): Promise<void>;
}

export type CreateServiceApp<C> = (config: C, runtime: Runtime) => ServiceApp;

export interface RunningService {
  url: string;
  internalUrl: string;
  port: number;
  internalPort: number;
  runtime: Runtime;
  /** Drains and stops; calling it again returns the same promise. */
  stop(): Promise<StopReport>;
}

export interface StopReport {
  /** Requests that had not ended when the grace period had. */
  cutOff: number;
  /** Measurement rows nobody had read. */
  rows: MeasurementRow[];
}

/** Starts a service in this process. {@link runService} makes a whole process of it. */
export async function startService<C extends ServiceConfig>(options: {
  name: ServiceName;
  config: C;
  createApp: CreateServiceApp<C>;
}): Promise<RunningService> {
  const { name, config } = options;
  const runtime = createRuntime(name, config);
  const app = options.createApp(config, runtime);
  const accepting = runtime.health.check('accepting requests');
  const publicServer = createPublicServer(app, runtime, config);
  const internalServer = http.createServer(
    createInternalApp({ ...runtime, profiling: config.profiling === 'on' }),
  );
  const { host } = config;
  const internalPort = await listen(internalServer, {
    ...{ port: config.internalPort, host, variable: 'INTERNAL_PORT', exclusive: true },
  });
  let port: number;
  try {
    port = await listen(publicServer.server, { port: config.port, host, variable: 'PORT', exclusive: false });
  } catch (error) {
    internalServer.close();
    throw error;
  }
  runtime.cpu.start();
  runtime.stats.start();
  accepting.pass();
  app.start?.();
  const stop = once(async (): Promise<StopReport> => {
    accepting.fail('stopping');
    const { shutdownGraceMs: graceMs, shutdownLingerMs: lingerMs } = config;
    const cutOff = await publicServer.connections.drain({ graceMs, lingerMs });
    await app.stop?.();
    runtime.cpu.stop();
    runtime.stats.stop();
    internalServer.close();
    internalServer.closeAllConnections();
    return { cutOff, rows: runtime.stats.takeUnread() };
  });
  const at = (p: number) => `http://${host.includes(':') ? `[${host}]` : host}:${p}`;
  return { url: at(port), internalUrl: at(internalPort), port, internalPort, runtime, stop };
}

function createRuntime(name: ServiceName, config: ServiceConfig): Runtime {
  const role = ROLES[name];
  const random = Math.floor(Math.random() * 0x10000);
  const instance = config.instance || `${role}-${process.pid}-${random.toString(16).padStart(4, '0')}`;
  const cpu = createCpuControl(config.cpuLimitCores);
  const stats = new StatsRecorder({ role, instance, cpu, sampleProcess: createProcessSampler(cpu) });
  const log = createLogger({ level: config.logLevel, role, instance });
  return { name, role, instance, log, health: new Health(), stats, cpu };
}

function createPublicServer(app: ServiceApp, runtime: Runtime, config: ServiceConfig) {
  const handler = createApp({ ...runtime, routes: app.routes, bodyLimitBytes: config.bodyLimitBytes });
  const server = http.createServer(
    { keepAliveTimeout: config.keepAliveTimeoutMs, ...messageClasses(handler) },
    handler,
  );
  const connections = new Connections(server, {
    maxAgeMs: config.keepAliveMaxAgeMs,
    maxRequests: config.keepAliveMaxRequests,
  });
  return { server, connections };
}

function once<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= run();
    return result;
  };
}
