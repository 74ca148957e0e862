import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startAppInsightsEmulator } from '@bottleneck-lab/app-insights-emulator';
import { describe, expect, it } from 'vitest';
import { startObserved } from './observed-lab.js';

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
const SPY = ['--import', pathToFileURL(fixture('connect-spy.mjs')).href];

/** Where the SDK's detector of Azure machines asks once; a link-local address, which no router passes on. */
const METADATA = '169.254.169.254:80';
const OBSERVED_MS = Number(process.env.EGRESS_OBSERVED_MS ?? 8000);

const destinations = (output: string) =>
  new Set([...output.matchAll(/^CONNECT (.*)$/gm)].map((match) => match[1] as string));

describe('a process with telemetry', () => {
  it.each(['Application Insights', 'OTLP', 'both'])(
    'connects to its receiver and nowhere else: %s',
    async (mode) => {
      await using emulator = await startAppInsightsEmulator();
      const receiver = `127.0.0.1:${emulator.port}`;
      const env = {
        ...(mode === 'OTLP' ? {} : { APPLICATIONINSIGHTS_CONNECTION_STRING: emulator.connectionString }),
        ...(mode === 'Application Insights' ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: emulator.endpoint }),
      };
      await using process = await startObserved(fixture('app.mjs'), { env, nodeFlags: SPY });
      const end = Date.now() + OBSERVED_MS;
      while (Date.now() < end) {
        await (await fetch(`${process.url}/log`)).text();
        await delay(200);
      }
      await process.stop();
      const seen = destinations(process.output());
      expect(seen).toContain(receiver);
      seen.delete(receiver);
      // The one call that has no switch; only in the Application Insights SDK.
      if (mode !== 'OTLP') seen.delete(METADATA);
      expect([...seen]).toEqual([]);
    },
  );
});
