import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SegmentLog } from '../../../emulators/app-insights/src/store/segment-log.js';
import { openTelemetryFolder } from '../../../emulators/app-insights/src/store/telemetry-folder.js';
import { envelope } from './envelopes.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'segment-log-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const line = (...names: string[]) =>
  Buffer.from(JSON.stringify(names.map((name) => envelope('EventData', { name }))));
const text = (file: string) => readFile(path.join(directory, file), 'utf8');

async function namesIn(folder: string): Promise<unknown[]> {
  const { sources } = await openTelemetryFolder(folder);
  return [...sources.customEvents.batches()].flatMap((batch) => batch.map((row) => row[1]));
}

describe('SegmentLog', () => {
  it('has every line on disk when append resolves', async () => {
    const log = await SegmentLog.open({ directory });
    await log.append(line('a'));
    const lines = (await text('000001.ndjson')).split('\n');
    expect(JSON.parse(lines[0] as string)).toEqual({ format: 'app-insights-telemetry', version: 1 });
    expect(JSON.parse(lines[1] as string)).toHaveLength(1);
    await log.close();
  });

  it('keeps the order of lines that come while it writes', async () => {
    const log = await SegmentLog.open({ directory });
    await Promise.all(Array.from({ length: 200 }, (_, i) => log.append(line(`n${i}`))));
    await log.close();
    expect(await namesIn(directory)).toEqual(Array.from({ length: 200 }, (_, i) => `n${i}`));
    expect(log.stats).toMatchObject({ lines: 200, lostLines: 0, lastError: null });
  });

  it('begins a new file at every start and above the size of a file', async () => {
    for (const start of [1, 2]) {
      const log = await SegmentLog.open({ directory, segmentBytes: 2000 });
      for (let i = 0; i < 6; i += 1) await log.append(line(`s${start}-${i}`));
      await log.close();
    }
    expect((await readdir(directory)).length).toBeGreaterThan(2);
    const names = await namesIn(directory);
    expect(names).toHaveLength(12);
    expect(names.slice(0, 6)).toEqual(['s1-0', 's1-1', 's1-2', 's1-3', 's1-4', 's1-5']);
  });

  it('removes the oldest files above its size', async () => {
    const log = await SegmentLog.open({ directory, segmentBytes: 2000, maxBytes: 10_000 });
    for (let i = 0; i < 50; i += 1) await log.append(line(`n${i}`));
    await log.close();
    expect(log.stats.removedFiles).toBeGreaterThan(5);
    expect((await namesIn(directory)).at(-1)).toBe('n49');
  });

  it('compresses its files at the end, and they read the same', async () => {
    const log = await SegmentLog.open({ directory, compressOnClose: true });
    await log.append(line('a', 'b'));
    await log.close();
    expect(await readdir(directory)).toEqual(['000001.ndjson.gz']);
    const plain = gunzipSync(await readFile(path.join(directory, '000001.ndjson.gz'))).toString();
    expect(plain.split('\n')).toHaveLength(3);
    expect(await namesIn(directory)).toEqual(['a', 'b']);
  });

  it('names a compressed file that ends early', async () => {
    const log = await SegmentLog.open({ directory, compressOnClose: true });
    await log.append(line('a', 'b'));
    await log.close();
    const file = path.join(directory, '000001.ndjson.gz');
    await writeFile(file, (await readFile(file)).subarray(0, -12));
    await expect(openTelemetryFolder(directory)).rejects.toThrow(
      `${file} can not be read to its end: unexpected end of file`,
    );
  });

  it('reads a file once that is there plain and compressed', async () => {
    const log = await SegmentLog.open({ directory, compressOnClose: true });
    await log.append(line('a'));
    const plain = await readFile(path.join(directory, '000001.ndjson'));
    await log.close();
    await writeFile(path.join(directory, '000001.ndjson'), plain);
    expect(await namesIn(directory)).toEqual(['a']);
  });

  it('counts lines that can not be written, and goes on in a new file once it can', async () => {
    const log = await SegmentLog.open({ directory, segmentBytes: 1 });
    await rm(directory, { recursive: true });
    await log.append(line('lost'));
    expect(log.stats).toMatchObject({ lines: 0, lostLines: 1 });
    expect(log.stats.lastError).toContain('ENOENT');
    await mkdir(directory);
    await log.append(line('kept'));
    await log.close();
    expect(await namesIn(directory)).toEqual(['kept']);
  });
});

describe('openTelemetryFolder', () => {
  it('leaves out a line that was cut off, and says which', async () => {
    const log = await SegmentLog.open({ directory });
    await log.append(line('whole'));
    await log.close();
    const file = path.join(directory, '000001.ndjson');
    await appendFile(file, '[{"ver":1,"na');
    const { report } = await openTelemetryFolder(directory);
    expect(report).toMatchObject({ files: 1, items: 1, rows: 1, rejected: 0 });
    expect(report.tornLines).toEqual([{ file, line: 3, length: 13 }]);
    expect(await namesIn(directory)).toEqual(['whole']);
  });

  it('reads on after a file that lost its header and its end', async () => {
    await writeFile(path.join(directory, '000001.ndjson'), '{"form');
    const log = await SegmentLog.open({ directory });
    await log.append(line('later'));
    await log.close();
    const { report } = await openTelemetryFolder(directory);
    expect(report.tornLines).toHaveLength(1);
    expect(await namesIn(directory)).toEqual(['later']);
  });

  it('counts items that are refused again', async () => {
    const log = await SegmentLog.open({ directory });
    await log.append(Buffer.from(JSON.stringify([{}, envelope('EventData', { name: 'ok' })])));
    await log.close();
    const { report } = await openTelemetryFolder(directory);
    expect(report).toMatchObject({ items: 2, rows: 1, rejected: 1 });
  });

  it('refuses more than memory has room for, as soon as that is known', async () => {
    const log = await SegmentLog.open({ directory });
    for (let i = 0; i < 200; i += 1) await log.append(line(`a${i}`, `b${i}`));
    await log.close();
    await expect(openTelemetryFolder(directory, { maxBytes: 20_000 })).rejects.toThrow(
      expect.objectContaining({
        code: 'RECORDING_TOO_LARGE',
        message: expect.stringMatching(/first \d{2} rows/),
      }),
    );
    expect((await openTelemetryFolder(directory)).report.rows).toBe(400);
  });

  it('refuses a folder of another format, or none at all', async () => {
    await writeFile(
      path.join(directory, '000001.ndjson'),
      '{"format":"app-insights-telemetry","version":2}\n',
    );
    await expect(openTelemetryFolder(directory)).rejects.toThrow(/version 1.*"version":2/);
    await expect(openTelemetryFolder(path.join(directory, 'none'))).rejects.toThrow(/ENOENT/);
  });
});
