import { CosmosClient } from '@azure/cosmos';
import { startCosmosEmulator } from '@bottleneck-lab/cosmos-emulator';
import { type SeedResult, seedAccount } from '../seed/index.js';
import { type EmulatorControl, emulatorControl } from '../stack/emulator-control.js';
import { applyModel, liftModel } from '../stack/stand-in-model.js';
import type { AccountSettings, SnapshotSettings, StandInModel } from './config.js';
import { resourceManagerThroughput } from './resource-manager.js';

/** Seeding an account of a few thousand RU/s takes as long as its budget says. */
const PATIENCE = { retryOptions: { maxRetryAttemptCount: 100, maxWaitTimeInSeconds: 300 } as never };

/**
 * Makes the data of an account that runs, or leaves it as it is, and sets throughput; on a stand-in the model too.
 * With an identity instead of a key, throughput goes through Azure Resource Manager: tokens for data may not change it.
 */
export async function seedRunningAccount(
  account: AccountSettings,
  model: StandInModel | null,
): Promise<SeedResult> {
  const seed = account.DATA_SEED;
  const { connect, throughput } = await accessTo(account);
  const control =
    account.COSMOS_AUTH === 'key' && account.COSMOS_EMULATOR_CONTROL_TOKEN !== undefined
      ? emulatorControl(account.COSMOS_ENDPOINT, account.COSMOS_EMULATOR_CONTROL_TOKEN)
      : null;
  const result = await seedAccount({
    ...{ connect, throughput, seed },
    physicalPartitions: account.PHYSICAL_PARTITIONS,
    ruPerSecond: account.RU_PER_SECOND,
    ...(control === null ? {} : { onContainersCreated: () => liftModel(control) }),
  });
  if (control !== null && model !== null) await applyKnobs(control, model, seed);
  return result;
}

/** Writes the file that a stand-in starts from: an account with its data, throughput and model. */
export async function seedSnapshot(settings: SnapshotSettings, file: string): Promise<SeedResult> {
  const seed = settings.DATA_SEED;
  await using emulator = await startCosmosEmulator({ snapshot: file, seed });
  const control = emulatorControl(emulator.endpoint, emulator.controlToken);
  const result = await seedAccount({
    connect: () => new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key }),
    seed,
    physicalPartitions: settings.PHYSICAL_PARTITIONS,
    ruPerSecond: settings.RU_PER_SECOND,
    onContainersCreated: () => liftModel(control),
  });
  await applyKnobs(control, settings, seed);
  return result;
}

function applyKnobs(control: EmulatorControl, model: StandInModel, seed: number): Promise<void> {
  const knobs = {
    queryBaseRu: model.QUERY_BASE_RU,
    burstSeconds: model.BURST_SECONDS,
    queryLatency: model.QUERY_LATENCY,
    pointReadLatency: model.POINT_READ_LATENCY,
  };
  return applyModel(control, knobs, { model: 'on', seed });
}

async function accessTo(account: AccountSettings) {
  const endpoint = account.COSMOS_ENDPOINT;
  if (account.COSMOS_AUTH === 'key') {
    const { COSMOS_KEY: key } = account;
    return { connect: () => new CosmosClient({ endpoint, key, connectionPolicy: PATIENCE }) };
  }
  const { DefaultAzureCredential } = await import('@azure/identity');
  const credential = new DefaultAzureCredential();
  return {
    connect: () => new CosmosClient({ endpoint, aadCredentials: credential, connectionPolicy: PATIENCE }),
    throughput: resourceManagerThroughput({ accountId: account.COSMOS_RESOURCE_ID, credential }),
  };
}
