import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registerReport } from '../../../lab/src/cli/report.js';
import { reportedRun } from '../../../lab/src/report/index.js';
import { buildResult, RUN_FILES, writeProgression, writeRun } from '../../../lab/src/results/index.js';
import { cachedRecording } from '../lab-analysis/model/cached.js';
import { writeSyntheticRun } from '../lab-telemetry/synthetic-run.js';
import { figureOf, textOf, unbalancedTags } from './page-reader.js';
import { printedBy } from './printed-by.js';

let runs: string;
beforeEach(() => {
  runs = mkdtempSync(path.join(os.tmpdir(), 'lab-report-'));
});
afterEach(() => {
  rmSync(runs, { recursive: true });
});

/** What the command prints as its result. */
const report = (...args: string[]) => printedBy([registerReport], ['report', ...args, '--runs-dir', runs]);

async function put(id: string, scenario: string, parent = runs): Promise<string> {
  const base = cachedRecording({ scenario, seed: 1 });
  const recording = { ...base, meta: { ...base.meta, id } };
  const folder = path.join(parent, id);
  await writeRun(folder, recording, buildResult(recording));
  return folder;
}

const pageIn = (folder: string) => readFileSync(path.join(folder, RUN_FILES.reportPage), 'utf8');

function change(folder: string, name: string, by: Record<string, unknown>): void {
  const file = path.join(folder, name);
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...by }));
}

