import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lab } from '../lab-stack/lab-process.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lab-console-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => lab(args, { LAB_STATE_DIR: path.join(folder, 'state') });

describe('lab knob and lab console', () => {
  it('say that no stack is running', async () => {
    const { code, stdout, stderr } = await run('knob', 'ruPerSecond', '2500');
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/^error: no stack is running from .*lab up/);
  });

  it.each([
    [
      ['console', '--port', '70000'],
      ["'70000'", 'from 0 to 65535'],
    ],
    [
      ['console', '--telemetry-sdk', 'zipkin'],
      ["'zipkin'", 'applicationinsights, otlp'],
    ],
  ])('%j ends with 2 and says why', async (args, words) => {
    const { code, stdout, stderr } = await run(...args);
    for (const word of words) expect(stderr).toContain(word);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('refuse folders that can not be used, before anything starts', async () => {
    const file = path.join(folder, 'a-file');
    writeFileSync(file, '');
    const runs = await run('console', '--runs-dir', path.join(file, 'runs'));
    expect(runs.code).toBe(2);
    expect(runs.stderr).toMatch(/runs can not be written to .*--runs-dir/);
    const state = await run('console', '--state-dir', path.join(file, 'state'));
    expect(state.code).toBe(3);
    expect(state.stderr).toContain('the state directory');
  });
});
