import { readFile } from 'node:fs/promises';
import { type Container, CosmosClient } from '@azure/cosmos';
import { startCosmosEmulator } from '@bottleneck-lab/cosmos-emulator';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';

const README = new URL('../../../emulators/cosmos/README.md', import.meta.url);
const HEADING = '## A test of 429 handling in ten lines';

/** The example as it stands in the README, and not a copy that may have moved away from it. */
test('the example of the README passes, by waiting for 429', async () => {
  const [, section = ''] = (await readFile(README, 'utf8')).split(HEADING);
  const [, example = ''] = /```ts\n(.*?)```/s.exec(section) ?? [];
  const { code } = await transform(example, { loader: 'ts', target: 'node20' });
  const tests = new Map<string, () => Promise<void>>();
  const attempts: number[] = [];
  const myRepository = (container: Container) => ({
    async save(order: { id: string; customer: string }) {
      const { headers } = await container.items.create(order);
      attempts.push(Number(headers['x-ms-throttle-retry-count'] ?? 0));
    },
  });
  const scope = {
    test: (name: string, run: () => Promise<void>) => tests.set(name, run),
    ...{ expect, CosmosClient, startCosmosEmulator, myRepository },
  };
  new Function(...Object.keys(scope), code)(...Object.values(scope));
  expect([...tests.keys()]).toEqual(['my repository survives throttling']);
  for (const run of tests.values()) await run();
  expect(attempts).toHaveLength(200);
  expect(attempts.some((retries) => retries > 0)).toBe(true);
});
