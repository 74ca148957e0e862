import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import type {
  FinalRowsMessage,
  FromServiceMessage,
  ListeningMessage,
  ServiceName,
} from '@bottleneck-lab/contracts';

const require = createRequire(import.meta.url);

/** The file that a supervisor starts as a service's process. */
export function mainOf(name: ServiceName): string {
  return require.resolve(`@bottleneck-lab/${name}/main`);
}

export interface ServiceProcess {
  child: ChildProcess;
  /** Everything written to stdout and stderr so far. */
  output(): string;
  listening: Promise<ListeningMessage & { url: string; internalUrl: string }>;
  finalRows: Promise<FinalRowsMessage>;
  exited: Promise<{ code: number | null; signal: string | null }>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Forks a program as a supervisor does; port 0 unless `env` says otherwise. The process dies with the test. */
export function startProcess(
  file: string,
  options: { env?: Record<string, string>; args?: string[] } = {},
): ServiceProcess {
  const child = fork(file, options.args ?? [], {
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'warn', SHUTDOWN_LINGER_MS: '50', ...options.env },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  // Not the event 'close', which a child whose channel was closed from this side does not emit.
  const closed = [child.stdout, child.stderr].map(
    (stream) => new Promise((resolve) => stream?.once('close', resolve)),
  );
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (code, signal) => {
      void Promise.all(closed).then(() => resolve({ code, signal }));
    });
  });
  const message = <M extends FromServiceMessage>(type: M['type']) => {
    const received = new Promise<M>((resolve, reject) => {
      child.on('message', (m: FromServiceMessage) => {
        if (m.type === type) resolve(m as M);
      });
      void exited.then(({ code }) => reject(new Error(`ended with ${code} before "${type}":\n${output}`)));
    });
    // Tests of a failing start wait for the exit only.
    received.catch(() => {});
    return received;
  };
  const listening = message<ListeningMessage>('listening').then((m) => ({
    ...m,
    url: `http://127.0.0.1:${m.port}`,
    internalUrl: `http://127.0.0.1:${m.internalPort}`,
  }));
  listening.catch(() => {});
  return {
    child,
    output: () => output,
    listening,
    finalRows: message<FinalRowsMessage>('final-rows'),
    exited,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
