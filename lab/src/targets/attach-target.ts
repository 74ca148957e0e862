import type { ServiceName } from '@bottleneck-lab/contracts';
import type { KnobCapability } from '../recording/index.js';
import { serviceSource } from '../runner/row-source.js';
import { KNOB_TABLE, type KnobName } from '../scenarios/index.js';
import type { Target } from './target.js';

export interface AttachOptions {
  gatewayUrl: string;
  /** Internal URLs of services, where `/-/stats` is read. Without any, only the load is measured. */
  statsUrls: { name: ServiceName; url: string }[];
}

const REASON = 'attached: the lab only watches this system, it restarts and sets nothing';

/** A system that somebody else runs: loaded and watched, never changed. */
export function attachTarget({ gatewayUrl, statsUrls }: AttachOptions): Target {
  const capabilities = Object.fromEntries(
    Object.keys(KNOB_TABLE).map((name) => [name, { available: false, reason: REASON }]),
  ) as Record<KnobName, KnobCapability>;
  return {
    gatewayUrl,
    describe: () => ({ kind: 'attach', calibrated: false, database: 'azure', capabilities }),
    applyKnobs: async () => ({ changed: [] }),
    reset: async () => {},
    // Several replicas of one service have one URL each, so the URL is part of the name.
    sources: async () => statsUrls.map(({ name, url }) => serviceSource(`${name} at ${url}`, url)),
    departedRows: async () => [],
    calibration: async () => null,
    telemetry: null,
    telemetryRecording: null,
    watchTurns: () => {},
    pids: async () => [],
    failure: (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
  };
}
