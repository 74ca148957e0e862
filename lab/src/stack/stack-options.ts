import { z } from 'zod';
import { telemetryOptions } from '../telemetry/settings.js';

/** What a stack is started with; handed to its process as one JSON argument. Secrets come from the environment. */
export const stackOptions = z.strictObject({
  stateDir: z.string().min(1),
  /** Loopback unless somebody asks for more. */
  host: z.string().min(1).default('127.0.0.1'),
  /** The gateway's port; 0 for a free one. */
  gatewayPort: z.int().min(0).max(65_535).default(0),
  /** Determines data and latencies. */
  seed: z.int().min(0).max(4_294_967_295).default(1),
  /** A Cosmos DB account instead of the stand-in; its key comes from COSMOS_KEY. */
  cosmosEndpoint: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
  physicalPartitions: z.int().min(1).max(50).default(9),
  /** Throughput of the utilization containers until a scenario sets its own. */
  ruPerSecond: z.int().min(400).default(900),
  deliveryRequestsPerSecond: z.number().positive().default(99),
  /** Off when a warm-up will correct the limit anyway: a calibration of this machine is then taken as it is. */
  verifyCalibration: z.boolean().default(true),
  /** Null: services send no telemetry and load no SDK for it. */
  telemetry: telemetryOptions.nullable().default(null),
});
export type StackOptions = z.output<typeof stackOptions>;
