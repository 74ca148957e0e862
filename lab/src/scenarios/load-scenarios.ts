import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, YAMLParseError } from 'yaml';
import type { z } from 'zod';
import { ScenarioError } from './errors.js';
import { type Scenario, scenario } from './scenario.js';

/** The scenarios that come with the lab. */
export const SCENARIO_FOLDER = fileURLToPath(new URL('../../scenarios/', import.meta.url));

/** Every scenario of a folder by `order`. One wrong file is an error, so that it can't be missed. */
export function loadScenarios(folder: string = SCENARIO_FOLDER): Scenario[] {
  const loaded = scenarioFiles(folder).map((file) => ({ file, scenario: readScenario(file) }));
  for (const field of ['name', 'order'] as const) {
    const seen = new Map<string | number, string>();
    for (const one of loaded) {
      const value = one.scenario[field];
      const earlier = seen.get(value);
      if (earlier !== undefined) {
        throw new ScenarioError(
          'SCENARIO_DUPLICATE',
          `${one.file}: ${field} ${JSON.stringify(value)} is taken by ${earlier}; every ${field} must be unique`,
        );
      }
      seen.set(value, one.file);
    }
  }
  return loaded.map((one) => one.scenario).sort((a, b) => a.order - b.order);
}

/** Scenarios by name, in the order asked for. An unknown name is an error that lists the known ones. */
export function findScenarios(names: readonly string[], folder: string = SCENARIO_FOLDER): Scenario[] {
  const all = loadScenarios(folder);
  return names.map((name) => {
    const found = all.find((one) => one.name === name);
    if (found === undefined) {
      throw new ScenarioError(
        'SCENARIO_UNKNOWN',
        `unknown scenario "${name}"; known: ${all.map((one) => one.name).join(', ')}`,
      );
    }
    return found;
  });
}

/** One file, checked. The error names the file and every wrong field with its value and what is allowed. */
export function readScenario(file: string): Scenario {
  let source: string;
  try {
    source = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new ScenarioError('SCENARIO_UNREADABLE', `${file}: ${(cause as Error).message}`, { cause });
  }
  return parseScenario(source, file);
}

/** The same from text; `file` is only named in errors. */
export function parseScenario(source: string, file: string): Scenario {
  let input: unknown;
  try {
    input = parse(source, { prettyErrors: true });
  } catch (cause) {
    if (!(cause instanceof YAMLParseError)) throw cause;
    throw new ScenarioError('SCENARIO_NOT_YAML', `${file}: ${cause.message}`, { cause });
  }
  const result = scenario.safeParse(input);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => `${file}: ${describeIssue(issue, input)}`);
  throw new ScenarioError('SCENARIO_INVALID', lines.join('\n'), { cause: result.error });
}

function scenarioFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.yaml'))
      .sort()
      .map((name) => path.join(folder, name));
  } catch (cause) {
    throw new ScenarioError('SCENARIO_UNREADABLE', `${folder}: ${(cause as Error).message}`, { cause });
  }
}

/** `knobs.ruPerSecond: must be a whole number from 400 to 1000000 (RU/s ...), not 12`. */
function describeIssue(issue: z.core.$ZodIssue, input: unknown): string {
  const where = issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `;
  if (issue.code === 'unrecognized_keys') return `${where}${issue.message}`;
  const value = issue.path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined,
    input,
  );
  if (value === undefined) return `${where}is missing; ${issue.message}`;
  return `${where}${issue.message}, not ${JSON.stringify(value)}`;
}
