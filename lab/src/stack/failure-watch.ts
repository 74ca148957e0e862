import { describeExit, type ManagedProcess, type ProcessExit } from '../supervisor/managed-process.js';
import { StackError } from './errors.js';
import type { StackFailure } from './stack-status.js';

/** Remembers the first process that ended without being asked to: later ends are its consequences. */
export interface FailureWatch {
  /** Resolves with the first failure, or the first one since `forget`; never rejects. */
  failed(): Promise<StackFailure>;
  current(): StackFailure | null;
  report(process: Pick<ManagedProcess, 'name' | 'instance' | 'logPath'>, exit: ProcessExit): void;
  /** Throws when a process has ended by itself. */
  assertAlive(): void;
  /** What has failed was mended. */
  forget(): void;
  /** From now on ends are expected. */
  stopWatching(): void;
}

export function createFailureWatch(): FailureWatch {
  let first: StackFailure | null = null;
  let watching = true;
  let resolveFailed: (failure: StackFailure) => void = () => {};
  const nextFailure = () =>
    new Promise<StackFailure>((resolve) => {
      resolveFailed = resolve;
    });
  let failed = nextFailure();
  return {
    failed: () => failed,
    current: () => first,
    report({ name, instance, logPath }, exit) {
      if (!watching || first !== null) return;
      first = {
        process: name,
        instance,
        description: describeExit(exit),
        lastLines: exit.lastLines,
        log: logPath,
      };
      resolveFailed(first);
    },
    assertAlive() {
      if (first !== null) throw processDied(first);
    },
    forget() {
      if (first === null) return;
      first = null;
      failed = nextFailure();
    },
    stopWatching: () => {
      watching = false;
    },
  };
}

export function processDied(failure: StackFailure): StackError {
  return new StackError('PROCESS_DIED', describeFailure(failure), { lastLines: failure.lastLines });
}

/** For example `delivery was killed by SIGKILL`. */
export function describeFailure(failure: Pick<StackFailure, 'process' | 'description'>): string {
  return `${failure.process} ${failure.description}`;
}
