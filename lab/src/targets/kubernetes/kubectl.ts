import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { z } from 'zod';
import { StackError } from '../../stack/errors.js';

/** kubectl for one namespace of one cluster. Signing in, certificates and proxies are its business. */
export interface Kubectl {
  /** For messages: `namespace bottleneck-lab of context kind-kind`. */
  readonly place: string;
  /** @throws {StackError} CONTROL_FAILED with what kubectl said */
  run(args: readonly string[], options?: { timeoutMs?: number }): Promise<string>;
  /** What a command prints with `-o json`. */
  get<Output>(schema: z.ZodType<Output>, args: readonly string[]): Promise<Output>;
  /** A port of this machine that leads to `port` of `resource`, for example `pod/x`. */
  forward(resource: string, port: number): Promise<PortForward>;
}

export interface PortForward {
  url: string;
  pid: number;
  /** Why it ended, unless `close` ended it. */
  broken: Promise<string>;
  close(): void;
}

const TIMEOUT_MS = 30_000;
const FORWARD_TIMEOUT_MS = 20_000;
const MOST_OUTPUT_BYTES = 16 * 1024 * 1024;

export function createKubectl(options: {
  context: string;
  namespace: string;
  /** The program and arguments before all others. */
  command?: readonly [string, ...string[]];
}): Kubectl {
  const { context, namespace, command: [program, ...before] = ['kubectl'] } = options;
  const place = `namespace ${namespace} of context ${context}`;
  const withPlace = (args: readonly string[]) => [
    ...before,
    ...['--context', context, '--namespace', namespace],
    ...args,
  ];
  const run: Kubectl['run'] = (args, { timeoutMs = TIMEOUT_MS } = {}) =>
    new Promise((resolve, reject) => {
      const settings = { timeout: timeoutMs, maxBuffer: MOST_OUTPUT_BYTES };
      execFile(program, withPlace(args), settings, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(failed(args, { error, said: stderr, place }));
      });
    });
  return {
    place,
    run,
    get: async (schema, args) => schema.parse(JSON.parse(await run(['get', ...args, '-o', 'json']))),
    forward: (resource, port) => startForward({ program, args: withPlace, resource, port, place }),
  };
}

function failed(
  args: readonly string[],
  { error, said, place }: { error: Error; said: string; place: string },
): StackError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') {
    return new StackError('CONTROL_FAILED', 'kubectl is not on PATH; --target kubernetes works through it', {
      cause: error,
    });
  }
  // Lines of its log, which begin like `E1130 19:16:08`, repeat what the last line says better.
  const lines = said.split('\n').filter((line) => line.trim() !== '' && !/^[EWI]\d{4} /.test(line));
  const reason = lines.join('\n') || error.message;
  return new StackError('CONTROL_FAILED', `kubectl ${args.slice(0, 2).join(' ')} in ${place}: ${reason}`, {
    cause: error,
  });
}

function startForward(options: {
  program: string;
  args: (args: readonly string[]) => string[];
  resource: string;
  port: number;
  place: string;
}): Promise<PortForward> {
  const { program, args, resource, port, place } = options;
  const request = ['port-forward', '--address', '127.0.0.1', resource, `:${port}`];
  const child = spawn(program, args(request), {
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    // Ctrl-C goes to everybody of the terminal's group; a load that is interrupted still reads its last rows through this.
    detached: process.platform !== 'win32',
  });
  let said = '';
  let closing = false;
  child.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-2_000);
  });
  const broken = new Promise<string>((resolve) => {
    child.once('exit', () => {
      if (!closing) resolve(said.trim() || 'kubectl ended');
    });
  });
  const close = () => {
    closing = true;
    child.kill();
  };
  return new Promise((resolve, reject) => {
    const giveUp = (error: Error) => {
      clearTimeout(timer);
      close();
      reject(failed(request, { error, said, place }));
    };
    const timer = setTimeout(() => giveUp(new Error('no answer in time')), FORWARD_TIMEOUT_MS);
    child.once('error', giveUp);
    void broken.then((reason) => giveUp(new Error(reason)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const local = /^Forwarding from 127\.0\.0\.1:(\d+) ->/.exec(line)?.[1];
      if (local === undefined) return;
      clearTimeout(timer);
      resolve({ url: `http://127.0.0.1:${local}`, pid: child.pid as number, broken, close });
    });
  });
}
