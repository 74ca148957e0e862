import { z } from 'zod';

/** One environment variable: how its text becomes a value, and what to tell someone who got it wrong. */
export interface Setting<T> {
  variable: string;
  /** An unset or empty variable arrives as undefined. */
  schema: z.ZodType<T, string | undefined>;
  /** What is allowed, as the end of the sentence "allowed: ...". */
  allowed: string;
  /** A secret's value appears in no message and not in `--print-config`. */
  secret: boolean;
}

export type Settings = Record<string, Setting<unknown>>;
export type ConfigOf<S extends Settings> = Readonly<{
  [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
}>;

const withDefault = (fallback: string | undefined) =>
  fallback === undefined ? z.string() : z.string().default(fallback);

/** A whole number between `min` and `max`, both included. */
export function integer(
  variable: string,
  options: { min: number; max: number; default?: number },
): Setting<number> {
  const { min, max } = options;
  const schema = withDefault(options.default?.toString())
    .pipe(z.string().regex(/^\d{1,15}$/))
    .transform(Number)
    .refine((n) => n >= min && n <= max);
  return { variable, schema, allowed: `a whole number from ${min} to ${max}`, secret: false };
}

/** One of the listed words. */
export function choice<const T extends string>(
  variable: string,
  values: readonly [T, ...T[]],
  fallback?: NoInfer<T>,
): Setting<T> {
  const schema = withDefault(fallback).pipe(z.enum(values)) as z.ZodType<T, string | undefined>;
  return { variable, schema, allowed: values.join(' or '), secret: false };
}

/** An http or https address without a path, for example `http://127.0.0.1:8080`. */
export function origin(variable: string): Setting<string> {
  const schema = z.string().transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const bare = url?.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
    if (bare && (url.protocol === 'http:' || url.protocol === 'https:')) return url.origin;
    context.addIssue({ code: 'custom' });
    return z.NEVER;
  }) as unknown as z.ZodType<string, string | undefined>;
  return {
    variable,
    schema,
    allowed: 'an http or https address without a path, for example http://127.0.0.1:8080',
    secret: false,
  };
}

/** Any text that matches `pattern`. */
export function text(
  variable: string,
  options: { pattern: RegExp; allowed: string; default?: string; secret?: boolean },
): Setting<string> {
  const schema = withDefault(options.default).pipe(z.string().regex(options.pattern));
  return { variable, schema, allowed: options.allowed, secret: options.secret ?? false };
}

/** The same setting, allowed to be absent. */
export function optional<T>(setting: Setting<T>): Setting<T | undefined> {
  return {
    ...setting,
    schema: setting.schema.optional() as z.ZodType<T | undefined, string | undefined>,
    allowed: `${setting.allowed}, or nothing`,
  };
}
