/**
 * A number for people: at least `significant` digits, never fewer than the whole part, thousands separated.
 * `quantity(118.4)` is `118`, `quantity(2.64)` is `2.6`.
 */
export function quantity(value: number, significant = 2): string {
  if (!Number.isFinite(value)) return String(value);
  const magnitude = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  const decimals = Number.isInteger(value) ? 0 : Math.min(6, Math.max(0, significant - 1 - magnitude));
  const text = value.toLocaleString('en-US', { maximumFractionDigits: decimals });
  return text === '-0' ? '0' : text;
}

/** With its unit: `12 %`, `3.2 RU`. */
export function withUnit(value: number, unit: string, significant = 2): string {
  return unit === 'ratio' ? quantity(value, significant) : `${quantity(value, significant)} ${unit}`;
}
