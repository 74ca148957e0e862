import type { ProcessUsageRow } from './measurement.js';

/**
 * Channels of `node:diagnostics_channel` on which a process tells whoever listens inside it. Telemetry is loaded beside a service, or
 * not at all, so that neither may import the other.
 */
export const CHANNELS = {
  /** A {@link StoppingMessage}, once, after the last request and before the process exits. */
  stopping: 'bottleneck-lab:stopping',
  /** A {@link ProcessUsageRow} for every finished second. */
  processUsage: 'bottleneck-lab:process-usage',
} as const;

export interface StoppingMessage {
  /** Asks the process not to exit before `work` has ended; it waits for a limited time and ignores failures. */
  waitUntil(work: Promise<unknown>): void;
}

export type ProcessUsageMessage = ProcessUsageRow;
