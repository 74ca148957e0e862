import { formatDuration } from '../duration.js';
import type { MetricSummary } from './summary-data.js';

/** Sizes with SI prefixes, as k6 shows transferred data. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

export function formatNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(7)));
}

const FIXED_UNITS: Record<string, (ms: number) => string> = {
  s: (ms) => `${(ms / 1000).toFixed(2)}s`,
  ms: (ms) => `${ms.toFixed(2)}ms`,
  us: (ms) => `${(ms * 1000).toFixed(2)}µs`,
};

/** One value of a metric, in its unit; `timeUnit` is the script's summaryTimeUnit, empty for the fitting one. */
export function formatValue(value: number, contains: string, timeUnit: string): string {
  if (contains === 'time') return (FIXED_UNITS[timeUnit] ?? formatDuration)(value);
  return contains === 'data' ? formatBytes(value) : formatNumber(value);
}

/** The line's text for a metric: totals and rates, or the trend's statistics. */
export function formatMetric(metric: MetricSummary, timeUnit: string): string {
  const { type, contains, values } = metric;
  const show = (name: string) => formatValue(values[name] ?? 0, contains, timeUnit);
  if (type === 'counter') return `${show('count')}  ${show('rate')}/s`;
  if (type === 'gauge') return `${show('value')}  min=${show('min')} max=${show('max')}`;
  if (type === 'rate') {
    const { rate = 0, passes = 0, fails = 0 } = values;
    return `${(rate * 100).toFixed(2)}%  ${passes} out of ${passes + fails}`;
  }
  return Object.entries(values)
    .map(([name, value]) => `${name}=${name === 'count' ? value : formatValue(value, contains, timeUnit)}`)
    .join(' ');
}
