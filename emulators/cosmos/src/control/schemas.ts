import { z } from 'zod';
import { PHYSICAL_PARTITIONS_LIMIT } from '../handlers/containers.js';
import { OPERATION_KINDS } from '../http/operation.js';

/** Bodies of the control routes. Unknown members are refused by name. */

const LONGEST_LATENCY_MS = 60_000;
/** Azure's burst capacity saves five minutes. */
const LONGEST_BURST_SECONDS = 300;

const distribution = z.strictObject({
  meanMs: z.number().positive().max(LONGEST_LATENCY_MS),
  coefficientOfVariation: z.number().min(0).max(10).default(0),
});

/** Null is no latency; a kind that is absent stays as it is. */
export const latencyChange = z.strictObject({
  query: distribution.nullable().optional(),
  pointRead: distribution.nullable().optional(),
  write: distribution.nullable().optional(),
  metadata: distribution.nullable().optional(),
});

export const modelChange = z.strictObject({
  throttling: z.boolean().optional(),
  burstSeconds: z.number().min(0).max(LONGEST_BURST_SECONDS).optional(),
  queryBaseRu: z.number().min(0).max(1000).optional(),
  latency: latencyChange.optional(),
  seed: z.int().optional(),
  physicalPartitions: z.int().min(1).max(PHYSICAL_PARTITIONS_LIMIT).optional(),
});

export const resetRequest = z.strictObject({
  /** Forget debt and savings, and start the latency sequences again from their seeds. */
  budgets: z.boolean().default(true),
  metrics: z.boolean().default(true),
  /** Delete all databases. */
  data: z.boolean().default(false),
  faults: z.boolean().default(false),
});

export const faultRule = z.strictObject({
  action: z.enum(['429', '449', '503', 'reset', 'delay']),
  database: z.string().optional(),
  container: z.string().optional(),
  partitionKeyRangeId: z.string().optional(),
  operations: z.array(z.enum(OPERATION_KINDS)).nonempty().optional(),
  rate: z.number().min(0).max(1).default(1),
  count: z.int().positive().nullable().default(null),
  delayMs: z.number().min(0).max(LONGEST_LATENCY_MS).default(1000),
  retryAfterMs: z.int().min(0).max(LONGEST_LATENCY_MS).default(1000),
  seed: z.int().default(1),
});

export const clockChange = z.strictObject({
  offsetMs: z.number().min(-1e12).max(1e12),
});
