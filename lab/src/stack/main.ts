import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { writeJsonAtomically } from './atomic-file.js';
import { type ControlApi, startControlApi } from './control-api.js';
import { StackError } from './errors.js';
import { acquireLock } from './file-lock.js';
import type { FromStackMessage } from './launch-messages.js';
import { OWNED_VARIABLES } from './service-table.js';
import { type Stack, startStack } from './stack.js';
import { stackOptions } from './stack-options.js';
import { openStateDir } from './state-dir.js';

/**
 * The process that owns a stack: started by the command line with its options as one JSON argument, reports its
 * phases over IPC, and lives on after `detach`. Without that word, the end of its parent is its own.
 */
const options = stackOptions.parse(JSON.parse(process.argv[2] ?? '{}'));
const cosmosKey = process.env.COSMOS_KEY;
const connectionString = process.env[options.telemetry?.connectionStringEnv ?? ''];
for (const name of OWNED_VARIABLES) delete process.env[name];

const dir = openStateDir(options.stateDir);
const send = (message: FromStackMessage) => {
  if (process.connected) process.send?.(message, () => {});
};

let stack: Stack | null = null;
let api: ControlApi | null = null;
let releaseLock = () => {};
let detached = false;
let stopping = false;

async function shutDown(exitCode: number): Promise<never> {
  if (!stopping) {
    stopping = true;
    rmSync(dir.stackFile, { force: true });
    await stack?.stop();
    await api?.close();
    releaseLock();
    process.exit(exitCode);
  }
  return new Promise(() => {});
}

process.on('message', (message: { type?: string }) => {
  if (message.type === 'shutdown') void shutDown(0);
  if (message.type === 'detach') detached = true;
});
process.on('disconnect', () => {
  if (!detached) void shutDown(0);
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => void shutDown(0));
}

function takeLock(): void {
  const lock = acquireLock(dir.stackLock);
  if (!lock.acquired) {
    throw new StackError(
      'ALREADY_RUNNING',
      `a stack is already running or starting from ${dir.root} (process ${lock.holder.pid}); ` +
        'stop it with "lab down", or use another directory with --state-dir',
    );
  }
  releaseLock = lock.release;
}

async function main(): Promise<void> {
  // A parent that ended while this process was being loaded can't be heard any more.
  if (!process.connected) await shutDown(0);
  takeLock();
  const token = randomBytes(24).toString('base64url');
  const startedAtMs = Date.now();
  stack = await startStack(options, {
    cosmosKey,
    connectionString,
    onPhase: (event) => send({ type: 'phase', event }),
  });
  api = await startControlApi({ stack, token, onStop: () => void shutDown(0) });
  const status = stack.status();
  writeJsonAtomically(
    dir.stackFile,
    {
      version: 1,
      pid: process.pid,
      startedAtMs,
      controlUrl: api.url,
      token,
      gatewayUrl: status.gatewayUrl,
      processes: status.processes.map(({ name, pid, url }) => ({ name, pid, url })),
    },
    0o600,
  );
  send({ type: 'ready', controlUrl: api.url, token });
}

try {
  await main();
} catch (error) {
  const known = error instanceof StackError;
  const { message, stack: trace } = error as Error;
  send({
    type: 'failed',
    code: known ? error.code : 'START_FAILED',
    message: known ? message : (trace ?? message),
    lastLines: known ? error.lastLines : [],
  });
  await shutDown(1);
}
