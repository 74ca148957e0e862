import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { findFreePorts } from '../supervisor/free-ports.js';
import { splitCommand } from './command-line.js';
import { CiError } from './errors.js';

/** What is put under load: a URL that answers already, or a command that was started for it. */
export interface SystemUnderTest {
  /** As it was given. */
  given: string;
  url: string;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** How long a URL may take until it answers, or a command until it listens, milliseconds. */
  waitMs: number;
  signal: AbortSignal;
}

const POLL_MS = 200;
const ATTEMPT_MS = 5_000;
const STOP_GRACE_MS = 5_000;
const KEPT_CHARACTERS = 4_096;
const SHOWN_LINES = 5;

export function isUrl(text: string): boolean {
  return /^https?:\/\//.test(text);
}

/**
 * A URL is asked until it answers, whatever the status. Anything else is a command: it gets a free port as PORT and in place
 * of `{port}`, and is stopped by `close`. Throws TARGET_UNREACHABLE and TARGET_NOT_STARTED.
 */
export async function openSystem(given: string, options: OpenOptions): Promise<SystemUnderTest> {
  if (!isUrl(given)) return startCommand(given, options);
  const problem = await waitForAnswer(given, { ...options, ended: () => false });
  if (problem === null) return { given, url: given.replace(/\/$/, ''), close: async () => {} };
  throw new CiError(
    'TARGET_UNREACHABLE',
    `nothing answers at ${given} (${problem}); start it first, or give it time with --wait`,
  );
}

async function startCommand(command: string, options: OpenOptions): Promise<SystemUnderTest> {
  const [port = 0] = await findFreePorts(1);
  const [program = '', ...args] = splitCommand(command.replaceAll('{port}', String(port)));
  const child = spawn(program, args, {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    // A group of its own, so that what the command starts ends with it.
    detached: process.platform !== 'win32',
  });
  const running = watch(child);
  const url = `http://127.0.0.1:${port}`;
  const problem = await waitForAnswer(url, { ...options, ended: () => running.ended !== '' }).catch(
    async (error: unknown) => {
      await running.stop();
      throw error;
    },
  );
  if (problem === null) return { given: command, url, close: running.stop };
  const reason = running.ended === '' ? `it did not answer on port ${port}: ${problem}` : running.ended;
  await running.stop();
  throw new CiError(
    'TARGET_NOT_STARTED',
    `'${command}' did not start a system (${reason}); it must listen on the port in PORT${running.lastLines()}`,
  );
}

/** Null when it answered, else what was wrong the last time. */
async function waitForAnswer(
  url: string,
  { waitMs, signal, ended }: OpenOptions & { ended: () => boolean },
): Promise<string | null> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      const { body } = await request(url, {
        signal,
        headersTimeout: ATTEMPT_MS,
        bodyTimeout: ATTEMPT_MS,
      });
      await body.dump();
      return null;
    } catch (error) {
      signal.throwIfAborted();
      const { code, message } = error as NodeJS.ErrnoException;
      if (ended() || performance.now() >= deadline) return code ?? message;
    }
    await delay(POLL_MS, undefined, { signal });
  }
}

function watch(child: ChildProcess) {
  let output = '';
  const keep = (text: string) => {
    output = (output + text).slice(-KEPT_CHARACTERS);
  };
  child.stdout?.setEncoding('utf8').on('data', keep);
  child.stderr?.setEncoding('utf8').on('data', keep);
  const kill = (name: NodeJS.Signals) => {
    try {
      if (process.platform === 'win32' || child.pid === undefined) child.kill(name);
      else process.kill(-child.pid, name);
    } catch {
      // It has ended by itself.
    }
  };
  const killAtExit = () => kill('SIGKILL');
  process.once('exit', killAtExit);
  const running = {
    /** How it ended; empty while it runs. */
    ended: '',
    lastLines() {
      const lines = output.trim().split('\n').slice(-SHOWN_LINES);
      return output.trim() === '' ? '' : `\n${lines.map((line) => `  | ${line}`).join('\n')}`;
    },
    async stop() {
      process.off('exit', killAtExit);
      if (running.ended === '') {
        kill('SIGTERM');
        const grace = new AbortController();
        await Promise.race([
          closed,
          delay(STOP_GRACE_MS, undefined, { signal: grace.signal }).catch(() => {}),
        ]);
        grace.abort();
      }
      kill('SIGKILL');
      await closed;
    },
  };
  const closed = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      running.ended = error.message;
      resolve();
    });
    child.once('exit', (code, name) => {
      running.ended = name === null ? `it ended with exit code ${code}` : `it was ended by ${name}`;
      resolve();
    });
  });
  return running;
}
