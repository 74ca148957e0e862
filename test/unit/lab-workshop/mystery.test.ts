import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientLine } from '../../../lab/src/cli/live-line.js';
import type { Terminal } from '../../../lab/src/cli/terminal.js';
import { readResult } from '../../../lab/src/results/index.js';
import { loadScenarios, type Scenario } from '../../../lab/src/scenarios/index.js';
import {
  chooseMystery,
  disguise,
  newestSealedRun,
  revealRun,
  type SealedRun,
  sealRun,
  unsealed,
} from '../../../lab/src/workshop/index.js';
import { cachedRecording } from '../lab-analysis/model/cached.js';

const scenarios = loadScenarios();
const candidates = scenarios.filter(({ teaching }) => teaching.exercise?.mystery === true);
const GIVE_AWAY = /throttled|serial|parallel|partition|scale-out|notebook|hot/i;

let runsDir: string;
beforeEach(() => {
  runsDir = mkdtempSync(path.join(os.tmpdir(), 'lab-mystery-'));
});
afterEach(() => rmSync(runsDir, { recursive: true }));

/** A run of a scenario as "lab mystery" leaves it. */
function hidden(scenario: Scenario, id = '20260101T000000Z-mystery-0001'): SealedRun {
  const { meta, ...rest } = cachedRecording({ scenario: scenario.name });
  const recording = { ...rest, meta: { ...meta, id, scenario: disguise(scenario) } };
  return { scenario: scenario.name, seed: 7, recording, telemetryFolder: null };
}

describe('the scenario of a mystery', () => {
  it('follows from the seed, and every one of them has its turn', () => {
    const chosen = (seed: number) => chooseMystery(scenarios, seed).name;
    expect(chosen(7)).toBe(chosen(7));
    const count = candidates.length;
    for (const first of [0, count, 40 * count]) {
      const names = Array.from({ length: count }, (_, at) => chosen(first + at));
      expect(names.sort()).toEqual(candidates.map(({ name }) => name).sort());
    }
  });

  it('can not be told by its load: all have the same', () => {
    const loads = candidates.map((scenario) => {
      const { hotOwnerShare: _, ...load } = disguise(scenario).load;
      expect(load.warmUpSeconds).toBeGreaterThanOrEqual(scenario.load.warmUpSeconds);
      return JSON.stringify(load);
    });
    expect(new Set(loads).size).toBe(1);
    expect(candidates.length).toBeGreaterThan(3);
  });

  it('is in no word of the disguise', () => {
    for (const scenario of candidates) {
      const { knobs: _knobs, load: _load, ...words } = disguise(scenario);
      expect(JSON.stringify(words)).not.toMatch(GIVE_AWAY);
      expect(disguise(scenario).knobs).toEqual(scenario.knobs);
    }
  });

  it('is not on the live line, nor is what the database or a CPU does', () => {
    const lines: string[] = [];
    const terminal = { live: false, progress: (line: string) => lines.push(line) } as unknown as Terminal;
    clientLine(terminal)({
      second: 4,
      plannedSeconds: 60,
      users: 17,
      requestsPerSecond: 23,
      failed: 0,
      meanMs: 412,
      p95Ms: 903,
      throttledPerSecond: 31,
      hottest: { container: 'utilization', partition: '4', ruPerSecond: 98, limitRuPerSecond: 100 },
      busiest: { service: 'delivery', percent: 41 },
    });
    expect(lines.join()).toMatch(/17 users +23 req\/s +mean +412 ms +p95 +903 ms$/);
  });
});

describe('a sealed run', () => {
  it('tells nothing by its name or its text, and is no run for others', async () => {
    const [scenario] = candidates as [Scenario];
    await sealRun(runsDir, hidden(scenario));
    const files = readdirSync(runsDir, { recursive: true, encoding: 'utf8' });
    expect(files.sort()).toEqual(['.mystery', path.join('.mystery', '20260101T000000Z-mystery-0001.sealed')]);
    const text = readFileSync(path.join(runsDir, files[1] as string), 'utf8');
    expect(scenarios.filter(({ name }) => text.includes(name))).toEqual([]);
  });

  it('is read back as the run of its scenario, the newest first', async () => {
    const [first, second] = candidates as [Scenario, Scenario];
    await sealRun(runsDir, hidden(second, '20260102T000000Z-mystery-0002'));
    await sealRun(runsDir, hidden(first));
    const { scenario, result } = unsealed(newestSealedRun(runsDir));
    expect(scenario).toEqual(second);
    expect(result).toMatchObject({ id: '20260102T000000Z-mystery-0002', scenario: { name: second.name } });
    expect(result.diagnosis.findings[0]?.name).toBe(second.expected?.bottleneck);
    expect(result.published).not.toBeNull();
  });

  it('becomes a run like any other when it is revealed, once', async () => {
    const [scenario] = candidates as [Scenario];
    const sealed = hidden(scenario);
    await sealRun(runsDir, sealed);
    const folder = await revealRun(runsDir, newestSealedRun(runsDir));
    expect(readResult(folder)).toMatchObject({
      id: sealed.recording.meta.id,
      scenario: { name: scenario.name },
    });
    expect(existsSync(path.join(folder, 'report.md'))).toBe(true);
    expect(() => newestSealedRun(runsDir)).toThrow(expect.objectContaining({ code: 'MYSTERY_UNKNOWN' }));
  });

  it('that is not there is named with what to do', () => {
    expect(() => newestSealedRun(path.join(runsDir, 'nowhere'))).toThrow(
      /no mystery in .* start one with "lab mystery"/,
    );
  });
});
