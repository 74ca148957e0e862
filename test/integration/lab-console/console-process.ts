import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../lab/dist/main.js', import.meta.url));

export interface ConsoleProcess {
  url: string;
  /** Of the view for a room; empty without `--host`. */
  room: string[];
  port: number;
  pid: number;
  /** Ends it as Ctrl-C does; resolves with its exit code. */
  stop(): Promise<number | null>;
  /** As a service manager does; resolves with its exit code. */
  terminate(): Promise<number | null>;
  /** As a power cut does. */
  kill(): Promise<void>;
}

/** Starts the console as a user would, and waits for the address that it prints. */
export function startConsole(args: string[], env: Record<string, string>): Promise<ConsoleProcess> {
  const child = spawn(process.execPath, [MAIN, 'console', '--json', ...args], {
    env: { ...process.env, NO_COLOR: '', COSMOS_KEY: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    void exited.then((code) => reject(new Error(`the console ended with ${code}:\n${stderr}`)));
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (!stdout.includes('\n')) return;
      const { console: url, room } = JSON.parse(stdout) as { console: string; room: string[] };
      resolve({
        url,
        room,
        port: Number(new URL(url).port),
        pid: child.pid as number,
        stop() {
          child.kill('SIGINT');
          return exited;
        },
        terminate() {
          child.kill('SIGTERM');
          return exited;
        },
        async kill() {
          child.kill('SIGKILL');
          await exited;
        },
      });
    });
  });
}
