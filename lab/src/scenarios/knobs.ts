import type { z } from 'zod';
import { oneOf, quantity, strictFields } from './strict-fields.js';

/** Log-normal latency of one request. */
const latency = strictFields({
  meanMs: quantity({ min: 0, max: 60_000, unit: 'milliseconds' }),
  coefficientOfVariation: quantity({ min: 0, max: 10, unit: 'standard deviation / mean' }),
});

/**
 * What a scenario turns. Ranges and units are in the schema; what each knob becomes on a target is in
 * {@link ./knob-table.ts}.
 */
export const knobs = strictFields({
  ruPerSecond: quantity({ min: 400, max: 1_000_000, unit: 'RU/s of one utilization container', whole: true }),
  physicalPartitions: quantity({ min: 1, max: 50, unit: 'physical partitions', whole: true }),
  queryFanout: oneOf(['serial', 'parallel']),
  partitionKey: oneOf(['deliveryId', 'ownerId']),
  queryBaseRu: quantity({ min: 0, max: 100, unit: 'RU per partition query before documents are counted' }),
  /** Unused throughput that may be saved, in proportion to the load's length: 1/48 saves 1.25 s in a 60 s load. */
  burst: strictFields({
    secondsPerLoadSecond: quantity({
      min: 0,
      max: 5,
      unit: 'seconds of provisioned RU/s saved per second of load',
    }),
  }),
  queryLatency: latency,
  pointReadLatency: latency,
  deliveryRequestsPerSecond: quantity({
    min: 1,
    max: 100_000,
    unit: 'requests/s at which one process of the delivery service saturates its CPU limit',
  }),
  deliveryReplicas: quantity({
    min: 1,
    max: 8,
    unit: 'processes of the delivery service, each with its own CPU limit',
    whole: true,
  }).default(1),
});
export type Knobs = z.output<typeof knobs>;
export type KnobName = keyof Knobs;

/** The knobs of one run with everything that depends on its length worked out. */
export interface AppliedKnobs extends Omit<Knobs, 'burst'> {
  /** Seconds of provisioned throughput that a physical partition may save and spend later; 0 is off. */
  burstSeconds: number;
}

/** `applyLength(knobs, 60)` turns the scenario's burst into 1.25 saved seconds. */
export function applyLength(scenarioKnobs: Knobs, plannedSeconds: number): AppliedKnobs {
  const { burst, ...rest } = scenarioKnobs;
  return { ...rest, burstSeconds: Math.round(burst.secondsPerLoadSecond * plannedSeconds * 1000) / 1000 };
}
