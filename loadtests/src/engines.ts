import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { dockerEngine } from './docker/docker-engine.js';
import { k6Image } from './docker/image.js';
import type { EngineDefinition, EngineInvocation, FindOptions, FoundEngine } from './engine-definition.js';
import { judgeVersion, K6_OFFLINE, K6_POINTS_DELAY_MS, runArguments } from './k6-command.js';

export type EngineKind = 'builtin' | 'k6' | 'docker';

/** An engine by name; `docker=IMAGE` is k6 in a container of another image than the usual one. */
export type EngineName = EngineKind | `docker=${string}`;

const run = promisify(execFile);
const FIND_TIMEOUT_MS = 10_000;
const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));

const BUILTIN: EngineDefinition = {
  description: 'runs k6 scripts in Node',
  find: async () => ({ available: true, version: packageVersion() }),
  command: async (invocation) => ({ file: process.execPath, args: builtinArguments(invocation), env: {} }),
  takesMessages: true,
  pointsDelayMs: 600,
};

const K6: EngineDefinition = {
  description: 'Grafana k6 on the PATH',
  find: findK6,
  command: async ({ script, env, files }) => ({
    file: 'k6',
    args: runArguments({ script, env, ...files }),
    env: K6_OFFLINE,
  }),
  takesMessages: false,
  pointsDelayMs: K6_POINTS_DELAY_MS,
};

export function engineKind(name: EngineName): EngineKind {
  return name.replace(/=.*/s, '') as EngineKind;
}

/** The definition behind a name. */
export function engineOf(name: EngineName): EngineDefinition {
  if (name === 'builtin') return BUILTIN;
  if (name === 'k6') return K6;
  return dockerEngine(k6Image(name));
}

/** Tells whether an engine can be used on this machine. */
export function findEngine(name: EngineName, options?: FindOptions): Promise<FoundEngine> {
  return engineOf(name).find(options);
}

function builtinArguments({ metrics, script, env, files }: EngineInvocation): string[] {
  const only = metrics === undefined ? [] : ['--out-metrics', metrics.join(',')];
  return [
    MAIN,
    ...runArguments({ script, env, ...files }),
    ...only,
    '--generator-report',
    files.generatorReport,
  ];
}

async function findK6(): Promise<FoundEngine> {
  try {
    const { stdout } = await run('k6', ['version'], {
      timeout: FIND_TIMEOUT_MS,
      env: { ...process.env, ...K6_OFFLINE },
    });
    return judgeVersion(stdout);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = missing
      ? 'k6 is not on the PATH; see https://grafana.com/docs/k6/latest/set-up/install-k6/'
      : `'k6 version' failed: ${(error as Error).message}`;
    return { available: false, reason };
  }
}

function packageVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
