import { parseDuration } from './duration.js';
import { LoadError } from './errors.js';
import type { ScenarioConfig } from './executors/executor.js';
import { EXECUTORS } from './executors/index.js';
import { Fields } from './fields.js';

const GRACEFUL_STOP_MS = 30_000;
const SCENARIO_NAME = /^[0-9a-zA-Z_-]+$/;

/** What a run may set in place of the script's scenarios, as flags or environment variables. */
export interface LoadShortcuts {
  vus?: number | undefined;
  duration?: string | undefined;
  iterations?: number | undefined;
  stages?: { duration: string; target: number }[] | undefined;
}

export function readScenarios(value: unknown): ScenarioConfig[] {
  const entries = new Fields('scenarios', value).entries;
  if (entries.length === 0)
    throw new LoadError('LOAD_OPTION_INVALID', 'scenarios must have at least one scenario');
  return entries.map(([name, fields]) => readScenario(name, fields));
}

function readScenario(name: string, value: unknown): ScenarioConfig {
  if (!SCENARIO_NAME.test(name)) {
    throw new LoadError(
      'LOAD_OPTION_INVALID',
      `scenarios: the name '${name}' may have only letters, digits, _ and -`,
    );
  }
  const fields = new Fields(`scenarios.${name}`, value);
  const executor = fields.text('executor', '');
  const definition = EXECUTORS[executor];
  if (definition === undefined) {
    throw new LoadError(
      'LOAD_EXECUTOR_UNSUPPORTED',
      `scenarios.${name}.executor '${executor}' is not supported; supported are ${Object.keys(EXECUTORS).join(', ')}`,
    );
  }
  const openModel = executor.endsWith('arrival-rate');
  const common: ScenarioConfig = {
    name,
    executor,
    startTimeMs: fields.duration('startTime', { fallback: 0 }),
    gracefulStopMs: fields.duration('gracefulStop', { fallback: GRACEFUL_STOP_MS }),
    exec: fields.text('exec', 'default'),
    env: fields.map('env'),
    tags: fields.map('tags'),
  };
  const config = definition.parse(fields, common);
  fields.refuseUnread();
  if (!openModel && definition.maxVus(config) === 0) {
    throw new LoadError('LOAD_OPTION_INVALID', `scenarios.${name} never has a virtual user`);
  }
  return config;
}

/**
 * The scenario that `vus`, `duration`, `iterations` and `stages` stand for: iterations mean shared-iterations, stages
 * ramping-vus, a duration constant-vus, nothing a single iteration. Undefined when none of the four is given.
 */
export function scenarioFromShortcuts(shortcuts: LoadShortcuts): Record<string, unknown> | undefined {
  const { vus, duration, iterations, stages } = shortcuts;
  if (iterations !== undefined) {
    if (stages !== undefined) throw conflict('iterations', 'stages');
    const maxDuration = duration === undefined ? {} : { maxDuration: duration };
    return { executor: 'shared-iterations', vus: vus ?? 1, iterations, ...maxDuration };
  }
  if (duration !== undefined) {
    if (stages !== undefined) throw conflict('duration', 'stages');
    return { executor: 'constant-vus', vus: vus ?? 1, duration };
  }
  if (stages !== undefined) return { executor: 'ramping-vus', startVUs: vus ?? 1, stages };
  return vus === undefined ? undefined : { executor: 'shared-iterations', vus, iterations: vus };
}

function conflict(first: string, second: string): LoadError {
  return new LoadError('LOAD_OPTION_INVALID', `${first} and ${second} cannot be used together`);
}

/** Reads `--stage 30s:10`, also several in one text separated by commas. */
export function parseStageFlags(flags: readonly string[]): { duration: string; target: number }[] {
  return flags
    .flatMap((flag) => flag.split(','))
    .map((text) => {
      const [duration = '', target = ''] = text.split(':');
      if (parseDuration(duration) === undefined || !/^\d+$/.test(target)) {
        throw new LoadError(
          'LOAD_OPTION_INVALID',
          `stage '${text}' must be DURATION:VUS, for example 30s:10`,
        );
      }
      return { duration, target: Number(target) };
    });
}