describe('lab report', () => {
  it('writes the same bytes that the run left, and prints the path', async () => {
    const folder = await put('20260101T080000Z-throttled-00aa', 'throttled');
    const before = pageIn(folder);
    rmSync(path.join(folder, RUN_FILES.reportPage));
    expect(await report('latest')).toBe(path.join(folder, RUN_FILES.reportPage));
    expect(pageIn(folder)).toBe(before);
    expect(JSON.parse(await report('20260101', '--json'))).toEqual({
      id: '20260101T080000Z-throttled-00aa',
      report: path.join(folder, RUN_FILES.reportPage),
      bytes: Buffer.byteLength(before),
    });
    expect(readdirSync(folder).toSorted()).toEqual(Object.values(RUN_FILES).toSorted());
  });

  it('writes that of a progression again, by its own name or path', async () => {
    const id = '20260102T080000Z-progression-0b0b';
    const names = ['20260102T080001Z-serial-00bb', '20260102T080002Z-parallel-00cc'];
    const reported = [];
    for (const [at, name] of names.entries()) {
      const scenario = at === 0 ? 'serial' : 'parallel';
      await put(name, scenario, path.join(runs, id));
      const base = cachedRecording({ scenario, seed: 1 });
      const recording = { ...base, meta: { ...base.meta, id: name } };
      reported.push(reportedRun(recording, buildResult(recording)));
    }
    await writeProgression(path.join(runs, id), { id, runs: reported });
    const before = pageIn(path.join(runs, id));
    expect(await report(id)).toBe(path.join(runs, id, RUN_FILES.reportPage));
    expect(pageIn(path.join(runs, id))).toBe(before);
    expect(await report(path.join(runs, id))).toContain(id);
    expect(await report('latest')).toContain(names[1]);
    await expect(report('20260102')).rejects.toMatchObject({
      code: 'RUN_AMBIGUOUS',
      message: expect.stringContaining(id),
    });
    rmSync(path.join(runs, id, names[0] as string), { recursive: true });
    await expect(report(id)).rejects.toThrow(/00bb.result\.json: ENOENT/);
    expect(pageIn(path.join(runs, id))).toBe(before);
  });

  it('names what it can not find, and what there is', async () => {
    await put('20260101T080000Z-throttled-00aa', 'throttled');
    await expect(report('nope')).rejects.toMatchObject({
      code: 'RUN_UNKNOWN',
      message: expect.stringMatching(/no run "nope" in .*; there are 20260101T080000Z-throttled-00aa/),
    });
    await expect(report('')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
  });

  it.each([RUN_FILES.result, RUN_FILES.recording])('refuses a %s of another schema version', async (file) => {
    const folder = await put('20260101T080000Z-throttled-00aa', 'throttled');
    const before = pageIn(folder);
    change(folder, file, { schemaVersion: '2.0' });
    await expect(report('latest')).rejects.toMatchObject({
      code: 'RESULT_VERSION',
      message: `${path.join(folder, file)}: schemaVersion is 2.0; this lab reads 1.x`,
    });
    expect(pageIn(folder)).toBe(before);
  });

  it.each([
    [RUN_FILES.rows, /rows\.ndjson\.gz: ENOENT/],
    [RUN_FILES.recording, /recording\.json: ENOENT/],
  ])('says that %s is missing from a folder', async (file, message) => {
    const folder = await put('20260101T080000Z-throttled-00aa', 'throttled');
    rmSync(path.join(folder, file));
    await expect(report('latest')).rejects.toMatchObject({
      code: 'RESULT_UNREADABLE',
      message: expect.stringMatching(message),
    });
  });

  it('says what a recording lacks', async () => {
    const folder = await put('20260101T080000Z-throttled-00aa', 'throttled');
    writeFileSync(path.join(folder, RUN_FILES.recording), '{"schemaVersion":"1.0"}');
    await expect(report('latest')).rejects.toThrow('recording.json: meta, load or machineSamples is missing');
  });

  it('reads a run of an earlier minor version', async () => {
    const folder = await put('20260101T080000Z-throttled-00aa', 'throttled');
    change(folder, RUN_FILES.result, {
      schemaVersion: '1.0',
      turnedKnobs: undefined,
      telemetryUse: undefined,
    });
    await report('latest');
    expect(unbalancedTags(pageIn(folder))).toEqual([]);
    expect(pageIn(folder)).toContain('result schema 1.0');
  });
});

describe('a transaction in a report', () => {
  async function withTelemetry(throttled: boolean): Promise<string> {
    const folder = await put('20260101T080000Z-throttled-00aa', 'throttled');
    using written = writeSyntheticRun({ calls: 9, throttled });
    cpSync(path.join(written.folder, 'telemetry'), path.join(folder, 'telemetry'), { recursive: true });
    await report('latest');
    return pageIn(folder);
  }

  it('is drawn with its 429, its wait and its retry, beside the slowest', async () => {
    const page = await withTelemetry(true);
    const figure = figureOf(page, 7);
    const text = textOf(figure);
    expect(unbalancedTags(page)).toEqual([]);
    expect(text).toContain('the operation with the most answers of 429');
    expect(text).toContain(
      '10 attempts of partition queries, 1 answered 429, 300 ms waited to try again, 29.2 RU',
    );
    expect(text).toContain('60 ms, 429, partition 0');
    expect(text).toContain('60 ms, partition 0, 3.2 RU, try 2');
    // The slowest of this telemetry was refused once as well.
    expect(figure.match(/class="span refused"/g)).toHaveLength(2);
    expect(figure.match(/class="span wait" fill="url\(#chart-7-0-0-hatch\)"/g)).toHaveLength(1);
  });

  it('lies in proportion on one scale of time', async () => {
    const figure = figureOf(await withTelemetry(true), 7);
    const widthOf = (kind: string) =>
      Number(new RegExp(`class="span ${kind}"[^>]* width="([\\d.]+)"`).exec(figure)?.[1]);
    expect(widthOf('wait') / widthOf('refused')).toBeCloseTo(300 / 60, 1);
  });

  it('is the slowest alone where nothing was throttled', async () => {
    const text = textOf(figureOf(await withTelemetry(false), 7));
    expect(text).toContain('the slowest operation');
    expect(text).not.toContain('the operation with the most answers of 429');
  });

  it('is told to be unreadable where its files are', async () => {
    const folder = await put('20260101T080000Z-throttled-00aa', 'throttled');
    mkdirSync(path.join(folder, 'telemetry'));
    writeFileSync(path.join(folder, 'telemetry', '000001.ndjson'), 'not telemetry\n');
    await report('latest');
    expect(textOf(figureOf(pageIn(folder), 7))).toMatch(
      /No transaction\. The telemetry of this run (could not be read: .*|holds no operation\.)/,
    );
  });

  it('is explained where there is none: how to get it', async () => {
    const base = cachedRecording({ scenario: 'throttled', seed: 1 });
    const whyNot = (meta: Partial<typeof base.meta>) => {
      const recording = { ...base, meta: { ...base.meta, ...meta } };
      const { transactions } = reportedRun(recording, buildResult(recording));
      return 'missing' in transactions ? transactions.missing : '';
    };
    expect(whyNot({})).toContain('lab run throttled --telemetry');
    const azure = { receiver: 'azure', sdk: 'otlp', samplingRatio: 1 } as const;
    expect(whyNot({ telemetry: true, telemetryUse: azure })).toContain('Transaction search');
    expect(whyNot({ target: { ...base.meta.target, kind: 'attach' } })).toContain('only attached to');
    expect(whyNot({ telemetry: true })).toContain('nothing of it was recorded');
  });
});
