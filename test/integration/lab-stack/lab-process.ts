import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../lab/dist/main.js', import.meta.url));

export interface LabExit {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface LabProcess {
  pid: number;
  exited: Promise<LabExit>;
  /** Resolves when stderr has said this; rejects when the process ends before. */
  says(text: string): Promise<void>;
  interrupt(): void;
}

/** Starts the command line as a user would, with a state directory of its own. */
export function startLab(args: string[], env: Record<string, string> = {}): LabProcess {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...process.env, NO_COLOR: '', CI: '', COSMOS_KEY: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const waiting = new Map<string, () => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    for (const [wanted, resolve] of waiting) if (stderr.includes(wanted)) resolve();
  });
  const exited = new Promise<LabExit>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return {
    pid: child.pid as number,
    exited,
    says: (text) =>
      new Promise((resolve, reject) => {
        waiting.set(text, resolve);
        if (stderr.includes(text)) resolve();
        void exited.then(() => reject(new Error(`the lab ended without saying "${text}":\n${stderr}`)));
      }),
    interrupt: () => void child.kill('SIGINT'),
  };
}

export function lab(args: string[], env: Record<string, string> = {}): Promise<LabExit> {
  return startLab(args, env).exited;
}
