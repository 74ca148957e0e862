import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { STEP_LOAD_SCRIPT, startLoad } from '@bottleneck-lab/loadtests';
import { expect, it } from 'vitest';
import { startTarget } from '../loadtests/target-server.js';

/** Owners that a short load without think time asked for, and how it ended. */
async function ownersOf(share: string): Promise<{ owners: string[]; detail: string }> {
  const outDir = mkdtempSync(path.join(os.tmpdir(), 'lab-hot-owner-'));
  await using target = await startTarget();
  try {
    const load = startLoad({
      engine: 'builtin',
      script: STEP_LOAD_SCRIPT,
      outDir,
      env: { BASE_URL: target.url, PROFILE: 'soak', DURATION_S: '3', HOT_OWNER_SHARE: share },
    });
    const { detail } = await load.outcome;
    const owners = target.seen.map(({ url }) => url.searchParams.get('ownerId') ?? '');
    return { owners, detail };
  } finally {
    rmSync(outDir, { recursive: true });
  }
}

it('one owner gets the share of the load that is asked for', async () => {
  const { owners } = await ownersOf('0.5');
  const hot = owners.filter((owner) => owner === 'o000000').length;
  expect(owners.length).toBeGreaterThan(80);
  expect(hot / owners.length).toBeGreaterThan(0.3);
  expect(hot / owners.length).toBeLessThan(0.7);
  expect(new Set(owners).size).toBeGreaterThan(20);
});

it('a share that is none is named with what is allowed', async () => {
  const { owners, detail } = await ownersOf('50');
  expect(detail).toContain("HOT_OWNER_SHARE must be a number from 0 to 1, not '50'");
  expect(owners).toEqual([]);
});
