import { datetimeFromUnixMs } from '@bottleneck-lab/app-insights-emulator';
import { describe, expect, it } from 'vitest';
import { parseTimespanParameter } from '../../../emulators/app-insights/src/query/timespan.js';

const at = (text: string) => datetimeFromUnixMs(Date.parse(text));
const now = at('2026-01-02T12:00:00Z');

describe('parseTimespanParameter', () => {
  it.each([
    ['PT1H', '2026-01-02T11:00:00Z', '2026-01-02T12:00:00Z'],
    ['P1DT1H30M', '2026-01-01T10:30:00Z', '2026-01-02T12:00:00Z'],
    ['PT0.5S', '2026-01-02T11:59:59.5Z', '2026-01-02T12:00:00Z'],
    ['P1W', '2025-12-26T12:00:00Z', '2026-01-02T12:00:00Z'],
    ['2026-01-01/2026-01-02', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
    ['2026-01-01T10:00:00Z/PT30M', '2026-01-01T10:00:00Z', '2026-01-01T10:30:00Z'],
    ['PT30M/2026-01-01T10:00:00+01:00', '2026-01-01T08:30:00Z', '2026-01-01T09:00:00Z'],
  ])('%s', (text, from, to) => {
    expect(parseTimespanParameter(text, now)).toEqual({ from: at(from), to: at(to) });
  });

  it.each(['', 'P', 'PT', '1h', 'soon', 'PT1H/PT2H', '2026-01-01/soon', 'a/b/c', '2026-01-01'])(
    'refuses %j',
    (text) => {
      expect(() => parseTimespanParameter(text, now)).toThrow(
        expect.objectContaining({ code: 'BAD_ARGUMENT', status: 400 }),
      );
    },
  );
});
