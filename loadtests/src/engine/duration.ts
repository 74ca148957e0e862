const UNIT = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
} as const;

/**
 * Reads a duration as k6 does: `'1m30s'`, `'500ms'`, `'1d2h'`, `'1.5s'`, or a number (also as text) of milliseconds.
 * Returns milliseconds, or undefined when the value is not a duration. Negative durations are not accepted.
 */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined;
  if (typeof value !== 'string' || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h|d)/y;
  let total = 0;
  while (part.lastIndex < value.length) {
    const match = part.exec(value);
    if (match === null) return undefined;
    total += Number(match[1]) * UNIT[match[2] as keyof typeof UNIT];
  }
  return total;
}

/** `90000` is `1m30s`, `1500` is `1.5s`, `0.25` is `250µs`. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0s';
  if (ms < 1) return `${trim(ms * 1000)}µs`;
  if (ms < 1000) return `${trim(ms)}ms`;
  const hours = Math.floor(ms / UNIT.h);
  const minutes = Math.floor((ms % UNIT.h) / UNIT.m);
  const seconds = (ms % UNIT.m) / UNIT.s;
  if (hours > 0) return `${hours}h${minutes}m${trim(seconds)}s`;
  return minutes > 0 ? `${minutes}m${trim(seconds)}s` : `${trim(seconds)}s`;
}

function trim(value: number): string {
  return String(Number(value.toFixed(2)));
}
