import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const LAB = fileURLToPath(new URL('../../../lab/dist/main.js', import.meta.url));
const folder = mkdtempSync(path.join(os.tmpdir(), 'compare-engines-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Without anything on the PATH, so that neither k6 nor Docker is found, whoever runs this. */
async function run(args: readonly string[]): Promise<{ exitCode: number | null; stderr: string }> {
  const child = spawn(process.execPath, [LAB, 'run', ...args, '--runs-dir', folder], {
    env: { ...process.env, PATH: folder, Path: folder },
  });
  let stderr = '';
  child.stderr.on('data', (text) => (stderr += text));
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { exitCode, stderr };
}

it.each([
  [['serial', '--compare-engines'], 'k6 is not on the PATH'],
  [['serial', '--compare-engines'], 'docker is not on the PATH'],
  [['serial', '--compare-engines', '--engine', 'docker'], 'The built-in engine runs the same scripts'],
  [['serial', 'parallel', '--compare-engines'], 'one scenario'],
  [['serial', '--compare-engines', '--check'], '--check'],
  [
    ['serial', '--compare-engines', '--target', 'kubernetes', '--context', 'none'],
    '--target local or attach',
  ],
  [['serial', '--engine', 'docker'], '--engine builtin'],
  [['serial', '--engine', 'docker=--privileged'], 'docker=IMAGE'],
])('lab run %j is refused before anything starts: %s', async (args, named) => {
  const { exitCode, stderr } = await run(args);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(named);
  expect(readdirSync(folder)).toEqual([]);
});
