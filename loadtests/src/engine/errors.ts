/** Exit codes of `lab-load run`: the same numbers that k6 uses, so that scripts and CI jobs need not know which engine ran. */
export const EXIT_CODES = {
  passed: 0,
  thresholdsCrossed: 99,
  setupTimeout: 100,
  teardownTimeout: 101,
  invalidConfiguration: 104,
  externalAbort: 105,
  scriptException: 107,
  abortedByScript: 108,
  markedAsFailed: 110,
  generic: 255,
} as const;

/** Every error the engine raises itself: a stable code and the exit code it leads to. */
export const LOAD_ERRORS = {
  LOAD_SCRIPT_NOT_FOUND: EXIT_CODES.generic,
  LOAD_OUTPUT_NOT_WRITABLE: EXIT_CODES.generic,
  LOAD_NOT_CONTROLLED: EXIT_CODES.generic,
  LOAD_SETUP_REJECTED: EXIT_CODES.generic,
  LOAD_TEARDOWN_FAILED: EXIT_CODES.generic,
  LOAD_PROFILE_INVALID: EXIT_CODES.invalidConfiguration,
  LOAD_OPTION_INVALID: EXIT_CODES.invalidConfiguration,
  LOAD_OPTION_UNSUPPORTED: EXIT_CODES.invalidConfiguration,
  LOAD_EXECUTOR_UNSUPPORTED: EXIT_CODES.invalidConfiguration,
  LOAD_THRESHOLD_INVALID: EXIT_CODES.invalidConfiguration,
  LOAD_SCRIPT_BUILD_FAILED: EXIT_CODES.scriptException,
  LOAD_SCRIPT_UNSUPPORTED: EXIT_CODES.scriptException,
  LOAD_SCRIPT_EXCEPTION: EXIT_CODES.scriptException,
  LOAD_SETUP_TIMEOUT: EXIT_CODES.setupTimeout,
  LOAD_TEARDOWN_TIMEOUT: EXIT_CODES.teardownTimeout,
} as const;

export type LoadErrorCode = keyof typeof LOAD_ERRORS;

export class LoadError extends Error {
  readonly code: LoadErrorCode;
  readonly exitCode: number;

  constructor(code: LoadErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LoadError';
    this.code = code;
    this.exitCode = LOAD_ERRORS[code];
  }
}

/** The text of whatever was thrown, with its stack where there is one. */
export function describeError(thrown: unknown): string {
  if (thrown instanceof LoadError) return thrown.message;
  if (thrown instanceof Error) return thrown.stack ?? String(thrown);
  return String(thrown);
}
