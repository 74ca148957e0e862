import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CosmosClient } from '@azure/cosmos';
import { WELL_KNOWN_KEY } from '@bottleneck-lab/cosmos-emulator';
import { expect, test } from 'vitest';
import { request } from './raw-request.js';

const MAIN = fileURLToPath(import.meta.resolve('@bottleneck-lab/cosmos-emulator/main'));

interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the command to its end. */
async function run(args: string[], env: Record<string, string> = {}): Promise<Finished> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, ...env } });
  return await finished(child);
}

async function finished(child: ChildProcess): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

test('--help names every option with its environment variable', async () => {
  const { code, stdout } = await run(['--help']);
  expect(code).toBe(0);
  for (const name of [
    'PORT',
    'HOST',
    'KEY',
    'SEED',
    'NO_THROTTLING',
    'BURST_SECONDS',
    'QUERY_BASE_RU',
    'LATENCY_QUERY',
  ]) {
    expect(stdout).toContain(`COSMOS_EMULATOR_${name}`);
  }
});

test('--print-config shows the settings without secrets', async () => {
  const { code, stdout } = await run(['--print-config', '--burst-seconds', '3'], {
    COSMOS_EMULATOR_CONTROL_TOKEN: 'secret',
  });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ port: 8081, burstSeconds: 3, key: '***', controlToken: '***' });
});

test.each([
  [['--prot', '1'], {}, /unknown option '--prot'/],
  [['--port', 'abc'], {}, /It has to be a number/],
  [['--port', '70000', '--burst-seconds', '400'], {}, /--port[\s\S]*--burst-seconds/],
  [[], { COSMOS_EMULATOR_PORT: '70000' }, /--port/],
  [[], { COSMOS_EMULATOR_NO_THROTTLING: 'yes' }, /true or false, not "yes"/],
  [['--latency-query', '5:1:2'], {}, /65:1\.3/],
  [['--latency-query', '-5'], {}, /latency/],
])('%j %j is refused by name', async (args, env, message) => {
  const { code, stderr } = await run(args, env as Record<string, string>);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});

test('as a child it reports its port and token, and stops on a message', async () => {
  const child = fork(MAIN, ['--port', '0', '--latency-query', '5:0.5'], {
    env: { ...process.env, COSMOS_EMULATOR_SEED: '9', COSMOS_EMULATOR_NO_THROTTLING: 'true' },
  });
  const [message] = await once(child, 'message');
  expect(message).toEqual({ type: 'listening', port: expect.any(Number), controlToken: expect.any(String) });
  const endpoint = `http://127.0.0.1:${message.port}/`;
  const client = new CosmosClient({ endpoint, key: WELL_KNOWN_KEY });
  const { database } = await client.databases.create({ id: 'db' });
  await database.containers.create({ id: 'c', partitionKey: '/a' });
  const { body } = await request(
    { endpoint },
    { path: '/_emulator/containers/db/c/model', headers: { 'x-emulator-token': message.controlToken } },
  );
  expect(body).toMatchObject({
    seed: 9,
    throttling: false,
    latency: { query: { meanMs: 5, coefficientOfVariation: 0.5 } },
  });
  client.dispose();
  child.send({ type: 'shutdown' });
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a port in use is one clear line and a failure', async () => {
  const child = fork(MAIN, ['--port', '0']);
  const [{ port }] = await once(child, 'message');
  const { code, stderr } = await run(['--port', String(port)]);
  expect(code).toBe(1);
  expect(stderr).toBe(`cosmos-emulator: Port ${port} on 127.0.0.1 is in use: choose another with --port.\n`);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a child whose parent goes away does not stay behind', async () => {
  const child = fork(MAIN, ['--port', '0']);
  await once(child, 'message');
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.skipIf(process.platform !== 'linux')('an idle server uses less than one percent of a core', async () => {
  const { readdir, readFile } = await import('node:fs/promises');
  const child = fork(MAIN, ['--port', '0']);
  const [{ port }] = await once(child, 'message');
  const client = new CosmosClient({ endpoint: `http://127.0.0.1:${port}/`, key: WELL_KNOWN_KEY });
  await client.databases.create({ id: 'db' });
  const cpuMs = async () => {
    const threads = await readdir(`/proc/${child.pid}/task`);
    const stats = await Promise.all(
      threads.map((id) => readFile(`/proc/${child.pid}/task/${id}/schedstat`, 'utf8')),
    );
    return stats.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e6, 0);
  };
  const ofFourSeconds = async () => {
    const before = await cpuMs();
    await new Promise((resolve) => setTimeout(resolve, 4000));
    return (await cpuMs()) - before;
  };
  // Its sampling ends after some seconds, and so do the garbage collections that the start has left behind.
  await expect.poll(ofFourSeconds, { timeout: 50_000, interval: 1 }).toBeLessThan(40);
  client.dispose();
  child.send({ type: 'shutdown' });
  await once(child, 'exit');
});
