import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROUTES } from '@bottleneck-lab/contracts';
import { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceEntry } from '../../../lab/src/stack/service-table.js';
import { findFreePorts } from '../../../lab/src/supervisor/free-ports.js';
import { requestJson } from '../../../lab/src/supervisor/http-json.js';
import type { ProcessExit } from '../../../lab/src/supervisor/managed-process.js';
import {
  createServiceSupervisor,
  type ServiceSupervisor,
} from '../../../lab/src/supervisor/service-supervisor.js';

const QUERY = 'ownerId=o000042&year=2019&month=7';
let folder: string;
let supervisor: ServiceSupervisor;
let port: number;
const unexpected: { instance: string; exit: ProcessExit }[] = [];

const delivery = (env: Record<string, string>) => ({
  name: 'delivery' as const,
  entry: serviceEntry('delivery'),
  port,
  env,
  execArgv: [],
});

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lab-replace-'));
  [port] = (await findFreePorts(1)) as [number];
  supervisor = createServiceSupervisor({
    logDir: folder,
    host: '127.0.0.1',
    onUnexpectedExit: ({ instance }, exit) => unexpected.push({ instance, exit }),
  });
});
afterAll(async () => {
  await supervisor.stopAll();
  rmSync(folder, { recursive: true });
});

describe('service supervisor', () => {
  it('reports a wrong configuration with the words of the service', async () => {
    await expect(supervisor.start(delivery({ CPU_LIMIT: 'much' }))).rejects.toMatchObject({
      message: expect.stringContaining('delivery-1 ended with exit code'),
      exit: { lastLines: expect.arrayContaining([expect.stringContaining('CPU_LIMIT')]) },
    });
    expect(unexpected).toEqual([]);
  });

  it('replaces a service under load without losing a request', async () => {
    const first = await supervisor.start(delivery({ DATA_SEED: '1' }));
    await supervisor.ready('delivery');
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 4 });
    const statuses = new Map<number, number>();
    let stopped = false;
    const users = Array.from({ length: 4 }, async () => {
      while (!stopped) {
        const { statusCode, body } = await pool.request({
          method: 'GET',
          path: `${ROUTES.deliveriesSummary}?${QUERY}`,
        });
        await body.dump();
        statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
      }
    });

    const second = await supervisor.replace('delivery', { DATA_SEED: '1', CPU_LIMIT: '0.5' });
    expect(second.instance).not.toBe(first.instance);
    expect(await first.process.exited).toMatchObject({ code: 0, expected: true });
    stopped = true;
    await Promise.all(users);
    await pool.close();

    expect([...statuses.keys()]).toEqual([200]);
    expect(supervisor.running().map(({ instance }) => instance)).toEqual([second.instance]);
    const departed = supervisor.departedRows(0);
    expect(departed.map(({ instance }) => instance)).toEqual([first.instance]);
    expect(departed[0]?.rows.some((row) => row.kind === 'operation' && row.count > 0)).toBe(true);
  });

  it('keeps the old process when the new one does not start', async () => {
    const before = supervisor.get('delivery');
    await expect(supervisor.replace('delivery', { CPU_LIMIT: '-1' })).rejects.toThrow('ended with exit code');
    expect(supervisor.get('delivery')).toBe(before);
    expect(await requestJson(`http://127.0.0.1:${port}${ROUTES.deliveriesSummary}?${QUERY}`)).toHaveProperty(
      'count',
    );
  });

  it('tells of a process that ends by itself, and only of that', async () => {
    const { instance, process: child } = supervisor.get('delivery');
    process.kill(child.pid, 'SIGKILL');
    await child.exited;
    await expect.poll(() => unexpected.length).toBe(1);
    expect(unexpected[0]).toMatchObject({ instance, exit: { signal: 'SIGKILL', expected: false } });
  });
});
