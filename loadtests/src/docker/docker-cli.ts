import { execFile } from 'node:child_process';

const OUTPUT_BYTES = 4 * 1024 * 1024;

export interface DockerAnswer {
  readonly ok: boolean;
  readonly stdout: string;
  /** The last line of what went wrong; empty when nothing did. */
  readonly problem: string;
  /** There is no such program on the PATH. */
  readonly missing: boolean;
}

/** Runs the Docker client. A failure is an answer, not an error. */
export function docker(args: readonly string[], timeoutMs: number): Promise<DockerAnswer> {
  return new Promise((resolve) => {
    execFile(
      'docker',
      [...args],
      { timeout: timeoutMs, maxBuffer: OUTPUT_BYTES, windowsHide: true },
      (error, stdout, stderr) => {
        if (error === null) return resolve({ ok: true, stdout, problem: '', missing: false });
        const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
        const said = stderr.trim().split('\n').at(-1) ?? '';
        const late = error.killed === true ? `no answer within ${timeoutMs / 1000} s` : '';
        resolve({ ok: false, stdout, problem: late || said || error.message, missing });
      },
    );
  });
}
