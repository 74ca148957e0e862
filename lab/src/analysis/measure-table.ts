import { NOISE, type Noise } from './noise.js';

/**
 * Every measure of a run: unit, direction and definition. docs/reference/measures.md shows this table and a
 * test compares the two. Names are flat and stable, because result.json, scenarios and reports use them.
 */
export interface MeasureRow {
  unit: string;
  /** Which way is better; `neutral` where neither is. */
  better: 'higher' | 'lower' | 'neutral';
  /** Two runs that differ by less are the same; see {@link ./noise.ts}. */
  noise: Noise;
  definition: string;
}

function measure(
  ...[unit, better, noise, definition]: [string, MeasureRow['better'], Noise, string]
): MeasureRow {
  return { unit, better, noise, definition };
}

const LOAD = {
  'throughput.mean': measure(
    'req/s',
    'higher',
    NOISE.meanRate,
    'Successful iterations that ended inside the load, over the planned length of the load.',
  ),
  'throughput.best5s': measure(
    'req/s',
    'higher',
    NOISE.windowRate,
    'Highest of the consecutive 5 s windows.',
  ),
  'throughput.last5s': measure('req/s', 'higher', NOISE.windowRate, 'The last 5 s of the load.'),
  'throughput.best15s': measure(
    'req/s',
    'higher',
    NOISE.windowRate,
    'Highest of the consecutive 15 s windows.',
  ),
  'throughput.fallPercent': measure(
    '%',
    'lower',
    NOISE.fall,
    'How far the best 5 s window lies above the last 5 s: 100 × (best − last) / last.',
  ),
  'client.requests': measure(
    'requests',
    'higher',
    NOISE.count,
    'Requests that ended inside the load, failed ones included.',
  ),
  'client.errors': measure(
    'requests',
    'lower',
    NOISE.rareCount,
    'Failed requests at the client, those after the load included.',
  ),
  'client.meanMs': measure(
    'ms',
    'lower',
    NOISE.mean,
    'Mean duration of an invoice request at the client, inside the load.',
  ),
  'client.p50Ms': measure('ms', 'lower', NOISE.median, 'Median of the same.'),
  'client.p95Ms': measure('ms', 'lower', NOISE.p95, '95th percentile of the same.'),
  'client.p99Ms': measure('ms', 'lower', NOISE.p99, '99th percentile of the same.'),
  'load.maxUsers': measure('users', 'neutral', NOISE.none, 'Most users in one second of the load.'),
  'load.droppedIterations': measure(
    'iterations',
    'lower',
    NOISE.rareCount,
    'Iterations the load generator could not start.',
  ),
  'load.littleRatio': measure(
    'ratio',
    'neutral',
    NOISE.ratio,
    "Little's law: throughput × (latency + think time) over the mean number of users; about 1 when the measurement agrees with itself.",
  ),
  'load.kneeUsers': measure(
    'users',
    'higher',
    NOISE.knee,
    'Users of the first step from which throughput per user stays below 80 % of that in the first three; absent when it never does.',
  ),
} satisfies Record<string, MeasureRow>;

const OPERATION = {
  'utilization.operations': measure(
    'operations',
    'higher',
    NOISE.count,
    'Successful GetDroneUtilization operations that ended inside the load, at the server.',
  ),
  'utilization.meanMs': measure(
    'ms',
    'lower',
    NOISE.mean,
    'Mean duration of GetDroneUtilization at the server.',
  ),
  'utilization.p50Ms': measure('ms', 'lower', NOISE.median, 'Median of the same.'),
  'utilization.p95Ms': measure('ms', 'lower', NOISE.p95, '95th percentile of the same.'),
  'utilization.p99Ms': measure('ms', 'lower', NOISE.p99, '99th percentile of the same.'),
  'utilization.failed': measure(
    'operations',
    'lower',
    NOISE.rareCount,
    'GetDroneUtilization operations answered with a status of 500 or more.',
  ),
  'delivery.meanMs': measure(
    'ms',
    'lower',
    NOISE.queueingMean,
    'Mean duration of the deliveries summary at the server.',
  ),
  'delivery.p95Ms': measure('ms', 'lower', NOISE.queueingTail, '95th percentile of the same.'),
  'package.meanMs': measure(
    'ms',
    'lower',
    NOISE.mean,
    'Mean duration of the packages summary at the server.',
  ),
  'package.p95Ms': measure('ms', 'lower', NOISE.p95, '95th percentile of the same.'),
  'gateway.meanMs': measure('ms', 'lower', NOISE.mean, 'Mean duration of the invoice at the gateway.'),
  'gateway.p95Ms': measure('ms', 'lower', NOISE.p95, '95th percentile of the same.'),
} satisfies Record<string, MeasureRow>;

