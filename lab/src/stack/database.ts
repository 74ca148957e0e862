import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CosmosClient } from '@azure/cosmos';
import { labContainers, type SeedResult, seedAccount, setThroughput } from '../seed/index.js';
import { startChild } from '../supervisor/child-process.js';
import type { ManagedProcess } from '../supervisor/managed-process.js';
import { type EmulatorControl, emulatorControl } from './emulator-control.js';
import { StackError } from './errors.js';
import { EMULATOR_NODE_FLAGS } from './service-table.js';
import { applyModel, liftModel, type ModelKnobs } from './stand-in-model.js';

/** The Cosmos DB account of a stack: the stand-in as a child process, or an account that exists already. */
export interface StackDatabase {
  kind: 'stand-in' | 'azure';
  endpoint: string;
  key: string;
  /** The stand-in's process and control; null for an account, which has neither. */
  standIn: { process: ManagedProcess; control: EmulatorControl; controlToken: string } | null;
  seed(options: { seed: number; physicalPartitions: number; ruPerSecond: number }): Promise<SeedResult>;
  /** What Azure has an API for; nothing is sent when it is so already. Returns whether anything changed. */
  applyThroughput(ruPerSecond: number): Promise<boolean>;
  /**
   * Throttling, burst, base charge and latency: on the stand-in only. `off` answers at once and refuses nothing,
   * for warming up.
   */
  applyModel(knobs: ModelKnobs, options: { model: 'off' | 'on'; seed: number }): Promise<void>;
  /** Closes the client and ends the stand-in. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 15_000;

/** Starts the stand-in on `port` and opens a client to it. */
export async function startStandIn(options: {
  host: string;
  port: number;
  seed: number;
  logDir: string;
}): Promise<StackDatabase> {
  const key = randomBytes(64).toString('base64');
  const child = startChild({
    name: 'cosmos-emulator',
    entry: fileURLToPath(new URL('./main.js', import.meta.resolve('@bottleneck-lab/cosmos-emulator'))),
    args: ['--host', options.host, '--port', String(options.port), '--seed', String(options.seed)],
    env: { COSMOS_EMULATOR_KEY: key },
    execArgv: EMULATOR_NODE_FLAGS,
    logPath: path.join(options.logDir, 'cosmos-emulator.log'),
  });
  const listening = await child.waitForMessage('listening', START_TIMEOUT_MS);
  const endpoint = `http://${options.host}:${listening.port}`;
  const controlToken = String(listening.controlToken);
  const control = emulatorControl(endpoint, controlToken);
  return openDatabase({ endpoint, key, standIn: { process: child, control, controlToken } });
}

/** An account that exists already: Azure, or a stand-in started by somebody else. */
export function useAccount(endpoint: string, key: string | undefined): StackDatabase {
  if (key === undefined || key === '') {
    throw new StackError(
      'KEY_MISSING',
      `--cosmos-endpoint ${endpoint} needs the account's key in the environment variable COSMOS_KEY`,
    );
  }
  return openDatabase({ endpoint, key, standIn: null });
}

function openDatabase(options: Pick<StackDatabase, 'endpoint' | 'key' | 'standIn'>): StackDatabase {
  const { endpoint, key, standIn } = options;
  const connect = () =>
    new CosmosClient({
      endpoint,
      key,
      // Seeding an account of a few thousand RU/s takes as long as its budget says.
      connectionPolicy: { retryOptions: { maxRetryAttemptCount: 100, maxWaitTimeInSeconds: 300 } as never },
    });
  const client = connect();

  return {
    ...options,
    kind: standIn === null ? 'azure' : 'stand-in',
    async seed({ seed, physicalPartitions, ruPerSecond }) {
      try {
        return await seedAccount({
          connect,
          seed,
          physicalPartitions,
          ruPerSecond,
          onContainersCreated: async () => {
            if (standIn !== null) await liftModel(standIn.control);
          },
        });
      } catch (cause) {
        throw describeSeedFailure(cause, options);
      }
    },
    async applyThroughput(ruPerSecond) {
      const { utilizationByDelivery, utilizationByOwner } = labContainers(client);
      const changed = await Promise.all([
        setThroughput(utilizationByDelivery, ruPerSecond),
        setThroughput(utilizationByOwner, ruPerSecond),
      ]);
      return changed.includes(true);
    },
    async applyModel(knobs, options) {
      if (standIn !== null) await applyModel(standIn.control, knobs, options);
    },
    async stop() {
      client.dispose();
      await standIn?.process.stop();
    },
  };
}

function describeSeedFailure(
  cause: unknown,
  { endpoint, standIn }: Pick<StackDatabase, 'endpoint' | 'standIn'>,
): StackError {
  if (cause instanceof StackError) return cause;
  const code = String((cause as { code?: unknown }).code ?? '');
  const message = (cause as Error).message.split('\n')[0] ?? '';
  const lastLines = standIn?.process.lastLines() ?? [];
  if (code === '401' || code === '403') {
    return new StackError(
      'SEED_FAILED',
      `${endpoint} refused the key in COSMOS_KEY (${code}); take the primary key of that account`,
      { cause },
    );
  }
  return new StackError('SEED_FAILED', `seeding ${endpoint} failed: ${code} ${message}`.trim(), {
    cause,
    lastLines,
  });
}
