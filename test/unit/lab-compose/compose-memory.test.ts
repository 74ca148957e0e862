import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { composeMemory } from '../../../lab/src/targets/compose/compose-memory.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'compose-memory-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const STATE = {
  database: 'container-1',
  knobs: null,
  calibration: { deliveryCpuLimitCores: 0.3, ceilingRequestsPerSecond: 99, source: 'cached' as const },
  calibratedRate: 99,
  turns: [{ sequence: 1, atMs: 5, knob: 'ruPerSecond', from: 900, to: 2_500 }],
};

it('tells the next command what this one did', () => {
  composeMemory(folder, 'lab').write(STATE);
  expect(composeMemory(folder, 'lab').read('container-1')).toMatchObject(STATE);
});

it('knows nothing of other containers, of another project, and after all was taken down', () => {
  const memory = composeMemory(folder, 'lab');
  memory.write(STATE);
  expect(memory.read('container-2')).toBeNull();
  expect(composeMemory(folder, 'other').read('container-1')).toBeNull();
  memory.forget();
  expect(memory.read('container-1')).toBeNull();
  memory.forget();
});

it.each(['{', '{}', '{"version":2}'])('takes a file that it can not read for none: %s', (text) => {
  writeFileSync(path.join(folder, 'compose-lab.json'), text);
  expect(composeMemory(folder, 'lab').read('container-1')).toBeNull();
});
