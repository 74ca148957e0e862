import { UsageError } from './errors.js';
import type { TelemetryFlags } from './telemetry-flags.js';

/** Refuses what containers can not be given on the command line. */
export function refuseForCompose(options: TelemetryFlags & { cosmosEndpoint?: string | undefined }): void {
  if (options.cosmosEndpoint !== undefined) {
    throw new UsageError(
      '--target compose runs on the stand-in; --cosmos-endpoint belongs to --target local',
    );
  }
  if (options.telemetry || options.connectionStringEnv !== undefined) {
    throw new UsageError(
      '--target compose: telemetry is set by variables of compose.yaml, see docs/containers.md',
    );
  }
}
