import { readdirSync } from 'node:fs';
import path from 'node:path';
import {
  INTERNAL_ROUTES,
  type MeasurementRow,
  ROLES,
  type ServiceName,
  statsResponse,
} from '@bottleneck-lab/contracts';
import {
  type Calibrator,
  createCalibrator,
  LARGEST_CORES,
  machineFingerprint,
  observedCapacity,
  saturate,
} from '../calibration/index.js';
import type { Calibration } from '../recording/index.js';
import { requestJson } from '../supervisor/http-json.js';
import type { ManagedProcess, ProcessExit } from '../supervisor/managed-process.js';
import { createServiceSupervisor, type DepartedRows } from '../supervisor/service-supervisor.js';
import { type ServiceSettings, serviceEntry, serviceEnvironment, serviceNodeFlags } from './service-table.js';
import type { ProcessStatus } from './stack-status.js';

/** The four services of a stack and the settings that scenarios change about them. */
export interface StackServices {
  readonly urls: Record<ServiceName, string>;
  /** Starts all four; they wait for their database. */
  start(): Promise<void>;
  ready(): Promise<void>;
  /** Finds and sets the CPU limit under which delivery saturates at this rate. */
  calibrate(requestsPerSecond: number, choice?: { verify: boolean }): Promise<Calibration>;
  /** Corrects delivery's limit by a load that has just ended; null when that did not come near the calibrated rate. */
  correctCalibration(sinceSecond: number): Promise<Calibration | null>;
  /** At once, in every process of delivery. At most one core. */
  setDeliveryLimit(limitCores: number): Promise<void>;
  /** Replaces drone-utilization when it queries otherwise. Returns whether it did. */
  setQueries(wanted: Pick<ServiceSettings, 'queryFanout' | 'partitionKey'>): Promise<boolean>;
  /**
   * Replaces, all at once, each service of which a process has ended by itself or that is set otherwise; returns what
   * was done, in words.
   */
  restore(
    wanted: Pick<ServiceSettings, 'queryFanout' | 'partitionKey'> & { deliveryReplicas: number },
  ): Promise<string[]>;
  /** Runs delivery in so many processes, each under the limit of one. Returns whether anything was replaced. */
  setDeliveryReplicas(replicas: number): Promise<boolean>;
  status(): ProcessStatus[];
  departedRows(since: number): DepartedRows[];
  stop(): Promise<void>;
}

/** delivery first: the gateway opens its pools to the others, and delivery is calibrated. */
const SERVICES: readonly ServiceName[] = ['delivery', 'drone-utilization', 'package', 'gateway'];

