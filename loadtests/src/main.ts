#!/usr/bin/env node
import { runCli } from './cli.js';
import { EXIT_CODES } from './engine/errors.js';
import { answerSetVus, type SetVusMessage } from './vus-messages.js';

/** npm hands an interrupt on that the terminal has delivered already: only a later one is meant as a second. */
const SECOND_INTERRUPT_MS = 1_000;

let stop: (() => void) | undefined;
let setVus: ((vus: number) => number) | undefined;
let stopRequestedAtMs: number | undefined;
const requestStop = () => {
  stopRequestedAtMs ??= Date.now();
  stop?.();
};
// Interrupted once, the test ends in order, with teardown and summary; interrupted again, it ends now.
process.on('SIGINT', () => {
  if (Date.now() - (stopRequestedAtMs ?? Date.now()) > SECOND_INTERRUPT_MS)
    process.exit(EXIT_CODES.externalAbort);
  requestStop();
});
process.on('SIGTERM', requestStop);
// A parent process asks by message, which works on Windows too; when it is gone, nobody wants the load any more.
process.on('message', (message) => {
  const asked = message as { type?: string };
  if (asked?.type === 'shutdown') requestStop();
  if (asked?.type === 'set-vus') process.send?.(answerSetVus(asked as SetVusMessage, setVus), () => {});
});
process.on('disconnect', requestStop);
// A parent that ended while this process was being loaded can't be heard any more.
if (process.send !== undefined && !process.connected) requestStop();
// A promise that a script neither awaits nor handles is the script's error, not the engine's.
process.on('unhandledRejection', (reason) =>
  process.stderr.write(`ERRO unhandled rejection in the script: ${String(reason)}\n`),
);

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  stdoutIsTerminal: process.stdout.isTTY === true,
  stderrIsTerminal: process.stderr.isTTY === true,
  onStop: (callback) => {
    stop = callback;
    if (stopRequestedAtMs !== undefined) callback();
  },
  onControl: (control) => {
    setVus = control;
  },
});
process.off('disconnect', requestStop);
if (process.connected) process.disconnect();
