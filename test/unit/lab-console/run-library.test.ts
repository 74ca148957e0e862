import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRunLibrary, type RunLibrary } from '../../../lab/src/console/run-library.js';
import { buildResult, writeRun } from '../../../lab/src/results/index.js';
import { cachedRecording } from '../lab-analysis/model/cached.js';

let folder: string;
let library: RunLibrary;

async function leave(id: string, options: { scenario: string; seed: number }): Promise<void> {
  const recording = structuredClone(cachedRecording(options));
  recording.meta.id = id;
  await writeRun(path.join(folder, id), recording, buildResult(recording));
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lab-library-'));
  library = createRunLibrary(folder);
  await leave('20260101T000001Z-serial-0001', { scenario: 'serial', seed: 1 });
  await leave('20260101T000002Z-serial-0002', { scenario: 'serial', seed: 2 });
  await leave('20260101T000003Z-parallel-0003', { scenario: 'parallel', seed: 1 });
  mkdirSync(path.join(folder, 'another'));
  writeFileSync(path.join(folder, 'another', 'result.json'), '{"schemaVersion":"9.0"}');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('runs on disk', () => {
  it('are listed newest first, without those of another version', () => {
    expect(library.list().map(({ id }) => id.slice(-4))).toEqual(['0003', '0002', '0001']);
    expect(library.list()[0]).toMatchObject({
      scenario: 'parallel',
      telemetry: false,
      valid: true,
      turned: 0,
    });
  });

  it('are shown by a beginning of their name', () => {
    const run = library.view('20260101T000003Z');
    expect(run).toMatchObject({ scenario: 'parallel', state: 'complete', plannedSeconds: 60 });
    expect(run.points).toHaveLength(60);
    expect(run.steps).toHaveLength(8);
    expect(() => library.view('2026')).toThrow('could be');
  });
});

describe('runs side by side', () => {
  it('of one scenario come out within noise', () => {
    const { runs, comparisons } = library.compare(['20260101T000001Z', '20260101T000002Z']);
    expect(runs.map(({ scenario }) => scenario)).toEqual(['serial', 'serial']);
    expect(comparisons).toHaveLength(1);
    expect(comparisons[0]?.refused).toBe('');
    expect(new Set(comparisons[0]?.differences.map(({ verdict }) => verdict))).toEqual(
      new Set(['within noise']),
    );
  });

  it('are judged against the first one', () => {
    const { comparisons } = library.compare(['20260101T000001Z', '20260101T000002Z', '20260101T000003Z']);
    expect(comparisons.map(({ first, second }) => [first.slice(-4), second.slice(-4)])).toEqual([
      ['0001', '0002'],
      ['0001', '0003'],
    ]);
    const faster = comparisons[1]?.differences.find(({ measure }) => measure === 'utilization.meanMs');
    expect(faster?.verdict).toBe('better');
  });
});