export function createStackServices(options: {
  host: string;
  ports: Record<ServiceName, number>;
  cosmos: ServiceSettings['cosmos'];
  seed: number;
  logDir: string;
  calibrationFile: string;
  /** What services need to send telemetry; null without. */
  telemetry: { nodeFlags: string[]; env: Record<string, string> } | null;
  deliveryRequestsPerSecond: number;
  onUnexpectedExit: (process: ManagedProcess, exit: ProcessExit) => void;
}): StackServices {
  const { host, ports, seed, telemetry } = options;
  const supervisor = createServiceSupervisor({
    logDir: options.logDir,
    host,
    onUnexpectedExit: options.onUnexpectedExit,
  });
  const settings: ServiceSettings = {
    urls: Object.fromEntries(SERVICES.map((name) => [name, `http://${host}:${ports[name]}`])) as Record<
      ServiceName,
      string
    >,
    cosmos: options.cosmos,
    seed,
    queryFanout: 'serial',
    partitionKey: 'deliveryId',
    deliveryCpuLimit: null,
  };
  const environmentOf = (name: ServiceName) => ({ ...serviceEnvironment(name, settings), ...telemetry?.env });
  const setDeliveryLimit = async (wantedCores: number) => {
    const limitCores = Math.min(LARGEST_CORES, wantedCores);
    if (settings.deliveryCpuLimit === limitCores) return;
    await supervisor.setCpuLimit('delivery', limitCores);
    settings.deliveryCpuLimit = limitCores;
  };
  const calibratorFor = (targetRequestsPerSecond: number): Calibrator =>
    createCalibrator({
      targetRequestsPerSecond,
      cachePath: options.calibrationFile,
      fingerprint: machineFingerprint(programFiles(path.dirname(serviceEntry('delivery')))),
      setLimit: setDeliveryLimit,
      measure: (times) => saturate({ url: settings.urls.delivery, seed, times }),
    });
  /** For the next process. Returns whether they are others than before. */
  const takeQueries = ({
    queryFanout,
    partitionKey,
  }: Pick<ServiceSettings, 'queryFanout' | 'partitionKey'>) => {
    const same = settings.queryFanout === queryFanout && settings.partitionKey === partitionKey;
    Object.assign(settings, { queryFanout, partitionKey });
    return !same;
  };
  let deliveryReplicas = 1;
  /** What is measured is one process under its limit. */
  const setDeliveryReplicas = async (replicas: number) => {
    if (replicas === deliveryReplicas) return false;
    await supervisor.replace('delivery', environmentOf('delivery'), { replicas });
    deliveryReplicas = replicas;
    return true;
  };
  let calibratedRate = options.deliveryRequestsPerSecond;
  let calibrator = calibratorFor(calibratedRate);
  settings.deliveryCpuLimit = calibrator.initialLimitCores;

  return {
    urls: settings.urls,
    async start() {
      await Promise.all(
        SERVICES.map((name) =>
          supervisor.start({
            name,
            entry: serviceEntry(name),
            port: ports[name],
            env: environmentOf(name),
            execArgv: [...serviceNodeFlags(name), ...(telemetry?.nodeFlags ?? [])],
          }),
        ),
      );
    },
    async ready() {
      await Promise.all(SERVICES.map((name) => supervisor.ready(name)));
    },
    async restore(wanted) {
      const ended = new Set(supervisor.ended());
      const changed = new Set<ServiceName>([
        ...(takeQueries(wanted) ? (['drone-utilization'] as const) : []),
        ...(wanted.deliveryReplicas === deliveryReplicas ? [] : (['delivery'] as const)),
      ]);
      deliveryReplicas = wanted.deliveryReplicas;
      await Promise.all(
        [...new Set([...ended, ...changed])].map((name) =>
          supervisor.replace(name, environmentOf(name), {
            replicas: name === 'delivery' ? deliveryReplicas : 1,
          }),
        ),
      );
      return [
        ...[...ended].map((name) => `${name} started again`),
        ...[...changed].filter((name) => !ended.has(name)).map((name) => `${name} replaced`),
      ];
    },
    setDeliveryReplicas,
    setDeliveryLimit,
    async calibrate(requestsPerSecond, choice) {
      await setDeliveryReplicas(1);
      if (requestsPerSecond !== calibratedRate) {
        calibratedRate = requestsPerSecond;
        calibrator = calibratorFor(requestsPerSecond);
      }
      return calibrator.calibrate(choice);
    },
    async correctCalibration(sinceSecond) {
      const { internalPort } = supervisor.get('delivery');
      const rows = await readRows(`http://${host}:${internalPort}`, sinceSecond);
      const observed = observedCapacity(rows, calibratedRate);
      return observed === null ? null : calibrator.adopt(observed);
    },
    async setQueries(wanted) {
      if (!takeQueries(wanted)) return false;
      await supervisor.replace('drone-utilization', environmentOf('drone-utilization'));
      return true;
    },
    status: () =>
      supervisor.running().map((service) => ({
        name: service.name,
        role: ROLES[service.name],
        instance: service.instance,
        pid: service.process.pid,
        url: settings.urls[service.name],
        internalUrl: `http://${host}:${service.internalPort}`,
        startedAtMs: service.startedAtMs,
        log: service.process.logPath,
      })),
    departedRows: (since) => supervisor.departedRows(since),
    stop: () => supervisor.stopAll(),
  };
}

async function readRows(internalUrl: string, sinceSecond: number): Promise<MeasurementRow[]> {
  const answer = await requestJson(`${internalUrl}${INTERNAL_ROUTES.stats}?since=${sinceSecond}`);
  return statsResponse.parse(answer).rows;
}

function programFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .sort()
    .map((name) => path.join(folder, name));
}
