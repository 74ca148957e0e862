import type { ChildProcess } from 'node:child_process';
import { openProcessLog } from './process-log.js';

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Whether somebody asked for it. */
  expected: boolean;
  lastLines: string[];
}

/** A child with an IPC channel: its messages, its last lines, and a way to end it that also works on Windows. */
export interface ManagedProcess {
  readonly name: string;
  readonly instance: string;
  readonly pid: number;
  readonly logPath: string;
  lastLines(): string[];
  onMessage(listener: (message: ChildMessage) => void): void;
  /** Sends a message; one to a process on its way out is lost. */
  tell(message: ChildMessage): void;
  /** The first message of a type; rejects with a `ProcessEndedError` when the process ends before it. */
  waitForMessage<Type extends string>(
    type: Type,
    timeoutMs: number,
  ): Promise<ChildMessage & { type: Type; [field: string]: unknown }>;
  /** Resolves when the process has ended and its output is read; never rejects. */
  readonly exited: Promise<ProcessExit>;
  hasEnded(): boolean;
  /** Asks by message, then by signal after `graceMs`. Resolves when the process has ended. */
  stop(graceMs?: number): Promise<ProcessExit>;
}

export interface ChildMessage {
  type: string;
  [field: string]: unknown;
}

/** The process ended while something was expected of it. */
export class ProcessEndedError extends Error {
  readonly exit: ProcessExit;

  constructor(name: string, exit: ProcessExit) {
    super(`${name} ${describeExit(exit)}`);
    this.name = 'ProcessEndedError';
    this.exit = exit;
  }
}

/** For example `ended with exit code 78` or `was killed by SIGKILL`. */
export function describeExit(exit: Pick<ProcessExit, 'code' | 'signal'>): string {
  return exit.signal === null ? `ended with exit code ${exit.code}` : `was killed by ${exit.signal}`;
}

const OUTPUT_GRACE_MS = 500;

export function manageProcess(options: {
  name: string;
  instance: string;
  child: ChildProcess;
  logPath: string;
}): ManagedProcess {
  const { name, instance, child } = options;
  const log = openProcessLog(options.logPath);
  log.attach(child.stdout);
  log.attach(child.stderr);
  let expected = false;
  let ended = false;

  const exited = new Promise<ProcessExit>((resolve) => {
    let settled = false;
    const settle = (code: number | null, signal: NodeJS.Signals | null) => {
      if (settled) return;
      settled = true;
      ended = true;
      log.close();
      resolve({ code, signal, expected, lastLines: log.lastLines() });
    };
    child.once('close', settle);
    // A grandchild may hold the pipes open; the exit itself must be noticed all the same.
    child.once('exit', (code, signal) => setTimeout(settle, OUTPUT_GRACE_MS, code, signal).unref());
    child.once('error', (error) => {
      log.add(error.message);
      settle(null, null);
    });
  });

  return {
    name,
    instance,
    pid: child.pid ?? 0,
    logPath: options.logPath,
    lastLines: () => log.lastLines(),
    exited,
    hasEnded: () => ended,
    onMessage(listener) {
      child.on('message', (message) => {
        if (isChildMessage(message)) listener(message);
      });
    },
    tell(message) {
      if (child.connected) child.send(message, () => {});
    },
    waitForMessage: (type, timeoutMs) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          child.off('message', take);
          reject(new Error(`${instance} did not report "${type}" within ${timeoutMs / 1000} s`));
        }, timeoutMs);
        const take = (message: unknown) => {
          if (!isChildMessage(message) || message.type !== type) return;
          clearTimeout(timer);
          child.off('message', take);
          resolve(message as ChildMessage & { type: typeof type });
        };
        child.on('message', take);
        void exited.then((exit) => {
          clearTimeout(timer);
          reject(new ProcessEndedError(instance, exit));
        });
      }),
    async stop(graceMs = 5_000) {
      expected = true;
      this.tell({ type: 'shutdown' });
      const term = setTimeout(() => child.kill('SIGTERM'), graceMs);
      const kill = setTimeout(() => child.kill('SIGKILL'), graceMs + 1_000);
      const exit = await exited;
      clearTimeout(term);
      clearTimeout(kill);
      return exit;
    },
  };
}

function isChildMessage(message: unknown): message is ChildMessage {
  return (
    typeof message === 'object' && message !== null && 'type' in message && typeof message.type === 'string'
  );
}
