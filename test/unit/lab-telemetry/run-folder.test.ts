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
import { writeNewFolder } from '../../../lab/src/results/new-folder.js';

let runs: string;
beforeEach(() => {
  runs = mkdtempSync(path.join(os.tmpdir(), 'lab-run-folder-'));
});
afterEach(() => rmSync(runs, { recursive: true, force: true }));

/** What a recording has written while the run went. */
function record(...place: string[]): { name: string; from: string } {
  const from = path.join(runs, ...place, 'telemetry');
  mkdirSync(from, { recursive: true });
  writeFileSync(path.join(from, '000001.ndjson'), 'items');
  return { name: 'telemetry', from };
}

const content = (...place: string[]) =>
  readFileSync(path.join(runs, ...place, 'telemetry', '000001.ndjson'), 'utf8');

describe('the telemetry of a run', () => {
  it('stays where it was recorded when that is the run folder', async () => {
    await writeNewFolder(path.join(runs, 'a'), { 'result.json': '{}' }, record('a'));
    expect(readdirSync(runs)).toEqual(['a']);
    expect(readdirSync(path.join(runs, 'a')).sort()).toEqual(['result.json', 'telemetry']);
    expect(content('a')).toBe('items');
  });

  it('moves into the folder of a run inside a progression', async () => {
    await writeNewFolder(path.join(runs, 'progression', 'a'), { 'result.json': '{}' }, record('a'));
    expect(readdirSync(runs)).toEqual(['progression']);
    expect(content('progression', 'a')).toBe('items');
  });

  it('leaves alone what else lies where it was recorded', async () => {
    const recorded = record('a');
    writeFileSync(path.join(runs, 'a', 'notes.txt'), 'mine');
    await writeNewFolder(path.join(runs, 'b'), { 'result.json': '{}' }, recorded);
    expect(readdirSync(path.join(runs, 'a'))).toEqual(['notes.txt']);
    expect(content('b')).toBe('items');
  });

  it('never replaces a run that is there', async () => {
    const recorded = record('a');
    writeFileSync(path.join(runs, 'a', 'result.json'), 'old');
    await expect(writeNewFolder(path.join(runs, 'a'), { 'result.json': '{}' }, recorded)).rejects.toThrow(
      /exists already/,
    );
    expect(content('a')).toBe('items');
    expect(readFileSync(path.join(runs, 'a', 'result.json'), 'utf8')).toBe('old');
  });

  it('is given back when the run could not be written', async () => {
    const recorded = record('a');
    await expect(
      writeNewFolder(path.join(runs, 'b'), { 'no/such/folder.json': '{}' }, recorded),
    ).rejects.toThrow(/ENOENT/);
    expect(content('a')).toBe('items');
    expect(existsSync(path.join(runs, 'b'))).toBe(false);
    expect(readdirSync(runs)).toEqual(['a']);
  });
});
