import { CommanderError } from 'commander';
import { CiError, type CiErrorCode } from '../ci/errors.js';
import { ResultError } from '../results/errors.js';
import { ScenarioError } from '../scenarios/index.js';
import { StackError, type StackErrorCode } from '../stack/errors.js';
import { TelemetryError } from '../telemetry/errors.js';
import { WorkshopError } from '../workshop/errors.js';
import { EXIT_CODES, type ExitName } from './exit-codes.js';
import type { Terminal } from './terminal.js';

/** A wrong command line that commander itself can't see. */
export class UsageError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'UsageError';
  }
}

const USAGE_ERRORS = [UsageError, ScenarioError, ResultError, TelemetryError];
/** Secrets that the environment should hold, and values that nothing can take. */
const WRONG_INPUT: readonly StackErrorCode[] = ['KEY_MISSING', 'CONNECTION_STRING_MISSING', 'KNOB_REFUSED'];
/** A target that is not there; everything else about a gate is wrong input. */
const NOT_RUNNING: readonly CiErrorCode[] = ['TARGET_UNREACHABLE', 'TARGET_NOT_STARTED'];

/** The exit code of a command that threw. */
export function exitNameOf(error: unknown): ExitName {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 'OK' : 'USAGE';
  if (USAGE_ERRORS.some((known) => error instanceof known)) return 'USAGE';
  if (error instanceof StackError) return WRONG_INPUT.includes(error.code) ? 'USAGE' : 'STACK_FAILED';
  if (error instanceof CiError) return NOT_RUNNING.includes(error.code) ? 'STACK_FAILED' : 'USAGE';
  if (error instanceof WorkshopError) return error.code === 'RUN_NOT_JUDGEABLE' ? 'RUN_INVALID' : 'USAGE';
  if (isInterruption(error)) return 'INTERRUPTED';
  return 'INTERNAL';
}

/** Prints an error once, for people; returns the exit code. Commander has printed its own already. */
export function reportError(error: unknown, terminal: Terminal): number {
  const name = exitNameOf(error);
  if (!(error instanceof CommanderError) && name !== 'INTERRUPTED') {
    const { message, stack } = error as Error;
    terminal.progress(`${terminal.paint('red', 'error:')} ${name === 'INTERNAL' ? stack : message}`);
    if (error instanceof StackError) {
      for (const line of error.lastLines) terminal.progress(`  | ${line}`);
    }
  }
  return EXIT_CODES[name].code;
}

function isInterruption(error: unknown): boolean {
  return error instanceof Error && (error.name === 'InterruptedError' || error.name === 'AbortError');
}

/** Ctrl-C or SIGTERM while a command was waiting. */
export class InterruptedError extends Error {
  constructor() {
    super('interrupted');
    this.name = 'InterruptedError';
  }
}
