import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type RunningEmulator, startAppInsightsEmulator } from '@bottleneck-lab/app-insights-emulator';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { telemetryRecorder } from '../../../lab/src/telemetry/recorder.js';
import { folderSource, liveSource, records } from '../../../lab/src/telemetry/telemetry-source.js';
import { syntheticItems } from '../../unit/lab-telemetry/synthetic-run.js';
import { track } from '../app-insights/running-emulator.js';

const ITEMS = syntheticItems({ calls: 1, throttled: false });
const REQUESTS = ITEMS.filter((item) => JSON.stringify(item).includes('"RequestData"')).length;
const DEPENDENCIES = ITEMS.filter((item) => JSON.stringify(item).includes('"RemoteDependencyData"')).length;

/** The same as if they happened now. */
const happening = () => ITEMS.map((item) => ({ ...item, time: new Date().toISOString() }));

let runsDirectory: string;
let receiver: RunningEmulator;
beforeEach(async () => {
  runsDirectory = mkdtempSync(path.join(os.tmpdir(), 'lab-recorder-'));
  receiver = await startAppInsightsEmulator({ runsDirectory });
});
afterEach(async () => {
  await receiver.stop();
  rmSync(runsDirectory, { recursive: true, force: true });
});

const requestsIn = async (id: string) => {
  const source = await folderSource(path.join(runsDirectory, id));
  return records(await source.query('requests | count'))[0]?.Count;
};

describe('a recording', () => {
  it('has what happens and arrives between its beginning and its end, late items included', async () => {
    const recorder = telemetryRecorder(receiver.endpoint);
    await track(receiver, ITEMS);
    await recorder.start('first');
    const stopped = recorder.stop('first');
    // What happened before is left out, though it is delivered now.
    await track(receiver, [...happening(), ...ITEMS]);
    expect(await stopped).toEqual({
      requests: 2 * REQUESTS,
      dependencies: 2 * DEPENDENCIES,
      lostLines: 0,
      settled: true,
    });
    await track(receiver, happening());
    expect(await requestsIn('first')).toBe(REQUESTS);
    expect(readdirSync(path.join(runsDirectory, 'first', 'telemetry'))).toEqual(['000001.ndjson.gz']);
    const live = liveSource(receiver.endpoint);
    expect(records(await live.query('requests | count'))).toEqual([{ Count: 4 * REQUESTS }]);
  });

  it('takes over from one that a killed run left open, which stays readable', async () => {
    await telemetryRecorder(receiver.endpoint).start('killed');
    await track(receiver, happening());
    const recorder = telemetryRecorder(receiver.endpoint);
    await recorder.start('next');
    await recorder.stop('next');
    expect(await requestsIn('killed')).toBe(REQUESTS);
    expect(await requestsIn('next')).toBe(0);
  });

  it('that can not begin says why', async () => {
    await using bare = await startAppInsightsEmulator();
    await expect(telemetryRecorder(bare.endpoint).start('a')).rejects.toThrow(
      expect.objectContaining({ code: 'CONTROL_FAILED', message: expect.stringContaining('--runs-dir') }),
    );
    const { endpoint } = bare;
    await bare.stop();
    await expect(telemetryRecorder(endpoint).start('a')).rejects.toThrow(/did not begin to record/);
  });
});
