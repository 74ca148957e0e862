import { execFile } from 'node:child_process';
import { StackError } from '../../stack/errors.js';
import { PROJECT_ROOT } from '../../stack/state-dir.js';

/** Runs one program to its end and returns what it printed; rejects with a `CommandError`. */
export type RunCommand = (
  program: string,
  args: readonly string[],
  options?: { env?: Record<string, string>; timeoutMs?: number; signal?: AbortSignal },
) => Promise<string>;

/** A call of Docker that failed, with what it said. */
export class CommandError extends StackError {
  constructor(program: string, args: readonly string[], output: string) {
    const lines = output.split('\n').filter((line) => line.trim() !== '');
    super('CONTROL_FAILED', `"${program} ${verbOf(args)}" failed: ${reasonIn(lines)}`, {
      lastLines: lines.slice(-LAST_LINES),
    });
  }
}

const LAST_LINES = 8;
/** What the program was told to do: the first word that is neither an option nor the value of one. */
const verbOf = (args: readonly string[]) =>
  args.find((argument, at) => !argument.startsWith('-') && !args[at - 1]?.startsWith('--')) ?? '';
/** Compose ends with a line that names nothing. */
const NAMES_NOTHING = /encountered errors while/i;

/** The line that says why. */
function reasonIn(lines: readonly string[]): string {
  const telling = lines.filter((line) => !NAMES_NOTHING.test(line));
  return (
    telling.findLast((line) => /error|failed|denied|refused|no such/i.test(line)) ??
    telling.at(-1) ??
    ''
  ).trim();
}

/** The first start builds images, which takes minutes. */
const LONGEST_MS = 1_800_000;

export const runCommand: RunCommand = (program, args, options = {}) =>
  new Promise((resolve, reject) => {
    execFile(
      program,
      [...args],
      {
        cwd: PROJECT_ROOT,
        env: { ...process.env, ...options.env },
        timeout: options.timeoutMs ?? LONGEST_MS,
        maxBuffer: 64 * 1024 * 1024,
        windowsHide: true,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout.trim());
        else if (options.signal?.aborted) reject(options.signal.reason as Error);
        else reject(new CommandError(program, args, stderr || stdout || error.message));
      },
    );
  });

/** How Compose is called here: the plugin, else the program of its own. */
export interface ComposeCommand {
  program: string;
  prefix: readonly string[];
}

const CANDIDATES: readonly ComposeCommand[] = [
  { program: 'docker', prefix: ['compose'] },
  { program: 'docker-compose', prefix: [] },
];

/** @throws {StackError} CONTAINERS_UNAVAILABLE, saying what is missing */
export async function findCompose(run: RunCommand = runCommand): Promise<ComposeCommand> {
  try {
    await run('docker', ['info', '--format', '{{.ServerVersion}}'], { timeoutMs: 20_000 });
  } catch (cause) {
    throw new StackError(
      'CONTAINERS_UNAVAILABLE',
      '--target compose needs Docker, and no engine answers "docker info"; install or start it, or use --target local',
      { cause },
    );
  }
  for (const candidate of CANDIDATES) {
    try {
      await run(candidate.program, [...candidate.prefix, 'version'], { timeoutMs: 20_000 });
      return candidate;
    } catch {
      // The next one.
    }
  }
  throw new StackError(
    'CONTAINERS_UNAVAILABLE',
    '--target compose needs Docker Compose, and neither "docker compose" nor "docker-compose" is installed',
  );
}
