import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runCli } from '../../../loadtests/src/cli.js';

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Lines of the points file. */
  readonly points: {
    metric: string;
    type: string;
    data: { value: number; time: string; tags: Record<string, string> };
  }[];
  /** The exported summary's metrics. */
  readonly metrics: Record<string, Record<string, number>>;
}

export function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'load-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Runs `lab-load run` in this process on a script given as text. */
export async function runCommand(
  source: string,
  {
    flags = [],
    env = {},
    stop,
  }: { flags?: string[]; env?: Record<string, string>; stop?: (stop: () => void) => void } = {},
): Promise<CommandResult> {
  const directory = folder();
  const [script, points, summary] = ['script.ts', 'points.ndjson', 'summary.json'].map((name) =>
    join(directory, name),
  ) as [string, string, string];
  writeFileSync(script, source);
  let stdout = '';
  let stderr = '';
  const exitCode = await runCli(
    ['run', script, '--out', `json=${points}`, '--summary-export', summary, ...flags],
    {
      env,
      stdout: (text) => {
        stdout += text;
      },
      stderr: (text) => {
        stderr += text;
      },
      stdoutIsTerminal: false,
      stderrIsTerminal: false,
      onStop: stop ?? (() => {}),
    },
  );
  const lines = read(points)
    .split('\n')
    .filter((line) => line !== '');
  const exported = read(summary);
  return {
    exitCode,
    stdout,
    stderr,
    points: lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'Point'),
    metrics: exported === '' ? {} : JSON.parse(exported).metrics,
  };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
