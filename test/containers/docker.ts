import { execFile } from 'node:child_process';

export interface CommandResult {
  code: number;
  stdout: string;
  /** Both streams, for messages. */
  output: string;
}

/** Runs the docker command line; never rejects. */
export function docker(args: string[], options: { timeoutMs?: number } = {}): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(
      'docker',
      args,
      { timeout: options.timeoutMs ?? 60_000, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        const output = `${stdout}${stderr}${error === null ? '' : error.message}`;
        resolve({ code, stdout: stdout.trim(), output });
      },
    );
  });
}

/** The same, for what has to succeed. Returns what it printed. */
export async function mustDocker(...args: string[]): Promise<string> {
  const { code, stdout, output } = await docker(args);
  if (code !== 0) throw new Error(`docker ${args.join(' ')} ended with ${code}: ${output}`);
  return stdout;
}

export async function inspect<Part>(id: string, format: string): Promise<Part> {
  return JSON.parse(await mustDocker('inspect', '--format', `{{json ${format}}}`, id)) as Part;
}
