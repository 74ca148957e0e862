import { z } from 'zod';
import { latencyChange } from './control/schemas.js';
import { PHYSICAL_PARTITIONS_LIMIT } from './handlers/containers.js';
import { WELL_KNOWN_KEY } from './http/authorization.js';
import { CHARGES } from './throughput/request-charge.js';

/** Everything that can be set when the emulator starts. */
export const emulatorOptions = z.strictObject({
  /** 0 takes a free one. */
  port: z.int().min(0).max(65_535).default(0),
  host: z.string().min(1).default('127.0.0.1'),
  /** Account key, base64. The default is the one that is public for all emulators. */
  key: z
    .string()
    .refine((key) => key !== '' && Buffer.from(key, 'base64').toString('base64') === key, 'has to be base64')
    .default(WELL_KNOWN_KEY),
  /** Protects `/_emulator/*`; a random one if absent. */
  controlToken: z.string().min(1).optional(),
  /** Whether other machines may use `/_emulator/*`, with the token. */
  controlAnyHost: z.boolean().default(false),
  /** Determines every modelled latency. */
  seed: z.int().default(1),
  /** Whether requests over the budget are answered 429. */
  throttling: z.boolean().default(true),
  /** Seconds' worth of unused request units that a physical partition may save. */
  burstSeconds: z.number().min(0).max(300).default(0),
  queryBaseRu: z.number().min(0).max(1000).default(CHARGES.queryBase),
  latency: latencyChange.default({}),
  /** For new containers; absent: by the documented rule from the throughput. */
  physicalPartitions: z.int().min(1).max(PHYSICAL_PARTITIONS_LIMIT).optional(),
  /** File to load at the start, if it exists, and to save at the end. */
  snapshot: z.string().min(1).optional(),
});

export type EmulatorSettings = z.output<typeof emulatorOptions>;

/** Throws one error that names every option that is wrong. */
export function parseOptions(
  options: unknown,
  nameOf: (option: string) => string = String,
): EmulatorSettings {
  const result = emulatorOptions.safeParse(options);
  if (result.success) return Object.freeze(result.data);
  throw new ConfigurationError(
    result.error.issues.map(({ path, message }) =>
      path.length === 0 ? message : `${[nameOf(String(path[0])), ...path.slice(1)].join('.')}: ${message}`,
    ),
  );
}

export class ConfigurationError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Invalid configuration: ${problems.join('; ')}`);
    this.name = 'ConfigurationError';
    this.problems = problems;
  }
}
