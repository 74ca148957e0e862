import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { event, query, temporaryFolder, track } from './running-emulator.js';

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('../../../emulators/app-insights/', import.meta.url));
const INSTALLED = fileURLToPath(new URL('../../../node_modules/', import.meta.url));

/** `npm pack`, unpacked where nothing else of this repository can be found. */
it('starts from the packed package on its own, with its declared dependencies only', async () => {
  await using folder = await temporaryFolder();
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { stdout } = await run(
    npm,
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder.path],
    { cwd: PACKAGE },
  );
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  const paths = files.map((file) => file.path);
  expect(paths).toEqual(
    expect.arrayContaining(['README.md', 'dist/index.js', 'dist/index.d.ts', 'dist/main.js']),
  );
  expect(paths.filter((file) => file.startsWith('src/') || file.endsWith('.tsbuildinfo'))).toEqual([]);
  await run('tar', ['-xzf', filename], { cwd: folder.path });
  const unpacked = path.join(folder.path, 'package');
  const { dependencies, bin } = JSON.parse(await readFile(path.join(unpacked, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    const link = path.join(unpacked, 'node_modules', name);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(path.join(INSTALLED, name), link, 'junction');
  }
  const child = fork(path.join(unpacked, bin['app-insights-emulator']), ['--port', '0'], { silent: true });
  const [{ port }] = await once(child, 'message');
  const emulator = { endpoint: `http://127.0.0.1:${port}` };
  await track(emulator, [event('packed')]);
  expect(await query(emulator, 'customEvents | project name')).toEqual([{ name: 'packed' }]);
  child.send({ type: 'shutdown' });
  expect(await once(child, 'exit')).toEqual([0, null]);
});
