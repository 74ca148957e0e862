import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CosmosClient } from '@azure/cosmos';
import { GenericContainer, RandomPortGenerator } from 'testcontainers';
import { describe, expect, inject, it } from 'vitest';
import { eventually } from '../integration/service-kit/eventually.js';
import { docker } from './docker.js';

/** The key that is public for every emulator of Cosmos DB. */
const KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';
const MICROSOFT =
  process.env.COSMOS_EMULATOR_IMAGE || 'mcr.microsoft.com/cosmosdb/linux/azure-cosmos-emulator:vnext-preview';
const START_MS = 180_000;

const images = inject('images');

/** Each account tells clients its own address, so its port is the same inside and outside. */
const accounts = [
  {
    title: "Microsoft's emulator",
    image: MICROSOFT,
    env: (port: number) => ({ PROTOCOL: 'http', PORT: String(port), ENABLE_TELEMETRY: 'false' }),
    missing: `${MICROSOFT} is not on this machine: docker pull it, or name another with COSMOS_EMULATOR_IMAGE`,
  },
  {
    title: 'the stand-in in a container',
    image: images.available ? images.tags['cosmos-emulator'] : '',
    env: (port: number) => ({ COSMOS_EMULATOR_PORT: String(port), COSMOS_EMULATOR_KEY: KEY }),
    missing: images.available ? '' : images.reason,
  },
];

const isHere = async (image: string) =>
  image !== '' && (await docker(['image', 'inspect', '--format', '{{.Id}}', image])).code === 0;
const known = await Promise.all(accounts.map(async (one) => ({ ...one, here: await isHere(one.image) })));

/** The suite of test/parity, in a process of its own that is told the account. */
async function runSuite(account: { endpoint: string; key: string }) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lab-parity-'));
  const report = path.join(folder, 'report.json');
  try {
    const output = await new Promise<string>((resolve) => {
      execFile(
        process.execPath,
        [
          fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url)),
          ...['run', '--project', 'integration', 'test/parity/drone-utilization.test.ts'],
          ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
        ],
        {
          cwd: fileURLToPath(new URL('../..', import.meta.url)),
          env: {
            ...process.env,
            CI: '',
            COSMOS_PARITY_ENDPOINT: account.endpoint,
            COSMOS_PARITY_KEY: account.key,
          },
        },
        (_error, stdout, stderr) => resolve(stdout + stderr),
      );
    });
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'));
    return { output, passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.each(known)('drone-utilization on $title', ({ image, env, missing, here }) => {
  it.skipIf(!here)(
    here ? `passes its suite on ${image}` : `skipped: ${missing}`,
    async () => {
      const port = await new RandomPortGenerator().generatePort();
      const container = await new GenericContainer(image)
        .withEnvironment(env(port))
        .withExposedPorts({ host: port, container: port })
        .withStartupTimeout(START_MS)
        .start();
      try {
        const account = { endpoint: `http://127.0.0.1:${port}/`, key: KEY };
        const client = new CosmosClient(account);
        // It listens before it can answer.
        await eventually(
          () =>
            client.databases
              .readAll()
              .fetchAll()
              .then(
                () => true,
                () => false,
              ),
          START_MS,
        );
        client.dispose();
        const { output, ...outcome } = await runSuite(account);
        expect(outcome, output).toEqual({ passed: 4, failed: 0, skipped: 0 });
      } finally {
        await container.stop();
      }
    },
    2 * START_MS,
  );
});
