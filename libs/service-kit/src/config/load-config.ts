import type { ConfigOf, Settings } from './setting.js';

export interface ConfigIssue {
  variable: string;
  /** What is wrong, for example `"abc" is not allowed`. */
  problem: string;
  allowed: string;
}

/** Holds every issue found, not just the first. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly issues: readonly ConfigIssue[];

  constructor(issues: readonly ConfigIssue[]) {
    super(issues.map((i) => `${i.variable}: ${i.problem}; allowed: ${i.allowed}`).join('\n'));
    this.issues = issues;
  }
}

/** Checks that concern several variables at once; they run only when each variable is valid by itself. */
export type ConfigRule<S extends Settings> = (config: ConfigOf<S>) => ConfigIssue[];

/**
 * Reads all settings from the environment, once.
 * @throws {ConfigError} naming every variable that is missing or not allowed
 */
export function loadConfig<S extends Settings>(
  settings: S,
  options: { env?: NodeJS.ProcessEnv; rules?: readonly ConfigRule<S>[] } = {},
): ConfigOf<S> {
  const { env = process.env, rules = [] } = options;
  const values: Record<string, unknown> = {};
  const issues: ConfigIssue[] = [];
  for (const [key, setting] of Object.entries(settings)) {
    const raw = env[setting.variable];
    // Container tools pass `NAME=` for "not set", so that an empty variable means its default.
    const result = setting.schema.safeParse(raw === '' ? undefined : raw);
    if (result.success) values[key] = result.data;
    else
      issues.push({
        variable: setting.variable,
        problem: problemOf(raw, setting.secret),
        allowed: setting.allowed,
      });
  }
  const config = Object.freeze(values) as ConfigOf<S>;
  if (issues.length === 0) issues.push(...rules.flatMap((rule) => rule(config)));
  if (issues.length > 0) throw new ConfigError(issues);
  return config;
}

function problemOf(raw: string | undefined, secret: boolean): string {
  if (raw === undefined || raw === '') return 'is missing';
  return secret ? 'the value given is not allowed' : `${JSON.stringify(raw)} is not allowed`;
}

/** The configuration by variable name, as `--print-config` shows it: secrets replaced by `***`. */
export function printableConfig<S extends Settings>(
  settings: S,
  config: ConfigOf<S>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([key, setting]) => {
      const value = config[key];
      return [setting.variable, setting.secret && value !== undefined ? '***' : (value ?? null)];
    }),
  );
}
