import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  datetimeFromUnixMs,
  datetimeToIso,
  datetimeToUnixMs,
  parseDatetime,
  parseTimespan,
  timespanFromMs,
  timespanText,
  timespanToMs,
} from '../../../emulators/app-insights/src/kql/index.js';

const unixMs = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2100, 0, 1) });

describe('datetime', () => {
  test('agrees with Date on whole milliseconds', () => {
    fc.assert(
      fc.property(unixMs, (ms) => {
        const datetime = datetimeFromUnixMs(ms);
        expect(datetimeToUnixMs(datetime)).toBe(ms);
        expect(parseDatetime(new Date(ms).toISOString())).toBe(datetime);
        expect(Date.parse(datetimeToIso(datetime))).toBe(ms);
      }),
    );
  });

  test('keeps every tick from 1991 to 2048', () => {
    const tick = fc.integer({ min: 0, max: 9_999_999 });
    const second = fc.integer({ min: Date.UTC(1992, 0, 1) / 1000, max: Date.UTC(2048, 0, 1) / 1000 });
    fc.assert(
      fc.property(second, tick, (s, t) => {
        const text = `${new Date(s * 1000).toISOString().slice(0, 19)}.${String(t).padStart(7, '0')}Z`;
        const written = datetimeToIso(parseDatetime(text) as number);
        expect(written).toBe(text.replace(/\.?0+Z$/, 'Z'));
      }),
    );
  });

  test.each([
    ['2026-01-02', '2026-01-02T00:00:00Z'],
    ['2026-01', '2026-01-01T00:00:00Z'],
    ['2026-01-02 03:04', '2026-01-02T03:04:00Z'],
    ['2026-01-02T03:04:05.123456789Z', '2026-01-02T03:04:05.1234567Z'],
    ['2026-01-02T03:04:05+01:30', '2026-01-02T01:34:05Z'],
    ['2024-02-29', '2024-02-29T00:00:00Z'],
    ['0001-01-01', '0001-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
  ])('reads %s', (text, expected) => {
    expect(datetimeToIso(parseDatetime(text) as number)).toBe(expected);
  });

  test.each([
    '',
    'x',
    '2026',
    '2026-13-01',
    '2023-02-29',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '0000-01-01',
    '2026-01-01T',
  ])('does not read %j', (text) => {
    expect(parseDatetime(text)).toBeNull();
  });
});

describe('timespan', () => {
  test('text round trip, also negative', () => {
    fc.assert(
      fc.property(fc.integer({ min: -8_000_000_000_000_000, max: 8_000_000_000_000_000 }), (ticks) => {
        expect(parseTimespan(timespanText(ticks))).toBe(ticks);
      }),
    );
  });

  test('milliseconds', () => {
    expect(timespanFromMs(1.5)).toBe(15_000);
    expect(timespanToMs(15_000)).toBe(1.5);
  });

  test.each([
    ['1d', '1.00:00:00'],
    ['1.5h', '01:30:00'],
    ['90s', '00:01:30'],
    ['3 ms', '00:00:00.0030000'],
    ['-00:00:01', '-00:00:01'],
    ['2', '2.00:00:00'],
    ['1.02:03:04.5', '1.02:03:04.5000000'],
    ['02:03', '02:03:00'],
  ])('reads %s', (text, expected) => {
    expect(timespanText(parseTimespan(text) as number)).toBe(expected);
  });

  test.each(['', 'x', '1 fortnight', '25:00:00', '00:61:00', '1:2:3:4'])('does not read %j', (text) => {
    expect(parseTimespan(text)).toBeNull();
  });
});
