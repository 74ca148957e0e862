import { CONTAINERS } from '@bottleneck-lab/contracts';
import type { KnobName } from './knobs.js';

/** When a turned knob takes effect. */
type KnobChange = 'while running' | 'rolling replacement' | 'new container';

/** What one knob is and what it becomes, per kind of target. `null`: that target has no such thing. */
export interface KnobRow {
  title: string;
  kind: 'number' | 'choice' | 'latency' | 'seconds';
  /** Empty for a choice. */
  unit: string;
  /** In words, as the schema enforces it. */
  range: string;
  change: KnobChange;
  /** Environment variable of a service process. */
  environment: { service: string; variable: string; values?: Record<string, string> } | null;
  /** Call of the Cosmos DB protocol, the same on Azure and on the stand-in. */
  cosmosOffer: { call: 'createContainer' | 'replaceOffer'; containers: readonly string[] } | null;
  /** Setting under the stand-in's `/_emulator` routes; Azure has no API for it. */
  emulator: { setting: string } | null;
  /** The service whose number of processes it is; only in the row of such a knob. */
  replicasOf?: string;
  helmValue: string | null;
  composeVariable: string | null;
}

const UTILIZATION = [CONTAINERS.utilizationByDelivery.id, CONTAINERS.utilizationByOwner.id] as const;

/** One row per knob: the page docs/reference/scenarios.md shows the same table, and a test compares the two. */
export const KNOB_TABLE: Record<KnobName, KnobRow> = {
  ruPerSecond: {
    title: 'Provisioned throughput',
    kind: 'number',
    unit: 'RU/s',
    range: '400 to 1,000,000, shared equally by the physical partitions',
    change: 'while running',
    environment: null,
    cosmosOffer: { call: 'replaceOffer', containers: UTILIZATION },
    emulator: null,
    helmValue: 'cosmos.ruPerSecond',
    composeVariable: 'LAB_RU_PER_SECOND',
  },
  physicalPartitions: {
    title: 'Physical partitions',
    kind: 'number',
    unit: 'partitions',
    range: '1 to 50; the container is created at 6,000 RU/s for each and lowered after seeding',
    change: 'new container',
    environment: null,
    cosmosOffer: { call: 'createContainer', containers: UTILIZATION },
    emulator: null,
    helmValue: 'cosmos.physicalPartitions',
    composeVariable: 'LAB_PHYSICAL_PARTITIONS',
  },
  queryFanout: {
    title: 'Fan-out of a cross-partition query',
    kind: 'choice',
    unit: '',
    range: 'serial, parallel',
    change: 'rolling replacement',
    environment: { service: 'drone-utilization', variable: 'QUERY_FANOUT' },
    cosmosOffer: null,
    emulator: null,
    helmValue: 'droneUtilization.queryFanout',
    composeVariable: 'QUERY_FANOUT',
  },
  partitionKey: {
    title: 'Partition key of the container queried',
    kind: 'choice',
    unit: '',
    range: 'deliveryId, ownerId',
    change: 'rolling replacement',
    environment: { service: 'drone-utilization', variable: 'PARTITION_KEY' },
    cosmosOffer: null,
    emulator: null,
    helmValue: 'droneUtilization.partitionKey',
    composeVariable: 'PARTITION_KEY',
  },
  queryBaseRu: {
    title: 'Base charge of a partition query',
    kind: 'number',
    unit: 'RU',
    range: '0 to 100',
    change: 'while running',
    environment: null,
    cosmosOffer: null,
    emulator: { setting: 'queryBaseRu' },
    helmValue: 'cosmosEmulator.queryBaseRu',
    composeVariable: 'LAB_QUERY_BASE_RU',
  },
  burst: {
    title: 'Throughput saved for later',
    kind: 'seconds',
    unit: 's per second of load',
    range: '0 (off) to 5',
    change: 'while running',
    environment: null,
    cosmosOffer: null,
    emulator: { setting: 'burstSeconds' },
    helmValue: 'cosmosEmulator.burstSeconds',
    composeVariable: 'LAB_BURST_SECONDS',
  },
  queryLatency: {
    title: 'Latency of a partition query',
    kind: 'latency',
    unit: 'ms, and standard deviation / mean',
    range: 'mean 0 to 60,000; coefficient of variation 0 to 10',
    change: 'while running',
    environment: null,
    cosmosOffer: null,
    emulator: { setting: 'queryLatency' },
    helmValue: 'cosmosEmulator.queryLatency',
    composeVariable: 'LAB_QUERY_LATENCY',
  },
  pointReadLatency: {
    title: 'Latency of a point read',
    kind: 'latency',
    unit: 'ms, and standard deviation / mean',
    range: 'mean 0 to 60,000; coefficient of variation 0 to 10',
    change: 'while running',
    environment: null,
    cosmosOffer: null,
    emulator: { setting: 'pointReadLatency' },
    helmValue: 'cosmosEmulator.pointReadLatency',
    composeVariable: 'LAB_POINT_READ_LATENCY',
  },
  deliveryRequestsPerSecond: {
    title: "Ceiling of the delivery service's CPU",
    kind: 'number',
    unit: 'requests/s',
    range: '1 to 100,000; becomes a CPU limit in cores by calibration',
    change: 'rolling replacement',
    environment: { service: 'delivery', variable: 'CPU_LIMIT' },
    cosmosOffer: null,
    emulator: null,
    helmValue: 'delivery.resources.limits.cpu',
    composeVariable: 'DELIVERY_CPU_LIMIT',
  },
  deliveryReplicas: {
    title: 'Processes of the delivery service',
    kind: 'number',
    unit: 'replicas',
    range: '1 to 8 (1 when absent); each has the CPU limit of one',
    change: 'rolling replacement',
    environment: null,
    cosmosOffer: null,
    emulator: null,
    replicasOf: 'delivery',
    helmValue: 'delivery.replicas',
    composeVariable: 'DELIVERY_REPLICAS',
  },
};
