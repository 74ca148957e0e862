import { expect, test } from 'vitest';
import { formatDuration, parseDuration } from '../../../loadtests/src/engine/duration.js';

test.each([
  ['1m30s', 90_000],
  ['500ms', 500],
  ['1d2h', 93_600_000],
  ['1.5s', 1_500],
  ['.5s', 500],
  ['250us', 0.25],
  ['250µs', 0.25],
  ['10ns', 0.00001],
  ['1h0m0.5s', 3_600_500],
  ['0s', 0],
  ['30000', 30_000],
  [1_500, 1_500],
  [0, 0],
])('%s is %d ms', (text, ms) => {
  expect(parseDuration(text)).toBeCloseTo(ms, 9);
});

test.each(['', '10 s', 's', '1x', '1m30', '-1s', 'abc', -5, Number.NaN, null, undefined, true, {}])(
  '%s is no duration',
  (value) => {
    expect(parseDuration(value)).toBeUndefined();
  },
);

test.each([
  [0, '0s'],
  [0.25, '250µs'],
  [12.345, '12.35ms'],
  [1_500, '1.5s'],
  [90_000, '1m30s'],
  [3_723_000, '1h2m3s'],
])('%d ms is shown as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
