import path from 'node:path';
import type { KnobCapability } from '../recording/index.js';
import { serviceSource, standInSource } from '../runner/row-source.js';
import { KNOB_TABLE, type KnobName } from '../scenarios/index.js';
import { emulatorControl } from '../stack/emulator-control.js';
import type { StackClient } from '../stack/stack-client.js';
import type { StackStatus } from '../stack/stack-status.js';
import type { Turn } from '../stack/turns.js';
import { telemetryRecorder } from '../telemetry/recorder.js';
import type { TelemetryStatus } from '../telemetry/settings.js';
import { announceLoad } from './announce-load.js';
import type { RecordableTelemetry, Target } from './target.js';

const KNOB_NAMES = Object.keys(KNOB_TABLE) as KnobName[];

/** The stack on this machine, over its control routes. */
export async function localTarget(client: StackClient): Promise<Target> {
  const first = await client.status();
  return {
    gatewayUrl: first.gatewayUrl,
    describe: () => ({
      kind: 'local',
      // On Azure the latencies are its own, so the scenarios' absolute figures don't apply.
      calibrated: first.database.kind === 'stand-in',
      database: first.database.kind,
      capabilities: localCapabilities(first.database.kind),
    }),
    applyKnobs: (knobs, choice) => client.applyKnobs({ knobs, ...choice }),
    announce: (load) => announceLoad(client, { ...load, pid: process.pid }),
    reveal: () => client.reveal(),
    reset: () => client.reset(),
    async sources() {
      const status = await client.status();
      return sourcesOf(status);
    },
    departedRows: (since) => client.departedRows(since),
    telemetry: first.telemetry,
    telemetryRecording: recordable(first.telemetry),
    calibration: async () => (await client.status()).calibration,
    watchTurns: (signal, onTurn) => void followTurns(client, signal, onTurn),
    async pids() {
      const { pid, processes } = await client.status();
      return [pid, ...processes.map((one) => one.pid)];
    },
    failure: (signal) => client.failure(signal),
  };
}

/** Ends with the signal, or with the stack, whose end is noticed elsewhere. */
async function followTurns(client: StackClient, signal: AbortSignal, onTurn: (turn: Turn) => void) {
  try {
    let since = await client.lastTurn();
    while (!signal.aborted) {
      for (const turned of await client.turns(since, signal)) {
        since = turned.sequence;
        onTurn(turned);
      }
    }
  } catch {
    // The load goes on without marks.
  }
}

function recordable(telemetry: TelemetryStatus | null): RecordableTelemetry | null {
  if (telemetry === null || telemetry.endpoint === null) return null;
  const { endpoint, runsDir } = telemetry;
  return {
    recorder: telemetryRecorder(endpoint),
    folderOf: (runId) => path.join(runsDir, runId, 'telemetry'),
  };
}

function sourcesOf({ database, processes }: StackStatus) {
  const services = processes.flatMap(({ instance, internalUrl }) =>
    internalUrl === null ? [] : [serviceSource(instance, internalUrl)],
  );
  const standIn = processes.find((one) => one.url === database.endpoint);
  if (database.controlToken === null || standIn === undefined) return services;
  return [...services, standInSource(emulatorControl(database.endpoint, database.controlToken), standIn.pid)];
}

/** The stand-in's settings have no counterpart on Azure. */
export function localCapabilities(database: 'stand-in' | 'azure'): Record<KnobName, KnobCapability> {
  return Object.fromEntries(
    KNOB_NAMES.map((name): [KnobName, KnobCapability] => {
      const { environment, cosmosOffer, replicasOf } = KNOB_TABLE[name];
      const ours = environment !== null || cosmosOffer !== null || replicasOf !== undefined;
      if (database === 'stand-in' || ours) return [name, { available: true }];
      return [name, { available: false, reason: 'Azure Cosmos DB has no API for it; only the stand-in has' }];
    }),
  ) as Record<KnobName, KnobCapability>;
}
