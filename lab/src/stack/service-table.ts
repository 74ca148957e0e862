import path from 'node:path';
import type { ServiceName } from '@bottleneck-lab/contracts';
import { PROJECT_ROOT } from './state-dir.js';

/** Where each service's program is. The lab starts it as a process and never imports it. */
const ENTRIES: Record<ServiceName, string> = {
  gateway: 'gateway/dist/main.js',
  delivery: 'services/delivery/dist/main.js',
  package: 'services/package/dist/main.js',
  'drone-utilization': 'services/drone-utilization/dist/main.js',
};

export function serviceEntry(name: ServiceName): string {
  return path.join(PROJECT_ROOT, ENTRIES[name]);
}

const MAX_SEMI_SPACE_MB: Partial<Record<ServiceName, number>> = {
  // V8's default: it holds nine answers of each operation at once, and with 4 MB a fifth of its time was garbage collection.
  'drone-utilization': 16,
};

/**
 * V8's default young generation grows to 48 MB per process, which six processes would pay for without a gain at
 * this load. The heap limits are several times what each needs.
 */
export function serviceNodeFlags(name: ServiceName): string[] {
  return [`--max-semi-space-size=${MAX_SEMI_SPACE_MB[name] ?? 4}`, '--max-old-space-size=192'];
}

export const EMULATOR_NODE_FLAGS = ['--max-semi-space-size=8', '--max-old-space-size=384'];

export interface ServiceSettings {
  urls: Record<ServiceName, string>;
  cosmos: { endpoint: string; key: string };
  seed: number;
  queryFanout: 'serial' | 'parallel';
  partitionKey: 'deliveryId' | 'ownerId';
  /** Cores; null leaves delivery unlimited. */
  deliveryCpuLimit: number | null;
}

/** The environment of one service; configuration reaches a service in no other way. */
export function serviceEnvironment(name: ServiceName, settings: ServiceSettings): Record<string, string> {
  return { ...ownEnvironment(name, settings), PROFILING: 'on' };
}

function ownEnvironment(name: ServiceName, settings: ServiceSettings): Record<string, string> {
  const cosmos = { COSMOS_ENDPOINT: settings.cosmos.endpoint, COSMOS_KEY: settings.cosmos.key };
  switch (name) {
    case 'gateway':
      return {
        DELIVERY_URL: settings.urls.delivery,
        PACKAGE_URL: settings.urls.package,
        DRONE_UTILIZATION_URL: settings.urls['drone-utilization'],
      };
    case 'delivery':
      return {
        DATA_SEED: String(settings.seed),
        ...(settings.deliveryCpuLimit === null ? {} : { CPU_LIMIT: settings.deliveryCpuLimit.toFixed(4) }),
      };
    case 'package':
      return cosmos;
    case 'drone-utilization':
      return { ...cosmos, QUERY_FANOUT: settings.queryFanout, PARTITION_KEY: settings.partitionKey };
  }
}

/** Variables that the stack decides; values from the caller's environment must not leak into services. */
export const OWNED_VARIABLES = [
  'HOST',
  'PORT',
  'INTERNAL_PORT',
  'INSTANCE',
  'CPU_LIMIT',
  'DATA_SEED',
  'DELIVERY_URL',
  'PACKAGE_URL',
  'DRONE_UTILIZATION_URL',
  'COSMOS_ENDPOINT',
  'COSMOS_KEY',
  'QUERY_FANOUT',
  'PARTITION_KEY',
  'APPLICATIONINSIGHTS_CONNECTION_STRING',
  'TELEMETRY_SAMPLING_RATIO',
  'PROFILING',
] as const;
