import { integer } from '../config/setting.js';

/** What a service that calls other services reads from its environment. */
export const BACKEND_SETTINGS = {
  /** Longest wait for one backend's answer, all attempts together. */
  backendDeadlineMs: integer('BACKEND_DEADLINE_MS', { min: 1, max: 600_000, default: 10_000 }),
  /** Further attempts after a failure to connect, a 502 or a 503. */
  backendRetries: integer('BACKEND_RETRIES', { min: 0, max: 10, default: 0 }),
  /** Connections to each backend, all opened before traffic. */
  backendConnections: integer('BACKEND_CONNECTIONS', { min: 1, max: 1_024, default: 64 }),
  /** Age after which a connection is given up for a new one; 0: never. */
  backendConnectionMaxAgeMs: integer('BACKEND_CONNECTION_MAX_AGE_MS', {
    min: 0,
    max: 86_400_000,
    default: 600_000,
  }),
  /** Largest answer taken from a backend. */
  backendAnswerLimitBytes: integer('BACKEND_ANSWER_LIMIT_BYTES', {
    min: 1,
    max: 104_857_600,
    default: 1_048_576,
  }),
} as const;
