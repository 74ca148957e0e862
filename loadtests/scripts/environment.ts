/** Reads variables of the run; a wrong one is named together with what is allowed. */
export function numberVariable(
  name: string,
  fallback: number,
  { min, max }: { min: number; max: number },
): number {
  const text = __ENV[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (Number.isFinite(value) && value >= min && value <= max) return value;
  throw new Error(`${name} must be a number from ${min} to ${max}, not '${text}'`);
}

export function textVariable(name: string, fallback: string): string {
  const text = __ENV[name];
  return text === undefined || text === '' ? fallback : text;
}
