import { describe, expect, it } from 'vitest';
import { liveLine } from '../../../lab/src/cli/live-line.js';
import { openTerminal } from '../../../lab/src/cli/terminal.js';
import type { LiveSecond } from '../../../lab/src/runner/live-second.js';

const BUSY: LiveSecond = {
  second: 59,
  plannedSeconds: 60,
  users: 40,
  requestsPerSecond: 102,
  failed: 0,
  meanMs: 1234,
  p95Ms: 2345,
  throttledPerSecond: 36,
  hottest: { container: 'utilization', partition: '3', ruPerSecond: 102, limitRuPerSecond: 100 },
  busiest: { service: 'delivery', percent: 100 },
};

function shownAt(columns: number, second: LiveSecond = BUSY): string {
  let written = '';
  const stderr = { isTTY: true, columns, write: (text: string) => (written += text) };
  liveLine(openTerminal({ stdout: { write: () => {} }, stderr, env: {} }))(second);
  return written.replace('\r\u001b[2K', '');
}

describe('the live line of a load', () => {
  it('names partition and service where there is room', () => {
    expect(shownAt(130)).toContain('102 of 100 RU/s (partition 3)  CPU delivery 100 %');
  });

  it.each([80, 110])('leaves out words, but no figure, at %d columns', (columns) => {
    const line = shownAt(columns);
    expect(line.length).toBeLessThan(80);
    expect(line.match(/\d+/g)).toEqual([
      '60',
      '60',
      '40',
      '102',
      '1234',
      '95',
      '2345',
      '429',
      '36',
      '102',
      '100',
      '100',
    ]);
    expect(line.endsWith('CPU 100 %')).toBe(true);
  });

  it('tells of failed requests before anything that a narrow terminal cuts off', () => {
    expect(shownAt(80, { ...BUSY, failed: 7 })).toMatch(/p95 2345 7 failed/);
  });
});
