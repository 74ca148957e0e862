import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChild } from '../../../lab/src/supervisor/child-process.js';
import { findFreePorts, isPortFree } from '../../../lab/src/supervisor/free-ports.js';
import { describeExit, ProcessEndedError } from '../../../lab/src/supervisor/managed-process.js';

const ENTRY = fileURLToPath(new URL('./fixtures/child.mjs', import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lab-process-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const start = (behaviour: string) =>
  startChild({
    name: behaviour,
    entry: ENTRY,
    args: [behaviour],
    logPath: path.join(folder, `${behaviour}.log`),
  });

describe('a supervised process', () => {
  it('reports that it listens, and ends by message', async () => {
    const child = start('obedient');
    expect(await child.waitForMessage('listening', 10_000)).toMatchObject({ port: 1, internalPort: 2 });
    const exit = await child.stop();
    expect(exit).toMatchObject({ code: 0, signal: null, expected: true });
    expect(exit.lastLines).toEqual(['first line', 'draining']);
    expect(readFileSync(child.logPath, 'utf8')).toBe('first line\ndraining\n');
  });

  it('is ended by signal when it does not obey', async () => {
    const child = start('deaf');
    await child.waitForMessage('listening', 10_000);
    const exit = await child.stop(100);
    expect(exit.signal).toBe('SIGKILL');
  });

  it('gives its exit code and last words when it ends while something is expected of it', async () => {
    const child = start('dies-at-once');
    const error = await child.waitForMessage('listening', 10_000).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProcessEndedError);
    const { message, exit } = error as ProcessEndedError;
    expect(message).toBe('dies-at-once ended with exit code 78');
    expect(exit).toMatchObject({ code: 78, expected: false, lastLines: ['PORT: "abc" is not allowed'] });
  });

  it('keeps only the last lines, an unfinished one included', async () => {
    const child = startChild({
      name: 'crashes-later',
      entry: ENTRY,
      args: ['crashes-later'],
      logPath: path.join(folder, 'crashes-later.log'),
    });
    await child.waitForMessage('listening', 10_000);
    const exit = await child.stop(5_000);
    expect(exit.code).toBe(3);
    expect(exit.lastLines).toHaveLength(20);
    expect(exit.lastLines.at(-1)).toBe('unfinished last words');
    expect(exit.lastLines.at(-2)).toBe('line 30');
  });

  it('is not waited for longer than asked', async () => {
    const child = start('silent');
    await expect(child.waitForMessage('listening', 200)).rejects.toThrow(
      'silent did not report "listening" within 0.2 s',
    );
    await child.stop(0);
  });

  it('has its end described in words', () => {
    expect(describeExit({ code: 3, signal: null })).toBe('ended with exit code 3');
    expect(describeExit({ code: null, signal: 'SIGKILL' })).toBe('was killed by SIGKILL');
  });
});

describe('free ports', () => {
  it('are different and free', async () => {
    const ports = await findFreePorts(20);
    expect(new Set(ports).size).toBe(20);
    expect(await isPortFree(ports[0] as number)).toBe(true);
  });

  it('are told from busy ones', async () => {
    const { createServer } = await import('node:net');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    expect(await isPortFree(port)).toBe(false);
    await new Promise((resolve) => server.close(resolve));
  });
});
