import { z } from 'zod';
import { choice, integer, type Setting, text } from './setting.js';

/** Cores, for example 0.25; null means no limit. */
function cpuLimit(variable: string): Setting<number | null> {
  const schema = z
    .string()
    .default('none')
    .pipe(z.string().regex(/^(none|\d{1,3}(\.\d{1,4})?)$/))
    .transform((value) => (value === 'none' ? null : Number(value)))
    .refine((cores) => cores === null || (cores >= 0.01 && cores <= 256));
  return { variable, schema, allowed: 'cores as a decimal from 0.01 to 256, or none', secret: false };
}

/** What every service reads from its environment. */
export const SERVICE_SETTINGS = {
  /** Address of both ports. */
  host: text('HOST', {
    pattern: /^[0-9A-Za-z.:-]{1,253}$/,
    allowed: 'an IP address or host name to listen on',
    default: '127.0.0.1',
  }),
  /** Public port; 0 takes a free one. */
  port: integer('PORT', { min: 0, max: 65_535, default: 8080 }),
  /** Port of health and statistics; 0 takes a free one. */
  internalPort: integer('INTERNAL_PORT', { min: 0, max: 65_535, default: 0 }),
  logLevel: choice('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
  /** See {@link import('../cpu/cpu-control.js').createCpuControl}. */
  cpuLimitCores: cpuLimit('CPU_LIMIT'),
  /** Whether the internal port gives CPU profiles: they tell how the program works inside, so not in production. */
  profiling: choice('PROFILING', ['off', 'on'], 'off'),
  /** How long a stopping service waits for requests in flight. */
  shutdownGraceMs: integer('SHUTDOWN_GRACE_MS', { min: 0, max: 600_000, default: 10_000 }),
  /** How long a keep-alive connection must have been quiet before a stopping service closes it. */
  shutdownLingerMs: integer('SHUTDOWN_LINGER_MS', { min: 0, max: 600_000, default: 1_000 }),
  /** Distinguishes replicas and restarts; empty means role, process id and four random hex digits. */
  instance: text('INSTANCE', {
    pattern: /^[\w.:-]{0,100}$/,
    allowed: 'up to 100 letters, digits and . _ : -',
    default: '',
  }),
  /** Idle time after which a keep-alive connection is closed; announced to clients. */
  keepAliveTimeoutMs: integer('KEEP_ALIVE_TIMEOUT_MS', { min: 1_000, max: 3_600_000, default: 120_000 }),
  /** Age after which a connection is closed with its next answer, ±20 %, so that replicas share the load; 0: never. */
  keepAliveMaxAgeMs: integer('KEEP_ALIVE_MAX_AGE_MS', { min: 0, max: 86_400_000, default: 300_000 }),
  /** Requests after which a connection is closed with its answer; 0: never. */
  keepAliveMaxRequests: integer('KEEP_ALIVE_MAX_REQUESTS', { min: 0, max: 1_000_000_000, default: 10_000 }),
  /** Largest request body. */
  bodyLimitBytes: integer('BODY_LIMIT_BYTES', { min: 0, max: 104_857_600, default: 65_536 }),
} as const;
