import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../../lab/src/cli/program.js';
import {
  describeTelemetry,
  telemetryConflict,
  telemetryFromFlags,
} from '../../../lab/src/cli/telemetry-flags.js';
import { openTerminal } from '../../../lab/src/cli/terminal.js';
import { SAMPLING_RATIOS, type TelemetryStatus } from '../../../lab/src/telemetry/settings.js';
import { readSettings } from '../../../libs/telemetry/src/settings.js';

const RUNS = '/runs';
const LOCAL: TelemetryStatus = {
  ...{ receiver: 'stand-in', sdk: 'applicationinsights', samplingRatio: 1 },
  ...{ endpoint: 'http://127.0.0.1:1', runsDir: RUNS },
};

describe('telemetry on the command line', () => {
  it('is off unless asked for', () => {
    expect(telemetryFromFlags({}, RUNS)).toBeNull();
  });

  it('goes to the stand-in, all of it, by the Application Insights SDK, unless told otherwise', () => {
    expect(telemetryFromFlags({ telemetry: true }, RUNS)).toEqual({
      ...{ sdk: 'applicationinsights', samplingRatio: 1, connectionStringEnv: null, runsDir: RUNS },
    });
    expect(telemetryFromFlags({ telemetry: true, sampling: 0.25, telemetrySdk: 'otlp' }, RUNS)).toMatchObject(
      {
        ...{ sdk: 'otlp', samplingRatio: 0.25 },
      },
    );
    expect(telemetryFromFlags({ connectionStringEnv: 'MINE' }, RUNS)).toMatchObject({
      connectionStringEnv: 'MINE',
    });
  });

  it('refuses flags that have no meaning together', () => {
    expect(() => telemetryFromFlags({ sampling: 0.5 }, RUNS)).toThrow(/belong to --telemetry/);
    expect(() => telemetryFromFlags({ connectionStringEnv: 'A', telemetrySdk: 'otlp' }, RUNS)).toThrow(
      /--telemetry-sdk applicationinsights/,
    );
  });

  it.each(['0', '0.3', '2', '', 'all'])('refuses a share of %s and names what is allowed', async (share) => {
    const output = { write: () => {} };
    const program = buildProgram(openTerminal({ stdout: output, stderr: output, env: {} }));
    for (const command of program.commands) command.configureOutput({ writeErr: output.write });
    const parsed = program.parseAsync(['node', 'lab', 'up', '--telemetry', '--sampling', share]);
    await expect(parsed).rejects.toThrow(/must be one of 1, 0\.5/);
  });

  it('allows the shares that the services allow', () => {
    for (const ratio of SAMPLING_RATIOS) {
      const env = {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
        TELEMETRY_SAMPLING_RATIO: String(ratio),
      };
      const identity = { serviceName: 'a', version: '1', pid: 1 };
      expect(readSettings(env, identity, new Map()).samplingRatio).toBe(ratio);
    }
  });

  it('uses a running stack only when its telemetry is what is asked for', () => {
    const wanted = telemetryFromFlags({ telemetry: true }, RUNS);
    expect(telemetryConflict(LOCAL, null)).toBeNull();
    expect(telemetryConflict(null, null)).toBeNull();
    expect(telemetryConflict(LOCAL, wanted)).toBeNull();
    expect(telemetryConflict(null, wanted)).toBe('without telemetry');
    expect(telemetryConflict({ ...LOCAL, samplingRatio: 0.1 }, wanted)).toBe(
      'with telemetry: applicationinsights to the stand-in at http://127.0.0.1:1, 10 % of traces',
    );
    expect(telemetryConflict({ ...LOCAL, receiver: 'azure', endpoint: null }, wanted)).toMatch(/Azure/);
  });

  it('is described in words', () => {
    expect(describeTelemetry(LOCAL)).toBe(
      'applicationinsights to the stand-in at http://127.0.0.1:1, all traces',
    );
  });
});
