import { expect, test } from 'vitest';
import { createLogger, scriptConsole } from '../../../loadtests/src/engine/log.js';

function logger(quiet = false) {
  const lines: string[] = [];
  let nowMs = 1_000;
  const log = createLogger({
    now: () => nowMs,
    startedAtMs: 1_000,
    quiet,
    write: (text) => lines.push(text.trimEnd()),
  });
  return { lines, log, pass: (ms: number) => (nowMs += ms) };
}

test('lines carry level and seconds, as those of k6', () => {
  const { lines, log, pass } = logger();
  pass(12_900);
  log.log('error', 'no');
  scriptConsole(log).warn?.('careful', { a: 1 }, 2);
  expect(lines).toEqual(['ERRO[0012] no', 'WARN[0012] careful {"a":1} 2 source=console']);
});

test('many equal lines within a second are counted instead', () => {
  const { lines, log, pass } = logger();
  for (let i = 0; i < 100; i++) log.log('error', 'same\nstack');
  expect(lines).toHaveLength(5);
  log.log('error', 'other');
  pass(2_000);
  log.log('error', 'same\nstack');
  expect(lines.slice(5)).toEqual([
    'ERRO[0000] other',
    'ERRO[0002] 95 more within 2s: same',
    'ERRO[0002] same\nstack',
  ]);
});

test('what was counted is told at the end', () => {
  const { lines, log } = logger();
  for (let i = 0; i < 8; i++) log.log('warning', 'again');
  log.flush();
  expect(lines.at(-1)).toBe('WARN[0000] 3 more within 0s: again');
});
