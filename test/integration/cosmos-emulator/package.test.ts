import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { request } from './raw-request.js';

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('../../../emulators/cosmos/', import.meta.url));
const INSTALLED = fileURLToPath(new URL('../../../node_modules/', import.meta.url));

/** `npm pack`, unpacked where nothing else of this repository can be found. */
test('the packed package starts on its own, with its declared dependencies only', async () => {
  const place = await mkdtemp(path.join(tmpdir(), 'cosmos-emulator-package-'));
  try {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const { stdout } = await run(npm, ['pack', '--json', '--ignore-scripts', '--pack-destination', place], {
      cwd: FOLDER,
    });
    const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
    const paths = files.map((file) => file.path);
    expect(paths).toEqual(
      expect.arrayContaining(['README.md', 'dist/index.js', 'dist/index.d.ts', 'dist/main.js']),
    );
    expect(paths.filter((file) => file.startsWith('src/') || file.endsWith('.tsbuildinfo'))).toEqual([]);
    await run('tar', ['-xzf', filename], { cwd: place });
    const unpacked = path.join(place, 'package');
    const { dependencies, bin } = JSON.parse(await readFile(path.join(unpacked, 'package.json'), 'utf8'));
    await mkdir(path.join(unpacked, 'node_modules'));
    for (const name of Object.keys(dependencies)) {
      await symlink(path.join(INSTALLED, name), path.join(unpacked, 'node_modules', name), 'junction');
    }
    const child = fork(path.join(unpacked, bin['cosmos-emulator']), ['--port', '0']);
    const [{ port }] = await once(child, 'message');
    const { body } = await request({ endpoint: `http://127.0.0.1:${port}/` }, { path: '/_emulator/health' });
    expect(body).toMatchObject({ status: 'ok' });
    child.send({ type: 'shutdown' });
    expect(await once(child, 'exit')).toEqual([0, null]);
  } finally {
    await rm(place, { recursive: true });
  }
});
