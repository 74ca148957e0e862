import { type ProcessUsageRow, statsResponse } from '@bottleneck-lab/contracts';
import { Pool } from 'undici';
import { describe, expect, it } from 'vitest';
import { mainOf, startProcess } from './service-process.js';

const LIMIT_CORES = 0.2;
const CONNECTIONS = 16;
const SECONDS = 5;

/** Keeps a delivery service busy until told to stop. */
function saturate(url: string) {
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  let stopped = false;
  let answered = 0;
  const loops = Array.from({ length: CONNECTIONS }, async (_, i) => {
    for (let n = 0; !stopped; n += 1) {
      const path = `/api/deliveries/summary?ownerId=o${String(i).padStart(6, '0')}&year=2019&month=${1 + (n % 12)}`;
      const { statusCode, body } = await pool.request({ method: 'GET', path });
      await body.dump();
      if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
      answered += 1;
    }
  });
  return {
    answered: () => answered,
    async stop() {
      stopped = true;
      await Promise.all(loops);
      await pool.close();
    },
  };
}

/** A second in which the service wanted more CPU than it may have, all the time. */
const isSaturated = (row: ProcessUsageRow) => row.periods >= 9 && row.throttledPeriods >= row.periods;

describe('the CPU quota', () => {
  it('holds a saturated service to its limit, counts throttled periods, and leaves health checks answered', async () => {
    await using service = startProcess(mainOf('delivery'), { env: { CPU_LIMIT: String(LIMIT_CORES) } });
    const { url, internalUrl } = await service.listening;
    // The quota begins when the service listens; the second in which it started up is not under it as a whole.
    const startedIn = Math.floor(Date.now() / 1_000);
    const load = saturate(url);
    const rows: ProcessUsageRow[] = [];
    let checked = 0;
    // On a busy machine the service does not always get the CPU it may use; such seconds say nothing.
    while (rows.filter(isSaturated).length < SECONDS) {
      const health = await fetch(`${url}/-/ready`, { signal: AbortSignal.timeout(5_000) });
      expect(health.status).toBe(200);
      checked += 1;
      const stats = await fetch(`${internalUrl}/-/stats?since=${rows.at(-1)?.second ?? startedIn}`);
      for (const row of statsResponse.parse(await stats.json()).rows)
        if (row.kind === 'process') rows.push(row);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await load.stop();
    const saturated = rows.filter(isSaturated);
    const usedCores = saturated.reduce((sum, row) => sum + row.cpuMs, 0) / (saturated.length * 1_000);
    expect(usedCores / LIMIT_CORES).toBeGreaterThan(0.95);
    expect(usedCores / LIMIT_CORES).toBeLessThan(1.05);
    for (const row of saturated) {
      expect(row).toMatchObject({ cpuLimitCores: LIMIT_CORES, cpuLimitSource: 'quota' });
      expect(row.throttledMs).toBeGreaterThan(0);
    }
    // Whatever the machine does, the service never gets more than its limit for long.
    const since = rows.slice(rows.findIndex(isSaturated));
    const used = since.reduce((sum, row) => sum + row.cpuMs, 0) / (since.length * 1_000);
    expect(used / LIMIT_CORES).toBeLessThan(1.1);
    expect(load.answered()).toBeGreaterThan(CONNECTIONS);
    expect(checked).toBeGreaterThan(10);
  });
});
