import { fork } from 'node:child_process';
import { type ManagedProcess, manageProcess } from './managed-process.js';

/** Starts a module as a child with an IPC channel, its output going to a log file. */
export function startChild(options: {
  name: string;
  entry: string;
  args?: string[];
  env?: Record<string, string>;
  execArgv?: string[];
  logPath: string;
}): ManagedProcess {
  const child = fork(options.entry, options.args ?? [], {
    silent: true,
    execArgv: options.execArgv ?? [],
    env: { ...process.env, ...options.env },
  });
  return manageProcess({ name: options.name, instance: options.name, child, logPath: options.logPath });
}
