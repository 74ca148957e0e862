import { expect, test } from 'vitest';
import { ProgressView, progressLines } from '../../../loadtests/src/engine/progress-view.js';

const progress = {
  phase: 'load',
  elapsedMs: 12_340,
  vusActive: 3,
  vusInitialized: 5,
  iterationsCompleted: 70,
  iterationsInterrupted: 1,
  scenarios: [{ name: 'ramp', share: 0.5, elapsedMs: 12_000 }],
} as const;

test('the lines show totals and one bar per scenario', () => {
  const lines = progressLines(progress, new Map([['ramp', 'Up to 5 looping VUs for 24s over 1 stage']]));
  expect(lines).toEqual([
    'load (12.3s), 3/5 VUs, 70 complete and 1 interrupted iterations',
    'ramp         [===============---------------]  50%  Up to 5 looping VUs for 24s over 1 stage',
  ]);
});

test('other text goes above the bars, which disappear at the end', () => {
  const written: string[] = [];
  const view = new ProgressView(
    () => ['one', 'two'],
    (text) => written.push(text),
  );
  view.start();
  view.interleave('a log line\n');
  view.stop();
  expect(written).toEqual(['a log line\n', 'one\ntwo\n', '\u001b[2A\u001b[0J']);
});
