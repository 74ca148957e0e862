import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { StackError } from './errors.js';
import type { FromStackMessage, ToStackMessage } from './launch-messages.js';
import type { OnPhase } from './phases.js';
import { type StackClient, stackClient } from './stack-client.js';
import type { StackOptions } from './stack-options.js';
import { openStateDir } from './state-dir.js';

/** A stack started by this process. */
export interface LaunchedStack {
  pid: number;
  client: StackClient;
  /** Lets it live on when this process ends. */
  detach(): Promise<void>;
  /** Ends it and waits for it. */
  stop(): Promise<void>;
  /** Ends it without waiting for anything; its children end with it. */
  kill(): void;
}

const ENTRY = fileURLToPath(new URL('./main.js', import.meta.url));
/** The stack's process seeds, polls and forwards connections; the default young generation would cost 48 MB. */
const NODE_FLAGS = ['--max-semi-space-size=4', '--max-old-space-size=256'];

/**
 * Starts a stack in a process of its own and waits until it is ready. It has its own process group, so that
 * Ctrl-C reaches only the command line, which then ends it in order.
 */
export function launchStack(
  options: StackOptions,
  { onPhase, signal }: { onPhase: OnPhase; signal?: AbortSignal },
): Promise<LaunchedStack> {
  const dir = openStateDir(options.stateDir);
  const log = openSync(path.join(dir.logs, 'stack.log'), 'a', 0o600);
  const child = spawn(process.execPath, [...NODE_FLAGS, ENTRY, JSON.stringify(options)], {
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const tell = (message: ToStackMessage) =>
    new Promise<void>((resolve) => {
      if (child.connected) child.send(message, () => resolve());
      else resolve();
    });
  const stop = async () => {
    await tell({ type: 'shutdown' });
    await exited;
  };

  return new Promise((resolve, reject) => {
    let failure: Error = new StackError(
      'START_FAILED',
      `the stack's process ended while starting; see ${path.join(dir.logs, 'stack.log')}`,
    );
    // Only while starting: a stack that is ready outlives an interruption until its owner stops it.
    const interrupt = () => {
      failure = signal?.reason as Error;
      void stop();
    };
    signal?.addEventListener('abort', interrupt, { once: true });
    // Rejecting only after the exit leaves nothing behind that a second attempt could stumble over.
    void exited.then(() => reject(failure));
    child.on('message', (message: FromStackMessage) => {
      if (message.type === 'phase') onPhase(message.event);
      if (message.type === 'failed') {
        failure = new StackError(message.code, message.message, { lastLines: message.lastLines });
      }
      if (message.type === 'ready') {
        signal?.removeEventListener('abort', interrupt);
        resolve({
          pid: child.pid as number,
          client: stackClient(message.controlUrl, message.token),
          stop,
          kill: () => void child.kill('SIGKILL'),
          async detach() {
            await tell({ type: 'detach' });
            child.disconnect();
            child.unref();
          },
        });
      }
    });
  });
}
