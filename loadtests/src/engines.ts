import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export type EngineName = 'builtin' | 'k6';

/** Files that a run leaves in its folder, by engine-independent names. */
export interface RunFiles {
  readonly points: string;
  readonly summaryExport: string;
  readonly generatorReport: string;
}

export interface EngineInvocation {
  /** Metrics whose points are wanted; undefined for all. An engine may write more. */
  readonly metrics: readonly string[] | undefined;
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  readonly files: RunFiles;
}

export interface FoundEngine {
  readonly available: boolean;
  readonly version?: string;
  /** Why the engine cannot be used, and what would help. */
  readonly reason?: string;
}

/** How an engine is found and started. A further engine is one more row of {@link ENGINES}. */
export interface EngineDefinition {
  readonly description: string;
  find(): Promise<FoundEngine>;
  command(invocation: EngineInvocation): { file: string; args: string[]; env: Record<string, string> };
  /** Takes the message `{ type: 'shutdown' }`; otherwise it is interrupted by signal. */
  readonly stopsByMessage: boolean;
  /** Points of a second may come this much later than the second's end. */
  readonly pointsDelayMs: number;
}

const run = promisify(execFile);
const FIND_TIMEOUT_MS = 10_000;
const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));
const K6_MINIMUM_MAJOR = 1;
/** k6 reports usage and looks for extensions on the network unless told not to. */
const K6_OFFLINE = { K6_NO_USAGE_REPORT: 'true', K6_AUTO_EXTENSION_RESOLUTION: 'false' };

export const ENGINES: Readonly<Record<EngineName, EngineDefinition>> = {
  builtin: {
    description: 'runs k6 scripts in Node',
    find: async () => ({ available: true, version: packageVersion() }),
    command: (invocation) => ({ file: process.execPath, args: builtinArguments(invocation), env: {} }),
    stopsByMessage: true,
    pointsDelayMs: 600,
  },
  k6: {
    description: 'Grafana k6 on the PATH',
    find: findK6,
    command: (invocation) => ({ file: 'k6', args: runArguments(invocation), env: K6_OFFLINE }),
    stopsByMessage: false,
    // k6 hands samples on every 200 ms and writes them in blocks.
    pointsDelayMs: 1_500,
  },
};

export const ENGINE_NAMES = Object.keys(ENGINES) as EngineName[];

/** Tells whether an engine can be used on this machine. */
export function findEngine(name: EngineName): Promise<FoundEngine> {
  return ENGINES[name].find();
}

/** Both engines take the same flags. */
function runArguments({ script, env, files }: EngineInvocation): string[] {
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const outputs = ['--out', `json=${files.points}`, '--summary-export', files.summaryExport];
  return ['run', '--quiet', '--no-color', ...outputs, ...variables, script];
}

function builtinArguments(invocation: EngineInvocation): string[] {
  const { metrics, files } = invocation;
  const only = metrics === undefined ? [] : ['--out-metrics', metrics.join(',')];
  return [MAIN, ...runArguments(invocation), ...only, '--generator-report', files.generatorReport];
}

async function findK6(): Promise<FoundEngine> {
  try {
    const { stdout } = await run('k6', ['version'], {
      timeout: FIND_TIMEOUT_MS,
      env: { ...process.env, ...K6_OFFLINE },
    });
    const version = /v?(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
    if (version === undefined)
      return { available: false, reason: `'k6 version' printed no version: ${stdout.trim()}` };
    if (Number(version.split('.')[0]) >= K6_MINIMUM_MAJOR) return { available: true, version };
    return {
      available: false,
      version,
      reason: `k6 ${version} is too old; version ${K6_MINIMUM_MAJOR}.0 or later is needed`,
    };
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
