import { datetimeToIso } from '@bottleneck-lab/app-insights-emulator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  durationMs,
  performanceBucket,
  TimestampReader,
} from '../../../emulators/app-insights/src/ingestion/fields.js';
import { durationText, timeOf } from '../../../emulators/app-insights/src/otlp/attributes.js';

describe('durationMs', () => {
  it.each([
    ['00:00:00', 0],
    ['00:00:00.001', 1],
    ['00:00:00.0001', 0.1],
    ['23:59:59.9999999', 86_399_999.9999],
    ['1.02:03:04.5', 93_784_500],
    ['', null],
    [undefined, null],
    [12.5, 12.5],
  ])('%s', (text, expected) => {
    expect(durationMs(text)).toBe(expected);
  });

  it.each(['24:00:00', '00:60:00', '00:00:60', 'abc', '00-00-00', '00:00:0x', true])('refuses %s', (text) => {
    expect(() => durationMs(text)).toThrow(/duration/);
  });

  it('reads what durationText writes, to the tick', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (ticks) => {
        expect(durationMs(durationText(ticks * 100n))).toBeCloseTo(Number(ticks) / 1e4, 4);
      }),
    );
  });
});

it('puts durations into the buckets of the service', () => {
  expect(
    [0, 249.9, 250, 999, 1000, 6999, 7000, 29_999, 59_999, 60_000, 299_999, 300_000].map(performanceBucket),
  ).toEqual([
    '<250ms',
    '<250ms',
    '250ms-500ms',
    '500ms-1sec',
    '1sec-3sec',
    '3sec-7sec',
    '7sec-15sec',
    '15sec-30sec',
    '30sec-1min',
    '1min-2min',
    '2min-5min',
    '>=5min',
  ]);
});

it('writes nanoseconds of OTLP as ISO 8601 with ticks', () => {
  expect(timeOf('1767323045123456789')).toBe('2026-01-02T03:04:05.1234567Z');
  expect(timeOf('0')).toBe(null);
  expect(timeOf(undefined)).toBe(null);
  expect(() => timeOf('soon')).toThrow(/nanoseconds/);
});

describe('TimestampReader', () => {
  const iso = (text: string, reader = new TimestampReader()) => datetimeToIso(reader.read(text));

  it('reads times in any order as if each were the first', () => {
    const reader = new TimestampReader();
    for (const text of [
      '2026-01-02T03:04:05.678Z',
      '2026-01-02T03:04:05.001Z',
      '2026-01-02T03:04:06.999Z',
      '2025-12-31T23:59:59.5Z',
      '2026-01-02T03:04:05.1234567Z',
      '2026-01-02T03:04:05.678Z',
    ]) {
      expect(iso(text, reader)).toBe(iso(text));
      expect(iso(text, reader)).toBe(text);
    }
  });

  it.each([
    '2026-01-02T03:04:61.000Z',
    '2026-13-02T03:04:05.000Z',
    '2026-01-02T03:04:05.0x0Z',
    '2026-01-02T03:04:05.1e1Z',
    '2026-01-02T03:04:05.-01Z',
    'x',
    5,
  ])('refuses %s, also after a good one of the same second', (text) => {
    const reader = new TimestampReader();
    reader.read('2026-01-02T03:04:05.000Z');
    expect(() => reader.read(text)).toThrow(/'time'/);
  });
});
