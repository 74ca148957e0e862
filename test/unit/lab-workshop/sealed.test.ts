import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRunLibrary } from '../../../lab/src/console/run-library.js';
import { reportedRun, whyNoTransaction } from '../../../lab/src/report/index.js';
import { unsealRun } from '../../../lab/src/report/unseal-run.js';
import {
  buildResult,
  readConcluded,
  readResult,
  sealResult,
  writeProgression,
  writeRun,
} from '../../../lab/src/results/index.js';
import { disguise, sealRun } from '../../../lab/src/workshop/index.js';
import { cachedRecording } from '../lab-analysis/model/cached.js';

const recording = cachedRecording({ scenario: 'serial', seed: 1 });
const concluded = buildResult(recording);
/** Words that only the diagnosis and the expected ranges have. */
const GIVES_AWAY = /one after another|serial-fan-out|Serial fan-out|Expected ranges|[Cc]onfidence/;

let runsDir: string;
beforeEach(() => {
  runsDir = mkdtempSync(path.join(os.tmpdir(), 'lab-sealed-'));
});
afterEach(() => rmSync(runsDir, { recursive: true }));

const matched = (text: string) => GIVES_AWAY.exec(text)?.[0] ?? '';
const textsOf = (folder: string) =>
  ['result.json', 'report.md', 'report.html'].map((file) => readFileSync(path.join(folder, file), 'utf8'));

describe('a sealed run', () => {
  it('tells in no file what was concluded, and in all of them once it is unsealed', async () => {
    const folder = path.join(runsDir, concluded.id);
    await writeRun(folder, recording, sealResult(concluded));
    expect(textsOf(folder).map(matched)).toEqual(['', '', '']);
    expect(readResult(folder)).toMatchObject({ sealed: true, diagnosis: { findings: [] }, expected: null });
    expect(readConcluded(folder).diagnosis.findings[0]?.name).toBe('serial-fan-out');

    await unsealRun(folder);
    expect(textsOf(folder).map(matched)).not.toContain('');
    expect(readResult(folder)).toEqual(JSON.parse(JSON.stringify(concluded)));
    const before = textsOf(folder);
    await unsealRun(folder);
    expect(textsOf(folder)).toEqual(before);
  });

  it('is unsealed in the progression that it is part of', async () => {
    const folder = path.join(runsDir, 'a-progression');
    const result = sealResult(concluded);
    await writeRun(path.join(folder, result.id), recording, result);
    const run = reportedRun(recording, result, { missing: whyNoTransaction(result) });
    const { runs } = await writeProgression(folder, { id: 'a-progression', runs: [run] });
    expect(runs[0]?.bottleneck).toBeNull();
    const page = () => readFileSync(path.join(folder, 'report.html'), 'utf8');
    expect(page()).toContain('What holds this run back is for you to find');
    expect(matched(page())).toBe('');

    await unsealRun(path.join(folder, result.id));
    expect(page()).toContain('confidence');
    const progression = JSON.parse(readFileSync(path.join(folder, 'progression.json'), 'utf8'));
    expect(progression.runs[0].bottleneck).toBe('serial-fan-out');
  });

  it('is listed and shown in the console without its bottleneck until then', async () => {
    const library = createRunLibrary(runsDir);
    const folder = path.join(runsDir, concluded.id);
    await writeRun(folder, recording, sealResult(concluded));
    expect(library.list()[0]).toMatchObject({ sealed: true, bottleneck: '' });
    expect(library.view(concluded.id)).toMatchObject({
      sealed: true,
      result: { bottleneck: '', evidence: [] },
    });
    await unsealRun(folder);
    expect(library.list()[0]?.bottleneck).toBe(concluded.diagnosis.findings[0]?.title);
    expect(library.view(concluded.id)).toMatchObject({ sealed: false });
  });
});

it('a mystery is shown in the console with its charts and under its other name only', async () => {
  const hidden = structuredClone(recording);
  hidden.meta = {
    ...hidden.meta,
    id: '20990101T000000Z-mystery-0001',
    scenario: disguise(hidden.meta.scenario),
  };
  await sealRun(runsDir, { scenario: 'serial', seed: 1, recording: hidden, telemetryFolder: null });
  const library = createRunLibrary(runsDir);
  const [listed] = library.list();
  const shown = library.view(listed?.id ?? '');
  expect(listed).toMatchObject({ scenario: 'mystery', sealed: true, bottleneck: '' });
  expect(shown).toMatchObject({ scenario: 'mystery', sealed: true });
  expect(shown.points).toHaveLength(60);
  expect(JSON.stringify([listed, { ...shown, points: [] }])).not.toMatch(/serial|fan-out|deliveryId|ownerId/);
});
