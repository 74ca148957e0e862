#!/usr/bin/env node
import { readAccountSettings, readSnapshotSettings, SeedJobUsageError } from './config.js';
import { seedRunningAccount, seedSnapshot } from './seed-job.js';

/** What a Job of a cluster runs: makes data, sets throughput, and ends. */
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const USAGE = 'seed account, or seed snapshot FILE; everything else comes from the environment';

async function run([command, file, ...rest]: string[]): Promise<string> {
  if (command === 'account' && file === undefined) {
    const { account, model } = readAccountSettings(process.env);
    const { written } = await seedRunningAccount(account, model);
    return `${account.COSMOS_ENDPOINT}: ${written} documents written, ${account.RU_PER_SECOND} RU/s`;
  }
  if (command === 'snapshot' && file !== undefined && rest.length === 0) {
    const settings = readSnapshotSettings(process.env);
    const { written } = await seedSnapshot(settings, file);
    return `${file}: ${written} documents written, ${settings.RU_PER_SECOND} RU/s`;
  }
  throw new SeedJobUsageError([
    `${[command, file, ...rest].join(' ').trim() || 'nothing'} is not a command: ${USAGE}`,
  ]);
}

run(process.argv.slice(2)).then(
  (result) => process.stdout.write(`${result}\n`),
  (error: Error) => {
    process.stderr.write(`seed: ${error.message}\n`);
    process.exitCode = error instanceof SeedJobUsageError ? EXIT_USAGE : EXIT_FAILED;
  },
);
