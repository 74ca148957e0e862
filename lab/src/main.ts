#!/usr/bin/env node
import { reportError } from './cli/errors.js';
import { EXIT_CODES } from './cli/exit-codes.js';
import { buildProgram } from './cli/program.js';
import { openTerminal } from './cli/terminal.js';

const terminal = openTerminal({ stdout: process.stdout, stderr: process.stderr, env: process.env });
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough, as "head" does, is no failure; the command goes on and ends as it would have.
    if (error.code === 'EPIPE') return;
    terminal.progress(`error: the output could not be written (${error.message})`);
    process.exit(EXIT_CODES.STACK_FAILED.code);
  });
}
try {
  await buildProgram(terminal).parseAsync(process.argv);
} catch (error) {
  process.exitCode = reportError(error, terminal);
}
