import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { StackError } from './errors.js';
import { isProcessAlive } from './file-lock.js';
import { type StackClient, stackClient } from './stack-client.js';
import { type StackFile, type StackStatus, stackFile } from './stack-status.js';
import type { StateDir } from './state-dir.js';

export type FoundStack =
  | { found: true; file: StackFile; client: StackClient; status: StackStatus }
  /** `stale`: a stack ran here and is gone; its file has been removed. */
  | { found: false; stale: boolean };

/** The stack that runs from a state directory. A file whose stack is gone is removed. */
export async function findStack(dir: StateDir): Promise<FoundStack> {
  const file = readStackFile(dir.stackFile);
  if (file === null) return { found: false, stale: false };
  const client = stackClient(file.controlUrl, file.token);
  try {
    return { found: true, file, client, status: await client.status() };
  } catch (error) {
    if (isProcessAlive(file.pid) && !isGone(error)) {
      throw new StackError(
        'CONTROL_FAILED',
        `the stack of ${dir.root} (process ${file.pid}) runs but does not answer; end it and try again`,
        { cause: error },
      );
    }
    rmSync(dir.stackFile, { force: true });
    return { found: false, stale: true };
  }
}

/** Asks a stack to stop and waits until its process has ended. */
export async function stopStack(
  stack: Extract<FoundStack, { found: true }>,
  timeoutMs = 20_000,
): Promise<{ killed: boolean }> {
  await stack.client.stop();
  const deadline = performance.now() + timeoutMs;
  while (isProcessAlive(stack.file.pid)) {
    if (performance.now() > deadline) {
      process.kill(stack.file.pid, 'SIGKILL');
      return { killed: true };
    }
    await delay(50);
  }
  return { killed: false };
}

function readStackFile(path: string): StackFile | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new StackError('STATE_UNREADABLE', `${path}: ${(error as Error).message}`, { cause: error });
  }
  try {
    return stackFile.parse(JSON.parse(text));
  } catch (error) {
    throw new StackError(
      'STATE_UNREADABLE',
      `${path} is damaged or was written by another version of the lab; remove it when no stack is running`,
      { cause: error },
    );
  }
}

/** Nobody listens, or somebody else does: the port was given to another program since. */
function isGone(error: unknown): boolean {
  const cause = (error as { cause?: { code?: string; status?: number } }).cause;
  return cause?.code === 'ECONNREFUSED' || cause?.status === 401 || cause?.status === 404;
}
