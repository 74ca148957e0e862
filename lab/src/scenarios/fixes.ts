import type { KnobName } from './knobs.js';

/** A change that somebody may propose, the knob that makes it, and the bottlenecks that it helps against. */
export interface FixRow {
  text: string;
  /** Null for a change of the program. */
  knob: KnobName | null;
  helpsAgainst: readonly string[];
}

/** What can be proposed against a bottleneck: the words that answers are given in. */
export const FIXES = {
  'more-request-units': {
    text: 'provision more request units per second',
    knob: 'ruPerSecond',
    helpsAgainst: ['throttling'],
  },
  'parallel-queries': {
    text: 'ask all physical partitions at the same time',
    knob: 'queryFanout',
    helpsAgainst: ['serial-fan-out'],
  },
  'partition-key': {
    text: 'partition the data by what is asked for',
    knob: 'partitionKey',
    helpsAgainst: ['throttling', 'serial-fan-out', 'cross-partition-cost'],
  },
  'spread-the-key': {
    text: 'choose a key that spreads the busiest value over several partitions',
    knob: null,
    helpsAgainst: ['hot-partition'],
  },
  cache: {
    text: 'keep what is read again and again in a cache',
    knob: null,
    helpsAgainst: ['hot-partition'],
  },
  'more-cpu': {
    text: 'raise the CPU limit',
    knob: 'deliveryRequestsPerSecond',
    helpsAgainst: ['cpu-saturation'],
  },
  'more-replicas': {
    text: 'run the service in more replicas',
    knob: 'deliveryReplicas',
    helpsAgainst: ['cpu-saturation'],
  },
  'cheaper-code': {
    text: 'make the computation cheaper, by a CPU profile',
    knob: null,
    helpsAgainst: ['cpu-saturation'],
  },
  'more-connections': {
    text: 'allow more connections to the service',
    knob: null,
    helpsAgainst: ['connection-pool'],
  },
} as const satisfies Record<string, FixRow>;

export type FixName = keyof typeof FIXES;
export const FIX_NAMES = Object.keys(FIXES) as [FixName, ...FixName[]];
