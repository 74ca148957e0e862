#!/usr/bin/env node
import { reportError } from './cli/errors.js';
import { buildProgram } from './cli/program.js';
import { openTerminal } from './cli/terminal.js';

const terminal = openTerminal({ stdout: process.stdout, stderr: process.stderr, env: process.env });
try {
  await buildProgram(terminal).parseAsync(process.argv);
} catch (error) {
  process.exitCode = reportError(error, terminal);
}
