import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { openTelemetryFolder, startAppInsightsEmulator } from '@bottleneck-lab/app-insights-emulator';
import { describe, expect, it } from 'vitest';
import { event, forkEmulator, send, temporaryFolder, track } from './running-emulator.js';

const run = promisify(execFile);
const main = createRequire(import.meta.url).resolve('@bottleneck-lab/app-insights-emulator/main');

describe('the program', () => {
  it('keeps everything it accepted when it is killed', async () => {
    await using folder = await temporaryFolder();
    let accepted = 0;
    {
      await using emulator = await forkEmulator('--data-dir', folder.path);
      const senders = Array.from({ length: 4 }, async () => {
        for (;;) {
          try {
            accepted += (await track(emulator, [event('a'), event('b'), event('c')])).body.itemsAccepted;
          } catch {
            return;
          }
        }
      });
      while (accepted < 300) await new Promise((resolve) => setImmediate(resolve));
      emulator.process.kill('SIGKILL');
      await Promise.all([once(emulator.process, 'exit'), ...senders]);
    }
    // What a kill may leave behind in the middle of a write.
    const [file] = await readdir(folder.path);
    await appendFile(path.join(folder.path, file as string), '[{"ver":1,"time":"2026');

    await using emulator = await startAppInsightsEmulator({ dataDirectory: folder.path });
    expect(emulator.loaded?.rows).toBeGreaterThanOrEqual(accepted);
    expect(emulator.loaded?.tornLines).toHaveLength(1);
    expect(emulator.stats().rows.retained.customEvents).toBe(emulator.loaded?.rows);
    await track(emulator, [event('after')]);
    expect((await openTelemetryFolder(folder.path)).report.rows).toBe((emulator.loaded?.rows ?? 0) + 1);
  });

  it('stops on a message, and when its parent is gone', async () => {
    for (const stop of ['message', 'disconnect'] as const) {
      await using emulator = await forkEmulator();
      const exited = once(emulator.process, 'exit');
      if (stop === 'message') emulator.process.send({ type: 'shutdown' });
      else emulator.process.disconnect();
      expect(await exited).toEqual([0, null]);
    }
  });

  it('names a busy port, an unknown flag and bad values', async () => {
    await using emulator = await startAppInsightsEmulator();
    const failing = (...args: string[]) =>
      run(process.execPath, [main, ...args]).then(
        () => ({ code: 0, stderr: '' }),
        (error: { code: number; stderr: string }) => error,
      );
    const busy = await failing('--port', String(emulator.port));
    expect(busy).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`127.0.0.1:${emulator.port}: the port is in use`),
    });
    expect((await failing('--nope')).stderr).toContain("unknown option '--nope'");
    expect((await failing('--port', 'x')).stderr).toContain('must be a number');
    const bad = await failing('--port', '70000', '--retain-rows', '1');
    expect(bad.stderr).toMatch(/port: .*65535[\s\S]*retain\.rows: .*1000/);
  });

  it('prints its configuration', async () => {
    const { stdout } = await run(process.execPath, [main, '--print-config', '--retain-mb', '64']);
    expect(JSON.parse(stdout)).toMatchObject({
      host: '127.0.0.1',
      port: 4319,
      retain: { bytes: 64 * 1024 * 1024 },
    });
  });
});

describe('recordings', () => {
  it('write what is accepted between start and stop, over HTTP', async () => {
    await using folder = await temporaryFolder();
    await using emulator = await forkEmulator('--runs-dir', folder.path);
    const recording = (method: string, id = 'run-1') =>
      send<{ id: string; error?: { code: string } }>(`${emulator.endpoint}/-/recordings/${id}`, { method });
    await track(emulator, [event('before')]);
    expect(await recording('PUT')).toMatchObject({ status: 201, body: { id: 'run-1' } });
    expect(await recording('PUT', 'run-2')).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT' } },
    });
    await track(emulator, [event('during')]);
    expect((await recording('DELETE', 'run-2')).status).toBe(404);
    expect(await recording('DELETE')).toMatchObject({ status: 200, body: { lines: 1, lostLines: 0 } });
    await track(emulator, [event('after')]);
    const { sources, report } = await openTelemetryFolder(path.join(folder.path, 'run-1', 'telemetry'));
    expect(report.tornLines).toEqual([]);
    expect([...sources.customEvents.batches()].flat().map((row) => row[1])).toEqual(['during']);
  });

  it('refuse ids that leave the folder, and need one', async () => {
    await using folder = await temporaryFolder();
    await using emulator = await startAppInsightsEmulator({ runsDirectory: folder.path });
    for (const id of ['..%2Fx', '%2e%2e', 'a%2Fb', '']) {
      expect(
        (await send(`${emulator.endpoint}/-/recordings/${id}`, { method: 'PUT' })).status,
      ).toBeGreaterThanOrEqual(400);
    }
    expect(await readdir(folder.path)).toEqual([]);
    await using without = await startAppInsightsEmulator();
    expect((await send(`${without.endpoint}/-/recordings/a`, { method: 'PUT' })).status).toBe(501);
  });

  it('survive a kill', async () => {
    await using folder = await temporaryFolder();
    await using emulator = await forkEmulator('--runs-dir', folder.path);
    await send(`${emulator.endpoint}/-/recordings/run-1`, { method: 'PUT' });
    await track(emulator, [event('a'), event('b')]);
    emulator.process.kill('SIGKILL');
    await once(emulator.process, 'exit');
    expect((await openTelemetryFolder(path.join(folder.path, 'run-1', 'telemetry'))).report.rows).toBe(2);
  });
});
