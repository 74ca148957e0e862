import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CosmosClient } from '@azure/cosmos';
import { CONTAINERS, DATABASE, DATASET } from '@bottleneck-lab/contracts';
import { type CosmosEmulator, startCosmosEmulator } from '@bottleneck-lab/cosmos-emulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../../lab/dist/seed-job/main.js', import.meta.url));
const DOCUMENTS = 3 * DATASET.owners * DATASET.months;
const DATA = { DATA_SEED: '1', PHYSICAL_PARTITIONS: '9', RU_PER_SECOND: '900' };
const MODEL = {
  QUERY_BASE_RU: '3.15',
  BURST_SECONDS: '1.25',
  QUERY_LATENCY: '62:1.3',
  POINT_READ_LATENCY: '2:0.5',
};

function runSeed(args: string[], env: Record<string, string>) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [PROGRAM, ...args],
      { env: { PATH: process.env.PATH, ...env } },
      (_, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

interface ModelDocument {
  provisionedRuPerSecond: number;
  physicalPartitions: number;
  throttling: boolean;
  burstSeconds: number;
  queryBaseRu: number;
  latency: Record<string, unknown>;
}

const modelOf = (emulator: CosmosEmulator, container: string) =>
  emulator.control(`containers/${DATABASE}/${container}/model`) as Promise<ModelDocument>;

async function count(emulator: CosmosEmulator, container: string): Promise<number> {
  const client = new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key });
  try {
    const { resources } = await client
      .database(DATABASE)
      .container(container)
      .items.query<number>('SELECT VALUE COUNT(1) FROM c', { forceQueryPlan: true })
      .fetchAll();
    return resources[0] as number;
  } finally {
    client.dispose();
  }
}

describe('seed snapshot', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'bottleneck-lab-seed-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('writes a file from which a stand-in starts with data, partitions, throughput and model', async () => {
    const file = path.join(folder, 'account.json');
    const { code, out, err } = await runSeed(['snapshot', file], { ...DATA, ...MODEL });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`${DOCUMENTS} documents written, 900 RU/s`);

    await using emulator = await startCosmosEmulator({ snapshot: file });
    for (const { id } of [CONTAINERS.utilizationByDelivery, CONTAINERS.utilizationByOwner]) {
      expect(await modelOf(emulator, id)).toMatchObject({
        provisionedRuPerSecond: 900,
        physicalPartitions: 9,
        throttling: true,
        burstSeconds: 1.25,
        queryBaseRu: 3.15,
        latency: { query: { meanMs: 62, coefficientOfVariation: 1.3 }, pointRead: null },
      });
    }
    expect(await modelOf(emulator, CONTAINERS.packages.id)).toMatchObject({
      latency: { query: null, pointRead: { meanMs: 2, coefficientOfVariation: 0.5 } },
    });
    await emulator.control(`containers/${DATABASE}/packages/model`, {
      method: 'PATCH',
      body: { throttling: false },
    });
    expect(await count(emulator, CONTAINERS.packages.id)).toBe(DOCUMENTS / 3 + 1);
  });
});

describe('seed account', () => {
  it('makes the data of an account, then only sets what has changed', async () => {
    await using emulator = await startCosmosEmulator();
    const access = {
      COSMOS_ENDPOINT: emulator.endpoint,
      COSMOS_KEY: emulator.key,
      COSMOS_EMULATOR_CONTROL_TOKEN: emulator.controlToken,
    };
    const first = await runSeed(['account'], { ...access, ...DATA, ...MODEL });
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toContain(`${DOCUMENTS} documents written`);

    const changed = { RU_PER_SECOND: '2500', QUERY_BASE_RU: '4' };
    const second = await runSeed(['account'], { ...access, ...DATA, ...MODEL, ...changed });
    expect(second.out).toContain('0 documents written, 2500 RU/s');
    expect(await modelOf(emulator, CONTAINERS.utilizationByOwner.id)).toMatchObject({
      provisionedRuPerSecond: 2500,
      throttling: true,
      queryBaseRu: 4,
    });
  });

  it('names the account when its key is refused, and writes no model without a token', async () => {
    await using emulator = await startCosmosEmulator();
    const env = { ...DATA, COSMOS_ENDPOINT: emulator.endpoint, COSMOS_KEY: 'AAAA' };
    const { code, err } = await runSeed(['account'], env);
    expect(code).toBe(1);
    expect(err).toMatch(/^seed: /);
  });
});

describe('the command line of seed', () => {
  it('names every variable that is missing or wrong', async () => {
    const { code, err } = await runSeed(['snapshot', 'x.json'], {
      PHYSICAL_PARTITIONS: '0',
      QUERY_LATENCY: 'quick',
    });
    expect(code).toBe(2);
    const named = ['DATA_SEED: is missing', 'RU_PER_SECOND: is missing', 'QUERY_BASE_RU: is missing'];
    for (const text of [...named, 'PHYSICAL_PARTITIONS: must be', 'QUERY_LATENCY: must look like 62:1.3']) {
      expect(err).toContain(text);
    }
  });

  it('refuses an identity without an account to ask Azure Resource Manager about, and other commands', async () => {
    const identity = { COSMOS_AUTH: 'managed-identity', COSMOS_ENDPOINT: 'http://account' };
    const { code, err } = await runSeed(['account'], { ...DATA, ...identity });
    expect(code).toBe(2);
    expect(err).toContain('COSMOS_ENDPOINT: must be an https address');
    expect(err).toContain('COSMOS_RESOURCE_ID: is missing');
    expect(await runSeed(['acount'], {})).toMatchObject({
      code: 2,
      err: expect.stringContaining('seed account'),
    });
  });
});
