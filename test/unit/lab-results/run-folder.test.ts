import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Recording } from '../../../lab/src/recording/index.js';
import { reportedRun } from '../../../lab/src/report/index.js';
import {
  buildResult,
  findRun,
  listRuns,
  PROGRESSION_FILES,
  progressionResult,
  RUN_FILES,
  readRecording,
  readResult,
  writeProgression,
  writeRun,
} from '../../../lab/src/results/index.js';
import { cachedRecording } from '../lab-analysis/model/cached.js';

let runs: string;
beforeEach(() => {
  runs = mkdtempSync(path.join(os.tmpdir(), 'lab-results-'));
});
afterEach(() => {
  rmSync(runs, { recursive: true });
});

const recording = cachedRecording({ scenario: 'throttled', seed: 1 });
const result = buildResult(recording);

function interrupted(): Recording {
  return {
    ...recording,
    meta: { ...recording.meta, status: 'interrupted', reason: 'Ctrl-C' },
    rows: recording.rows.filter((row) => row.second < 1_700_000_000 + 20),
  };
}

describe('a run on disk', () => {
  it('holds every file, and nothing else is left beside it', async () => {
    await writeRun(path.join(runs, 'a'), recording, result);
    expect(readdirSync(path.join(runs, 'a')).toSorted()).toEqual(Object.values(RUN_FILES).toSorted());
    expect(readdirSync(runs)).toEqual(['a']);
  });

  it('is read as it was written', async () => {
    await writeRun(path.join(runs, 'a'), recording, result);
    expect(readResult(path.join(runs, 'a'))).toEqual(JSON.parse(JSON.stringify(result)));
  });

  it('can be analysed again from its rows, with the same result', async () => {
    await writeRun(path.join(runs, 'a'), recording, result);
    const again = buildResult(readRecording(path.join(runs, 'a')));
    expect(JSON.parse(JSON.stringify(again))).toEqual(JSON.parse(JSON.stringify(result)));
  });

  it('has one line per second in its series, with RU per partition and CPU', async () => {
    await writeRun(path.join(runs, 'a'), recording, result);
    const [header, ...lines] = readFileSync(path.join(runs, 'a', RUN_FILES.series), 'utf8')
      .trim()
      .split('\n');
    const titles = header?.split(',') ?? [];
    expect(lines).toHaveLength(60);
    expect(titles).toContain('ru_partition_8');
    expect(titles).toContain('cpu_delivery_percent_of_limit');
    const sum = (title: string) =>
      lines.reduce((total, line) => total + Number(line.split(',')[titles.indexOf(title)]), 0);
    expect(sum('requests_per_second')).toBe(result.measures['client.requests']);
    expect(sum('partition_queries_429')).toBe(result.measures['cosmos.throttled']);
    const ofPartition = result.partitions.find((one) => one.partition === '3');
    expect(sum('ru_partition_3')).toBeCloseTo(ofPartition?.requestUnits ?? 0, 0);
    for (const line of lines) expect(line.split(',')).toHaveLength(titles.length);
  });

  it('is written once: a second time is refused and changes nothing', async () => {
    await writeRun(path.join(runs, 'a'), recording, result);
    await expect(writeRun(path.join(runs, 'a'), interrupted(), result)).rejects.toMatchObject({
      code: 'RUN_EXISTS',
    });
    expect(readResult(path.join(runs, 'a')).status).toBe('complete');
    expect(readdirSync(runs)).toEqual(['a']);
  });

  it('that can not be written leaves nothing', async () => {
    const file = path.join(runs, 'file');
    writeFileSync(file, '');
    await expect(writeRun(path.join(file, 'a'), recording, result)).rejects.toThrow();
    const circular = { ...recording, load: { ...recording.load, summary: 1n } } as unknown as Recording;
    await expect(writeRun(path.join(runs, 'b'), circular, result)).rejects.toThrow(TypeError);
    expect(readdirSync(runs)).toEqual(['file']);
  });

  it('that was broken off says so in every file with words', async () => {
    const broken = interrupted();
    await writeRun(path.join(runs, 'a'), broken, buildResult(broken));
    const read = readResult(path.join(runs, 'a'));
    expect(read).toMatchObject({ status: 'interrupted', reason: 'Ctrl-C', measuredSeconds: 20 });
    expect(readFileSync(path.join(runs, 'a', RUN_FILES.report), 'utf8')).toContain(
      'This run was interrupted (Ctrl-C); it covers 20 of 60 s.',
    );
  });

  it('without a load can be written and read', async () => {
    const none: Recording = {
      ...recording,
      meta: { ...recording.meta, status: 'broken', reason: 'gateway died' },
      rows: [],
      load: null,
      machineSamples: [],
    };
    await writeRun(path.join(runs, 'a'), none, buildResult(none));
    expect(readResult(path.join(runs, 'a'))).toMatchObject({ load: null, measures: {} });
    expect(readRecording(path.join(runs, 'a'))).toMatchObject({ load: null, rows: [] });
  });
});

