import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { INTERNAL_ROUTES, ROUTES, statsResponse } from '@bottleneck-lab/contracts';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serviceEntry } from '../../../lab/src/stack/service-table.js';
import { findFreePorts } from '../../../lab/src/supervisor/free-ports.js';
import { requestJson } from '../../../lab/src/supervisor/http-json.js';
import {
  createServiceSupervisor,
  type RunningService,
  type ServiceSupervisor,
} from '../../../lab/src/supervisor/service-supervisor.js';

const PATH = `${ROUTES.deliveriesSummary}?ownerId=o000042&year=2019&month=7`;
const ENV = { DATA_SEED: '1', CPU_LIMIT: '0.5' };
let folder: string;
let supervisor: ServiceSupervisor;
let port: number;
const ended: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lab-replicas-'));
  [port] = (await findFreePorts(1)) as [number];
  supervisor = createServiceSupervisor({
    logDir: folder,
    host: '127.0.0.1',
    onUnexpectedExit: ({ instance }) => ended.push(instance),
  });
  await supervisor.start({
    ...{ name: 'delivery', port, env: ENV, execArgv: [] },
    entry: serviceEntry('delivery'),
  });
  await supervisor.ready('delivery');
});
afterAll(async () => {
  await supervisor.stopAll();
  rmSync(folder, { recursive: true });
});

const names = () => supervisor.running().map(({ instance }) => instance);

/** Requests that an instance has answered. */
async function answeredBy({ internalPort }: RunningService): Promise<number> {
  const stats = await requestJson(`http://127.0.0.1:${internalPort}${INTERNAL_ROUTES.stats}?since=0`);
  return statsResponse
    .parse(stats)
    .rows.reduce((sum, row) => (row.kind === 'operation' ? sum + row.count : sum), 0);
}

it('replicas replace the one process without losing a request, and share the load', async () => {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 8 });
  const statuses = new Set<number>();
  let stopped = false;
  const users = Array.from({ length: 8 }, async () => {
    while (!stopped) {
      const { statusCode, body } = await pool.request({ method: 'GET', path: PATH });
      await body.dump();
      statuses.add(statusCode);
    }
  });
  const before = supervisor.get('delivery');
  await supervisor.replace('delivery', ENV, { replicas: 2 });
  expect(names()).toHaveLength(2);
  expect(names()).not.toContain(before.instance);
  // Rows tell of finished seconds.
  await expect
    .poll(async () => Math.min(...(await Promise.all(supervisor.running().map(answeredBy)))), {
      timeout: 15_000,
    })
    .toBeGreaterThan(0);
  stopped = true;
  await Promise.all(users);
  await pool.close();
  expect([...statuses]).toEqual([200]);
  expect((await before.process.exited).expected).toBe(true);
});

it('a replica that dies is noticed, and a replacement brings back the number', async () => {
  const [first, second] = supervisor.running() as [RunningService, RunningService];
  expect(supervisor.ended()).toEqual([]);
  process.kill(second.process.pid, 'SIGKILL');
  await second.process.exited;
  await expect.poll(() => ended, { timeout: 10_000 }).toEqual([second.instance]);
  expect(supervisor.ended()).toEqual(['delivery']);
  await supervisor.replace('delivery', ENV);
  expect(names()).toHaveLength(2);
  expect(names()).not.toContain(first.instance);
  expect(supervisor.ended()).toEqual([]);
});

it('when one of several does not start, the old ones go on', async () => {
  const before = names();
  await expect(supervisor.replace('delivery', { ...ENV, CPU_LIMIT: '-1' }, { replicas: 3 })).rejects.toThrow(
    'ended with exit code',
  );
  expect(names()).toEqual(before);
  expect(await requestJson(`http://127.0.0.1:${port}${PATH}`)).toHaveProperty('count');
});