const COSMOS = {
  'cosmos.partitionQueries': measure(
    'queries',
    'neutral',
    NOISE.count,
    'Document queries to one physical partition, without the attempts that repeat an earlier one.',
  ),
  'cosmos.throttled': measure(
    'requests',
    'lower',
    NOISE.rareCount,
    'Partition queries answered with 429, retries included.',
  ),
  'cosmos.throttledPercent': measure(
    '%',
    'lower',
    NOISE.rareShare,
    'Share of all attempts of partition queries that were answered with 429.',
  ),
  'cosmos.queriesPerOperation': measure(
    'queries',
    'lower',
    NOISE.perOperation,
    'Partition queries per successful GetDroneUtilization, without retries.',
  ),
  'cosmos.attemptsPerOperation': measure('attempts', 'lower', NOISE.perOperation, 'The same with retries.'),
  'cosmos.ruPerOperation': measure(
    'RU',
    'lower',
    NOISE.perOperation,
    'Request units of all partition queries per successful GetDroneUtilization.',
  ),
  'cosmos.ruPerQuery': measure(
    'RU',
    'lower',
    NOISE.perOperation,
    'Mean request charge of a partition query that was answered.',
  ),
  'cosmos.queryMeanMs': measure(
    'ms',
    'lower',
    NOISE.mean,
    'Mean duration of one attempt of a partition query, as the service sees it; 429s excluded.',
  ),
  'cosmos.queryTimePerOperationMs': measure(
    'ms',
    'lower',
    NOISE.mean,
    'Time in all partition queries and their waits for a retry per GetDroneUtilization, added up as if they ran one after another.',
  ),
  'cosmos.overlap': measure(
    'ratio',
    'neutral',
    NOISE.ratio,
    'That sum over the mean duration of the operation: about 1 when queries run one after another, far above 1 when they overlap.',
  ),
  'cosmos.retryWaitPercent': measure(
    '%',
    'lower',
    NOISE.waitShare,
    'Time that operations waited for a retry after a 429, over the time of all GetDroneUtilization operations.',
  ),
  'partition.peakRuPerSecond': measure(
    'RU/s',
    'neutral',
    NOISE.peak,
    'Most request units of one physical partition in one second of the load.',
  ),
  'partition.limitRuPerSecond': measure(
    'RU/s',
    'neutral',
    NOISE.none,
    'Provisioned throughput of that partition.',
  ),
  'partition.peakPercent': measure('%', 'neutral', NOISE.peak, 'Peak over limit of that partition.'),
  'partition.sustainedPercent': measure(
    '%',
    'neutral',
    NOISE.window,
    'Highest mean over five seconds of the busiest physical partition, over its limit.',
  ),
  'partition.skew': measure(
    'ratio',
    'lower',
    NOISE.skew,
    'Request units of the busiest physical partition over the mean of all of its container; 1 is even.',
  ),
  'partition.totalPercent': measure(
    '%',
    'neutral',
    NOISE.share,
    'Request units of the container over its provisioned throughput.',
  ),
} satisfies Record<string, MeasureRow>;

/** Short names of the processes whose CPU is measured. */
const CPU_ROLES = ['gateway', 'delivery', 'package', 'drone-utilization'] as const;
type CpuMeasure =
  | 'meanPercent'
  | 'last5sPercent'
  | 'best5sPercent'
  | 'throttledPeriodsPercent'
  | 'last5sThrottledPeriodsPercent'
  | 'meanCores'
  | 'eventLoopPercent';

function cpuRows(): Record<`cpu.${(typeof CPU_ROLES)[number]}.${CpuMeasure}`, MeasureRow> {
  const rows: Record<string, MeasureRow> = {};
  for (const role of CPU_ROLES) {
    const of = `of ${role}`;
    rows[`cpu.${role}.meanPercent`] = measure(
      '%',
      'neutral',
      NOISE.share,
      `CPU time ${of} over its limit, whole load; absent without a limit.`,
    );
    rows[`cpu.${role}.last5sPercent`] = measure(
      '%',
      'neutral',
      NOISE.share,
      `The same in the last 5 s of the load.`,
    );
    rows[`cpu.${role}.best5sPercent`] = measure(
      '%',
      'neutral',
      NOISE.share,
      `The same in its busiest consecutive 5 s window.`,
    );
    rows[`cpu.${role}.throttledPeriodsPercent`] = measure(
      '%',
      'lower',
      NOISE.periods,
      `Enforcement periods ${of} that were throttled, whole load.`,
    );
    rows[`cpu.${role}.last5sThrottledPeriodsPercent`] = measure(
      '%',
      'lower',
      NOISE.fewPeriods,
      `The same in the last 5 s of the load.`,
    );
    rows[`cpu.${role}.meanCores`] = measure(
      'cores',
      'neutral',
      NOISE.cores,
      `CPU time ${of} per second, whole load.`,
    );
    rows[`cpu.${role}.eventLoopPercent`] = measure(
      '%',
      'neutral',
      NOISE.eventLoop,
      `Mean event loop utilization ${of} in the last 5 s of the load, busiest instance.`,
    );
  }
  return rows as ReturnType<typeof cpuRows>;
}

export const MEASURE_TABLE = { ...LOAD, ...OPERATION, ...COSMOS, ...cpuRows() };

export type MeasureName = keyof typeof MEASURE_TABLE;
export const MEASURE_NAMES = Object.keys(MEASURE_TABLE) as MeasureName[];

/** Values of one run. A measure is absent when the run holds no data for it. */
export type Measures = Partial<Record<MeasureName, number>>;

export function isMeasureName(name: string): name is MeasureName {
  return Object.hasOwn(MEASURE_TABLE, name);
}
