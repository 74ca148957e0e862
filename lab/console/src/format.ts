/** A number as people read it: three significant digits, thousands separated. */
export function figure(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  const magnitude = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  const decimals = Number.isInteger(value) ? 0 : Math.min(3, Math.max(0, 2 - magnitude));
  return value.toLocaleString('en-US', { maximumFractionDigits: decimals });
}

export function milliseconds(ms: number): string {
  return ms >= 10_000 ? `${figure(ms / 1000)} s` : `${figure(ms)} ms`;
}

/** `30 Nov, 18:10` in the reader's zone. */
export function shortTime(iso: string): string {
  return new Date(iso).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
}

const SERVICE_TITLES: Record<string, string> = {
  gateway: 'gateway',
  delivery: 'delivery',
  package: 'package',
  'drone-utilization': 'drone utilization',
};
export const serviceTitle = (name: string): string => SERVICE_TITLES[name] ?? name;
