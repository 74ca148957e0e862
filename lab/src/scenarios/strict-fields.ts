import { z } from 'zod';

/** A strict object whose complaint about an unknown field lists the fields that exist. */
export function strictFields<Shape extends z.ZodRawShape>(shape: Shape) {
  const allowed = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown field ${issue.keys.map((key) => `"${key}"`).join(', ')}; allowed: ${allowed}`
        : undefined,
  });
}

/** A number within bounds, both included, whose complaint names bounds and unit. */
export function quantity(options: { min: number; max: number; unit: string; whole?: boolean }) {
  const { min, max, unit, whole = false } = options;
  const kind = whole ? 'a whole number' : 'a number';
  const error = `must be ${kind} from ${min} to ${max}${unit === '' ? '' : ` (${unit})`}`;
  const base = whole ? z.int({ error }) : z.number({ error });
  return base.min(min, { error }).max(max, { error });
}

/** One of a few words, whose complaint lists them. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `must be one of ${words.join(', ')}` });
}

/** Text that is not empty. */
export function text() {
  const error = 'must be text that is not empty';
  return z.string({ error }).trim().min(1, { error });
}