describe('reading', () => {
  async function written(change: (value: Record<string, unknown>) => void): Promise<string> {
    const folder = path.join(runs, 'a');
    await writeRun(folder, recording, result);
    const file = path.join(folder, RUN_FILES.result);
    const value = JSON.parse(readFileSync(file, 'utf8'));
    change(value);
    writeFileSync(file, JSON.stringify(value));
    return folder;
  }

  it('accepts a newer minor version with fields that it does not know', async () => {
    const folder = await written((value) => Object.assign(value, { schemaVersion: '1.9', weather: 'fine' }));
    expect(readResult(folder).schemaVersion).toBe('1.9');
  });

  it.each(['2.0', '0.9', '10.0'])('refuses version %s', async (schemaVersion) => {
    const folder = await written((value) => Object.assign(value, { schemaVersion }));
    expect(() => readResult(folder)).toThrow(`schemaVersion is ${schemaVersion}; this lab reads 1.x`);
  });

  it('names file and field of what is wrong', async () => {
    const folder = await written((value) => Object.assign(value, { seed: 'one' }));
    expect(() => readResult(folder)).toThrow(/result\.json: seed: /);
    writeFileSync(path.join(folder, RUN_FILES.result), '{');
    expect(() => readResult(folder)).toThrow(expect.objectContaining({ code: 'RESULT_UNREADABLE' }));
    writeFileSync(path.join(folder, RUN_FILES.result), '{}');
    expect(() => readResult(folder)).toThrow(/schemaVersion is missing/);
    writeFileSync(path.join(folder, RUN_FILES.rows), 'not gzip');
    expect(() => readRecording(folder)).toThrow(/rows\.ndjson\.gz/);
  });
});

describe('a progression', () => {
  it('is written anew after each run', async () => {
    const folder = path.join(runs, 'p');
    const first = reportedRun(recording, result);
    await writeProgression(folder, { id: 'p', runs: [first] });
    const serial = cachedRecording({ scenario: 'serial', seed: 1 });
    const second = reportedRun(serial, buildResult(serial));
    await writeProgression(folder, { id: 'p', runs: [first, second] });
    const file = path.join(folder, PROGRESSION_FILES.result);
    const read = progressionResult.parse(JSON.parse(readFileSync(file, 'utf8')));
    expect(read.runs.map((run) => [run.scenario, run.bottleneck, run.valid])).toEqual([
      ['throttled', 'throttling', true],
      ['serial', 'serial-fan-out', true],
    ]);
    expect(readdirSync(folder).toSorted()).toEqual(Object.values(PROGRESSION_FILES).toSorted());
  });
});

describe('finding a run', () => {
  const add = (...parts: string[]) => {
    const folder = path.join(runs, ...parts);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, RUN_FILES.result), '{}');
    return folder;
  };

  it('takes latest, prefixes, ids and paths, also inside a progression', () => {
    const old = add('20260101T080000Z-throttled-00aa');
    const inside = add('20260102T080000Z-progression-0b0b', '20260102T080001Z-serial-00bb');
    const newest = add('20260103T080000Z-throttled-00cc');
    expect(listRuns(runs)).toEqual([old, inside, newest]);
    expect(findRun(runs, 'latest')).toBe(newest);
    expect(findRun(runs, '20260101')).toBe(old);
    expect(findRun(runs, '20260102T080001Z-serial-00bb')).toBe(inside);
    expect(findRun(runs, inside)).toBe(inside);
    expect(findRun(runs, path.join(old, RUN_FILES.result))).toBe(old);
    expect(findRun(runs, path.relative(process.cwd(), old))).toBe(old);
  });

  it('names the candidates of an ambiguous prefix', () => {
    add('20260101T080000Z-throttled-00aa');
    add('20260101T090000Z-serial-00bb');
    expect(() => findRun(runs, '20260101')).toThrow(
      expect.objectContaining({
        code: 'RUN_AMBIGUOUS',
        message:
          '"20260101" could be 20260101T080000Z-throttled-00aa, 20260101T090000Z-serial-00bb; give more of the name',
      }),
    );
  });

  it('takes an exact id that is the beginning of another', () => {
    const short = add('20260101T080000Z-a-00aa');
    add('20260101T080000Z-a-00aab');
    expect(findRun(runs, '20260101T080000Z-a-00aa')).toBe(short);
  });

  it('lists what there is for an unknown one, the newest first and not all', () => {
    for (let at = 0; at < 12; at++) add(`202601${String(at + 10)}T080000Z-a-0000`);
    expect(() => findRun(runs, 'nope')).toThrow(
      /no run "nope" in .*; there are 20260121T080000Z-a-0000, .* and 4 more/,
    );
    expect(() => findRun(runs, '')).toThrow(expect.objectContaining({ code: 'RUN_UNKNOWN' }));
  });

  it('says that there are none yet', () => {
    expect(() => findRun(path.join(runs, 'nowhere'), 'latest')).toThrow(/there are none yet/);
    expect(existsSync(path.join(runs, 'nowhere'))).toBe(false);
  });

  it('does not see what is half-written', () => {
    add('.20260101T080000Z-a-0000.partial-1');
    expect(listRuns(runs)).toEqual([]);
  });
});
