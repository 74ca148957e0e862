import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const PATIENCE_MS = 60_000;
const built = (file: string) => fileURLToPath(new URL(`../../../${file}`, import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lab-orphans-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Ends as a process whose parent was killed right after starting it: long before its own code is loaded. */
async function orphan(entry: string, args: string[], env: Record<string, string> = {}): Promise<unknown[]> {
  const child = fork(built(entry), args, { stdio: 'ignore', env: { ...process.env, ...env } });
  try {
    child.disconnect();
    return await once(child, 'exit', { signal: AbortSignal.timeout(PATIENCE_MS / 2) });
  } finally {
    child.kill('SIGKILL');
  }
}

it(
  'a stack whose command line was interrupted twice while starting ends, and leaves no lock',
  async () => {
    const stateDir = path.join(folder, 'state');
    expect(await orphan('lab/dist/stack/main.js', [JSON.stringify({ stateDir })])).toEqual([0, null]);
    expect(readdirSync(stateDir)).toEqual(['logs']);
  },
  PATIENCE_MS,
);

it.each([
  ['emulators/cosmos/dist/main.js', ['--port', '0']],
  ['emulators/app-insights/dist/main.js', ['--port', '0']],
  ['services/delivery/dist/main.js', []],
])(
  '%s ends when its parent was gone before it listened',
  async (entry, args) => {
    expect(await orphan(entry, args, { PORT: '0', INTERNAL_PORT: '0' })).toEqual([0, null]);
  },
  PATIENCE_MS,
);
