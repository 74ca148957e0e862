import { DEPENDENCY_TYPES, type MeasurementRow, OPERATIONS, ROLES } from '@bottleneck-lab/contracts';
import { loadRows, type Recording, summarizeDurations } from '../../../lab/src/recording/index.js';
import { syntheticRecording } from './model/synthetic-recording.js';

export const ZERO = 1_700_000_000;
const base = syntheticRecording({ plannedSeconds: 5, maxUsers: 1 });

/** A recording of exactly these rows, with the load of `plannedSeconds` starting at {@link ZERO}. */
export function smallRecording(
  rows: MeasurementRow[],
  meta: Partial<Recording['meta']> = {},
  load: Partial<Recording['load']> = {},
): Recording {
  return {
    ...base,
    rows,
    meta: { ...base.meta, plannedSeconds: 10, loadStartMs: ZERO * 1000, ...meta },
    load: base.load === null ? null : { ...base.load, ...load },
    machineSamples: [],
  };
}

type Fields<K extends MeasurementRow['kind']> = Partial<Extract<MeasurementRow, { kind: K }>> & {
  at: number;
};

export function loadRow({
  at,
  ...rest
}: {
  at: number;
  users?: number;
  failed?: number;
  durationsMs: number[];
}) {
  const second = {
    users: 1,
    failed: 0,
    droppedIterations: 0,
    requests: rest.durationsMs.length,
    ...rest,
    second: at,
  };
  return loadRows([second], ZERO * 1000)[0] as MeasurementRow;
}

export function utilizationRow(options: {
  at: number;
  durationsMs: number[];
  failed?: number;
  cancelled?: number;
}) {
  const { at, durationsMs, failed = 0, cancelled = 0 } = options;
  return {
    kind: 'operation' as const,
    second: ZERO + at,
    role: ROLES['drone-utilization'],
    instance: 'a',
    operation: OPERATIONS.getDroneUtilization,
    count: durationsMs.length,
    failed,
    cancelled,
    duration: summarizeDurations(durationsMs),
  };
}

export function queryRow({ at, ...rest }: Fields<'dependency'>): MeasurementRow {
  return {
    kind: 'dependency',
    second: ZERO + at,
    role: ROLES['drone-utilization'],
    instance: 'a',
    operation: OPERATIONS.getDroneUtilization,
    type: DEPENDENCY_TYPES.documentQuery,
    target: 'utilization',
    partition: '0',
    resultCode: '200',
    count: 1,
    retries: 0,
    requestCharge: 3,
    retryWaitMs: 0,
    duration: summarizeDurations([50]),
    ...rest,
  };
}

export function partitionRow({ at, ...rest }: Fields<'partition'>): MeasurementRow {
  return {
    kind: 'partition',
    second: ZERO + at,
    container: 'utilization',
    partition: '0',
    requests: 1,
    throttled: 0,
    requestUnits: 3,
    provisionedRuPerSecond: 100,
    ...rest,
  };
}

export function processRow({ at, ...rest }: Fields<'process'>): MeasurementRow {
  return {
    kind: 'process',
    second: ZERO + at,
    role: ROLES.delivery,
    instance: 'a',
    pid: 1,
    cpuMs: 100,
    cpuLimitCores: 0.2,
    cpuLimitSource: 'quota',
    periods: 10,
    throttledPeriods: 0,
    throttledMs: 0,
    eventLoopUtilization: 0.5,
    eventLoopDelayMaxMs: 10,
    residentBytes: 1,
    ...rest,
  };
}
