import { z } from 'zod';

/** Shares of traces that can be kept: each kept item stands for a whole number of items, so that counts stay right. */
export const SAMPLING_RATIOS = [1, 0.5, 0.25, 0.2, 0.1, 0.05, 0.04, 0.02, 0.01] as const;

/** How services send: with the Application Insights SDK, or with OpenTelemetry's over OTLP. */
export const TELEMETRY_SDKS = ['applicationinsights', 'otlp'] as const;
export type TelemetrySdk = (typeof TELEMETRY_SDKS)[number];

/** What the telemetry of a stack is started with. */
export const telemetryOptions = z.strictObject({
  sdk: z.enum(TELEMETRY_SDKS).default('applicationinsights'),
  samplingRatio: z.union(SAMPLING_RATIOS.map((ratio) => z.literal(ratio))).default(1),
  /** Environment variable with the connection string of a resource of one's own; null for the stand-in. */
  connectionStringEnv: z.string().min(1).nullable().default(null),
  /** Where the stand-in writes recordings: `<runsDir>/<id>/telemetry`. */
  runsDir: z.string().min(1),
});
export type TelemetryOptions = z.output<typeof telemetryOptions>;

/** The telemetry of a running stack. */
export const telemetryStatus = z.object({
  receiver: z.enum(['stand-in', 'azure']),
  sdk: z.enum(TELEMETRY_SDKS),
  samplingRatio: z.number(),
  /** The stand-in's URL; null where telemetry goes to a resource. */
  endpoint: z.string().nullable(),
  runsDir: z.string(),
});
export type TelemetryStatus = z.output<typeof telemetryStatus>;

/** What a run remembers of it. */
export type TelemetryUse = Pick<TelemetryStatus, 'receiver' | 'sdk' | 'samplingRatio'>;
