import { z } from 'zod';

/**
 * What one request may hold. Defaults that Azure publishes ("Application Insights limits" in the Azure Monitor service limits):
 * 64,000 items per batch, 64 kB per item, 150 characters per property name, 8,192 per property value, 32,768 per message,
 * 32,000 items per second measured over a minute.
 */
export const ingestionLimits = z.strictObject({
  /** Bytes of a request's body, after decompression. */
  maxBodyBytes: z
    .int()
    .min(1024)
    .max(256 * 1024 * 1024)
    .default(8 * 1024 * 1024),
  /** Bytes of bodies being read at once, over all requests; more are answered 503. */
  maxPendingBytes: z
    .int()
    .min(1024)
    .max(1024 * 1024 * 1024)
    .default(64 * 1024 * 1024),
  maxItemsPerRequest: z.int().min(1).max(1_000_000).default(64_000),
  /** Properties of one item, measurements included. */
  maxProperties: z.int().min(1).max(10_000).default(512),
  /** Characters of one item's names and values together. */
  maxItemCharacters: z.int().min(256).max(1_048_576).default(65_536),
  maxNameCharacters: z.int().min(16).max(1024).default(150),
  /** Longer values are cut, as the service does. */
  maxValueCharacters: z.int().min(16).max(262_144).default(8192),
  maxMessageCharacters: z.int().min(16).max(262_144).default(32_768),
  /** Nested brackets of a JSON body, or nested values of an OTLP attribute. */
  maxNesting: z.int().min(8).max(1000).default(64),
  /** Averaged over a minute; more are answered 429. */
  maxItemsPerSecond: z.int().min(1).max(10_000_000).default(32_000),
  /** Items per UTC day; more are answered 402. 0 is no cap. */
  dailyCapItems: z.int().min(0).default(0),
});
export type IngestionLimits = z.output<typeof ingestionLimits>;

export const retention = z.strictObject({
  /** Rows kept per table. */
  rows: z.int().min(1000).max(10_000_000).default(500_000),
  /** Estimated bytes kept over all tables. */
  bytes: z
    .int()
    .min(1_000_000)
    .max(16_000_000_000)
    .default(256 * 1024 * 1024),
});
export type Retention = z.output<typeof retention>;
