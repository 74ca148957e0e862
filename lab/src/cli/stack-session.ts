import { StackError } from '../stack/errors.js';
import { acquireLock } from '../stack/file-lock.js';
import { findStack } from '../stack/find-stack.js';
import { type LaunchedStack, launchStack } from '../stack/launch-stack.js';
import type { OnPhase } from '../stack/phases.js';
import type { StackClient } from '../stack/stack-client.js';
import { stackOptions } from '../stack/stack-options.js';
import type { StackStatus } from '../stack/stack-status.js';
import { openStateDir } from '../stack/state-dir.js';
import type { TelemetryOptions } from '../telemetry/settings.js';
import { telemetryConflict } from './telemetry-flags.js';

export interface SessionOptions {
  stateDir: string;
  seed: number;
  port: number;
  cosmosEndpoint: string | null;
  /** Null: not asked for. */
  telemetry: TelemetryOptions | null;
  /** Leave a stack running that was started for this. */
  keep: boolean;
  onPhase: OnPhase;
  /** Told of a stack that was running already. */
  onReuse: (status: StackStatus) => void;
  signal: AbortSignal;
}

/** A stack to run on: one that was running already, or one that lives as long as the session. */
export interface StackSession {
  client: StackClient;
  close(): Promise<void>;
  /** Ends an own stack without waiting. */
  kill(): void;
}

export async function openStackSession(options: SessionOptions): Promise<StackSession> {
  const dir = openStateDir(options.stateDir);
  const lock = acquireLock(dir.runLock);
  if (!lock.acquired) {
    throw new StackError(
      'ALREADY_RUNNING',
      `process ${lock.holder.pid} is running a load on the stack of ${dir.root}; two at once would disturb each other`,
    );
  }
  try {
    const { client, own } = await findOrLaunch(options);
    return {
      client,
      kill: () => own?.kill(),
      async close() {
        try {
          if (own !== null) await (options.keep ? own.detach() : own.stop());
        } finally {
          lock.release();
        }
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function findOrLaunch(
  options: SessionOptions,
): Promise<{ client: StackClient; own: LaunchedStack | null }> {
  const { seed, cosmosEndpoint, onPhase, signal } = options;
  const found = await findStack(openStateDir(options.stateDir));
  if (found.found) {
    refuseUnsuitable(found.status, options);
    options.onReuse(found.status);
    return { client: found.client, own: null };
  }
  const launch = stackOptions.parse({
    stateDir: options.stateDir,
    seed,
    gatewayPort: options.port,
    verifyCalibration: false,
    cosmosEndpoint,
    telemetry: options.telemetry,
  });
  const own = await launchStack(launch, { onPhase, signal });
  return { client: own.client, own };
}

function refuseUnsuitable(
  status: StackStatus,
  { seed, cosmosEndpoint, port, telemetry }: SessionOptions,
): void {
  const advice = 'stop it with "lab down", or use another directory with --state-dir';
  const { failure } = status;
  if (failure !== null) {
    throw new StackError(
      'PROCESS_DIED',
      `the running stack has failed: ${failure.process} ${failure.description}; stop it with "lab down"`,
      { lastLines: failure.lastLines },
    );
  }
  if (status.seed !== seed) {
    throw new StackError(
      'ALREADY_RUNNING',
      `a stack with seed ${status.seed} is running, not with ${seed}; ${advice}`,
    );
  }
  const endpoint = status.database.kind === 'azure' ? status.database.endpoint : null;
  if (endpoint !== cosmosEndpoint) {
    const runs = endpoint ?? 'the stand-in';
    throw new StackError(
      'ALREADY_RUNNING',
      `a stack on ${runs} is running, not on ${cosmosEndpoint ?? 'the stand-in'}; ${advice}`,
    );
  }
  const conflict = telemetryConflict(status.telemetry, telemetry);
  if (conflict !== null) {
    throw new StackError('ALREADY_RUNNING', `a stack is running ${conflict}; ${advice}`);
  }
  if (port !== 0 && new URL(status.gatewayUrl).port !== String(port)) {
    throw new StackError(
      'ALREADY_RUNNING',
      `a stack is running with its gateway at ${status.gatewayUrl}, not on port ${port}; ${advice}`,
    );
  }
}
