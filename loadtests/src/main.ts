#!/usr/bin/env node
import { runCli } from './cli.js';

const INTERRUPTED_TWICE = 105;

let stop: (() => void) | undefined;
let stops = 0;
const requestStop = () => {
  stops += 1;
  // Asked once, the test ends in order; asked again, it ends now.
  if (stops > 1) process.exit(INTERRUPTED_TWICE);
  stop?.();
};
process.on('SIGINT', requestStop);
process.on('SIGTERM', requestStop);
// A parent process asks by message, which works on Windows too; when it is gone, nobody wants the load any more.
process.on('message', (message) => {
  if ((message as { type?: string })?.type === 'shutdown') requestStop();
});
process.on('disconnect', requestStop);
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
    if (stops > 0) callback();
  },
});
process.off('disconnect', requestStop);
if (process.connected) process.disconnect();
