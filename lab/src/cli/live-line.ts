import type { LiveSecond } from '../runner/live-second.js';
import type { Terminal } from './terminal.js';

/** Seconds between two lines where the line can't be redrawn. */
const PLAIN_EVERY_SECONDS = 5;

/** Shows a running load: one line redrawn every second, or a plain line every five. */
export function liveLine(terminal: Terminal): (second: LiveSecond) => void {
  return (second) => {
    if (terminal.live) terminal.redraw(formatSecond(second), formatSecondShort(second));
    else if ((second.second + 1) % PLAIN_EVERY_SECONDS === 0) terminal.progress(formatSecond(second));
  };
}

/** The same with only what a client sees. */
export function clientLine(terminal: Terminal): (second: LiveSecond) => void {
  const show = liveLine(terminal);
  return (second) => show({ ...second, throttledPerSecond: null, hottest: null, busiest: null });
}

/** `  25 s of 60   17 users   23 req/s   mean 412 ms   p95 903 ms   429/s 3   98 of 100 RU/s (partition 4)   CPU delivery 41 %` */
export function formatSecond(second: LiveSecond): string {
  const { users, requestsPerSecond, failed, meanMs, p95Ms, throttledPerSecond, hottest, busiest } = second;
  const parts = [
    `${cell(second.second + 1, 4)} s of ${second.plannedSeconds}`,
    `${cell(users, 3)} users`,
    `${cell(requestsPerSecond, 3)} req/s`,
    `mean ${cell(meanMs, 4)} ms`,
    `p95 ${cell(p95Ms, 4)} ms`,
  ];
  if (throttledPerSecond !== null) parts.push(`429/s ${cell(throttledPerSecond, 2)}`);
  if (hottest !== null) {
    const { ruPerSecond, limitRuPerSecond, partition } = hottest;
    parts.push(`${cell(ruPerSecond, 3)} of ${Math.round(limitRuPerSecond)} RU/s (partition ${partition})`);
  }
  if (busiest !== null) parts.push(`CPU ${busiest.service} ${cell(busiest.percent, 3)} %`);
  if (failed > 0) parts.push(`${failed} failed`);
  return parts.join('  ');
}

/** The same within 79 columns: `  25/60 s 17 users 23 req/s 412 ms p95 903 429/s 3 98/100 RU/s CPU 41 %` */
export function formatSecondShort(second: LiveSecond): string {
  const { users, requestsPerSecond, failed, meanMs, p95Ms, throttledPerSecond, hottest, busiest } = second;
  const parts = [
    `${cell(second.second + 1, 4)}/${second.plannedSeconds} s`,
    `${cell(users, 2)} users`,
    `${cell(requestsPerSecond, 2)} req/s`,
    `${cell(meanMs, 3)} ms p95 ${cell(p95Ms, 3)}`,
  ];
  if (failed > 0) parts.push(`${failed} failed`);
  if (throttledPerSecond !== null) parts.push(`429/s ${cell(throttledPerSecond, 1)}`);
  if (hottest !== null) {
    parts.push(`${cell(hottest.ruPerSecond, 2)}/${Math.round(hottest.limitRuPerSecond)} RU/s`);
  }
  if (busiest !== null) parts.push(`CPU ${cell(busiest.percent, 2)} %`);
  return parts.join(' ');
}

function cell(value: number | null, width: number): string {
  return (value === null ? '-' : Math.round(value).toString()).padStart(width);
}
