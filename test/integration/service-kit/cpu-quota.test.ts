import { type ProcessUsageRow, statsResponse } from '@bottleneck-lab/contracts';
import { Pool } from 'undici';
import { describe, expect, it } from 'vitest';
import { mainOf, startProcess } from './service-process.js';

const LIMIT_CORES = 0.2;
const CONNECTIONS = 8;
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

describe('the CPU quota', () => {
  it('holds a saturated service to its limit, counts throttled periods, and leaves health checks answered', async () => {
    await using service = startProcess(mainOf('delivery'), { env: { CPU_LIMIT: String(LIMIT_CORES) } });
    const { url, internalUrl } = await service.listening;
    const load = saturate(url);
    const warmedUpAt = Math.floor(Date.now() / 1_000) + 2;
    const rows: ProcessUsageRow[] = [];
    let checked = 0;
    while (rows.length < SECONDS) {
      const health = await fetch(`${url}/-/ready`, { signal: AbortSignal.timeout(2_000) });
      expect(health.status).toBe(200);
      checked += 1;
      const stats = await fetch(`${internalUrl}/-/stats?since=${rows.at(-1)?.second ?? warmedUpAt}`);
      for (const row of statsResponse.parse(await stats.json()).rows)
        if (row.kind === 'process') rows.push(row);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await load.stop();
    const total = (pick: (row: ProcessUsageRow) => number) => rows.reduce((sum, row) => sum + pick(row), 0);
    const usedCores = total((row) => row.cpuMs) / (rows.length * 1_000);
    // How much of a period's CPU is on the wrong side of a second's edge is the width of this range.
    expect(usedCores / LIMIT_CORES).toBeGreaterThan(0.95);
    expect(usedCores / LIMIT_CORES).toBeLessThan(1.05);
    expect(rows.every((row) => row.cpuLimitCores === LIMIT_CORES && row.cpuLimitSource === 'quota')).toBe(
      true,
    );
    expect(total((row) => row.periods) / rows.length).toBeGreaterThan(9);
    expect(total((row) => row.throttledPeriods) / total((row) => row.periods)).toBeGreaterThan(0.9);
    expect(total((row) => row.throttledMs)).toBeGreaterThan(0);
    expect(load.answered()).toBeGreaterThan(CONNECTIONS);
    expect(checked).toBeGreaterThan(10);
  });
});
