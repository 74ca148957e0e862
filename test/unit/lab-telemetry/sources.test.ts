import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildResult, writeRun } from '../../../lab/src/results/index.js';
import { findSource } from '../../../lab/src/telemetry/find-source.js';
import { folderSource, records } from '../../../lab/src/telemetry/telemetry-source.js';
import { cachedRecording } from '../lab-analysis/model/cached.js';
import { INVOICES, syntheticItems, writeItems } from './synthetic-run.js';

const ITEMS = syntheticItems({ calls: 1, throttled: false });

describe("the telemetry of a run's folder", () => {
  it('is read up to where a killed process cut it off', async () => {
    using written = writeItems(ITEMS);
    appendFileSync(path.join(written.folder, 'telemetry', '000001.ndjson'), '[{"ver":1,"na');
    const source = await folderSource(written.folder);
    expect(source.description).toMatch(/1 deliveries cut off$/);
    const [row] = records(await source.query("requests | where name == 'GET Deliveries/GetSummary' | count"));
    expect(row).toEqual({ Count: INVOICES });
  });

  it('of another version is refused by its file', async () => {
    using written = writeItems(ITEMS);
    writeFileSync(
      path.join(written.folder, 'telemetry', '000002.ndjson'),
      '{"format":"app-insights-telemetry","version":2}\n',
    );
    await expect(folderSource(written.folder)).rejects.toThrow(
      expect.objectContaining({
        code: 'TELEMETRY_UNREADABLE',
        message: expect.stringContaining('000002.ndjson'),
      }),
    );
  });

  it('refuses a wrong query with line, column and code, and what the engine does not run', async () => {
    using written = writeItems(ITEMS);
    const source = await folderSource(written.folder);
    await expect(source.query('requests\n| where nme == 1')).rejects.toThrow(
      /^the query was refused\n {2}2:9 KS142: The name 'nme'/,
    );
    await expect(source.query('requests | evaluate bag_unpack(customDimensions)')).rejects.toThrow(
      expect.objectContaining({ code: 'QUERY_REFUSED' }),
    );
  });
});

describe('the telemetry asked for', () => {
  let home: string;
  const recording = cachedRecording({ scenario: 'throttled', seed: 1 });
  const place = (run?: string) => ({
    run,
    runsDir: path.join(home, 'runs'),
    stateDir: path.join(home, 'state'),
  });

  async function write(id: string, change: object, telemetry: boolean): Promise<void> {
    const changed = { ...recording, meta: { ...recording.meta, id, ...change } };
    const folder = path.join(home, 'recorded', 'telemetry');
    if (telemetry) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, '000001.ndjson'), '{"format":"app-insights-telemetry","version":1}\n');
    }
    await writeRun(path.join(home, 'runs', id), changed, buildResult(changed), {
      telemetryFolder: telemetry ? folder : null,
    });
  }

  beforeAll(async () => {
    home = mkdtempSync(path.join(os.tmpdir(), 'lab-sources-'));
    await expect(findSource(place())).rejects.toThrow(/start one with "lab up --telemetry"/);
    const use = { receiver: 'stand-in', sdk: 'otlp', samplingRatio: 1 };
    await write('20260101T000000Z-a', { telemetry: true, telemetryUse: use }, true);
    await write(
      '20260102T000000Z-b',
      { telemetry: true, telemetryUse: { ...use, receiver: 'azure' } },
      false,
    );
    await write('20260103T000000Z-c', {}, false);
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('is that of the newest run that has any, with its knobs', async () => {
    const { source, knobs } = await findSource(place());
    expect(source.description).toContain('run 20260101T000000Z-a');
    expect(knobs.ruPerSecond).toBe(900);
  });

  it.each([
    ['latest', /20260103T000000Z-c was recorded without telemetry; run the scenario again with --telemetry/],
    ['20260102', /went to an Application Insights resource; paste the query's text into its Logs/],
    ['2027', /no run "2027"/],
  ])('of %s is refused with the reason', async (run, message) => {
    await expect(findSource(place(run))).rejects.toThrow(message);
  });
});
