import { z } from 'zod';
import { ingestionLimits, retention } from './limits.js';

/** The key of a stand-in that nobody else can have: a fixed, obviously local one. */
export const LOCAL_INSTRUMENTATION_KEY = '00000000-0000-0000-0000-000000000001';

const guid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be a GUID in lower case');

export const emulatorOptions = z.strictObject({
  host: z.string().min(1).default('127.0.0.1'),
  /** 0 takes a free port. */
  port: z.int().min(0).max(65_535).default(0),
  /** In the connection string; items with other keys are taken in as well. */
  instrumentationKey: guid.default(LOCAL_INSTRUMENTATION_KEY),
  appName: z.string().default('live'),
  /** Folder of the log that is read back at the next start; without it rows live in memory only. */
  dataDirectory: z.string().min(1).optional(),
  /** The log's oldest files are removed above this size, bytes. */
  dataBytes: z
    .int()
    .min(1_000_000)
    .default(1024 * 1024 * 1024),
  /** Folder with one folder per run; needed for recordings and for queries of finished runs. */
  runsDirectory: z.string().min(1).optional(),
  /** Load the query engine right after the start (about 1 s of CPU) instead of at the first query. */
  warmQueries: z.boolean().default(false),
  retain: retention.prefault({}),
  limits: ingestionLimits.prefault({}),
  /** Limits of one query; the engine's defaults where not given. */
  query: z
    .strictObject({
      timeoutMs: z.int().min(10).max(600_000).default(5000),
      maxResultRows: z.int().min(1).max(10_000_000).optional(),
      maxMemoryBytes: z
        .int()
        .min(1_000_000)
        .default(192 * 1024 * 1024),
      maxQueryLength: z.int().min(100).optional(),
      maxNesting: z.int().min(10).optional(),
    })
    .prefault({}),
});

export type EmulatorOptions = z.output<typeof emulatorOptions>;
export type EmulatorOptionsInput = z.input<typeof emulatorOptions>;

/** Checks all options at once. Throws an Error that names each bad one and what is allowed. */
export function parseOptions(input: EmulatorOptionsInput): EmulatorOptions {
  const parsed = emulatorOptions.safeParse(input);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'options'}: ${issue.message}`);
  throw new Error(`bad options\n  ${lines.join('\n  ')}`);
}
