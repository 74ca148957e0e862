#!/usr/bin/env node
import { reportError } from './cli/errors.js';
import { buildProgram } from './cli/program.js';
import { openTerminal } from './cli/terminal.js';

// A reader that has seen enough, as "head" does, is no failure; the command goes on and ends as it would have.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const terminal = openTerminal({ stdout: process.stdout, stderr: process.stderr, env: process.env });
try {
  await buildProgram(terminal).parseAsync(process.argv);
} catch (error) {
  process.exitCode = reportError(error, terminal);
}
