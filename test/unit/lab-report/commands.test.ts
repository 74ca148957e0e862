import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { registerCompare } from '../../../lab/src/cli/compare.js';
import { registerScenarios } from '../../../lab/src/cli/scenarios.js';
import { buildResult, writeRun } from '../../../lab/src/results/index.js';
import { cachedRecording } from '../lab-analysis/model/cached.js';
import { printedBy } from './printed-by.js';

let runs: string;
beforeEach(() => {
  runs = mkdtempSync(path.join(os.tmpdir(), 'lab-commands-'));
});
afterEach(() => {
  rmSync(runs, { recursive: true });
});

/** What the command prints as its result. */
const lab = (...args: string[]) => printedBy([registerScenarios, registerCompare], args);

async function put(folder: string, scenario: string, seed: number): Promise<void> {
  const recording = cachedRecording({ scenario, seed });
  await writeRun(path.join(runs, folder), recording, buildResult(recording));
}

it('scenarios lists them in order, without the answers', async () => {
  const text = await lab('scenarios');
  expect(
    text
      .split('\n')
      .map((line) => line.split(' ')[0])
      .slice(0, 5),
  ).toEqual(['name', 'throttled', 'serial', 'parallel', 'partition-key']);
  expect(text).toMatch(/throttled +900 +9 +serial +deliveryId +article +The database says no/);
  expect(text).not.toMatch(/throttles/);
});

it('scenarios --json gives them whole', async () => {
  const scenarios = JSON.parse(await lab('scenarios', '--json'));
  expect(scenarios[3]).toMatchObject({ name: 'partition-key', knobs: { partitionKey: 'ownerId' } });
});

it('compare takes prefixes and paths, and prints JSON on request', async () => {
  await put('20260101-serial', 'serial', 1);
  await put('20260102-parallel', 'parallel', 1);
  const text = await lab('compare', '20260101', path.join(runs, '20260102-parallel'), '--runs-dir', runs);
  expect(text).toContain('turned: queryFanout "serial" -> "parallel"');
  const json = JSON.parse(await lab('compare', '20260101', 'latest', '--runs-dir', runs, '--json'));
  expect(json.second).toMatchObject({ scenario: 'parallel', bottleneck: 'Cost of cross-partition queries' });
  expect(json.differences[0]).toMatchObject({ measure: 'throughput.mean', verdict: 'better' });
});

it('compare names what it can not find', async () => {
  await put('20260101-serial', 'serial', 1);
  await expect(lab('compare', 'latest', '2027', '--runs-dir', runs)).rejects.toMatchObject({
    code: 'RUN_UNKNOWN',
    message: expect.stringContaining('20260101-serial'),
  });
  await expect(lab('compare', 'latest')).rejects.toThrow(/missing required argument 'second'/);
});
