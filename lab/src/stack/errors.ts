import { CodedError } from '../coded-error.js';

/** Everything that can go wrong with a stack, as rows: stable code and the general statement. */
export const STACK_ERRORS = {
  ALREADY_RUNNING: 'A stack is already running from this state directory.',
  START_FAILED: 'The stack did not start.',
  PROCESS_DIED: 'A process of the stack ended by itself.',
  NOT_READY: 'A process of the stack did not become ready in time.',
  PORT_BUSY: 'A port is in use.',
  SEED_FAILED: 'The data could not be written to the Cosmos DB account.',
  ACCOUNT_NOT_OURS: 'The Cosmos DB account holds documents that the lab did not write.',
  CONNECTION_STRING_MISSING: 'Telemetry was asked for in a resource of which there is no connection string.',
  KEY_MISSING: 'A Cosmos DB endpoint was given without a key.',
  CONTAINERS_UNAVAILABLE: 'Containers were asked for where there is no engine or no Compose.',
  CALIBRATION_FAILED: "The delivery service's CPU limit could not be calibrated.",
  KNOB_REFUSED: 'A knob does not exist, can not be turned while the stack runs, or can not take that value.',
  CONTROL_FAILED: 'The running stack refused a request or did not answer.',
  TARGET_UNREACHABLE: 'No request of the warm-up was answered.',
  STATE_DIR_UNUSABLE: 'The state directory could not be created or written to.',
  STATE_UNREADABLE: 'The state file could not be read.',
} as const;
export type StackErrorCode = keyof typeof STACK_ERRORS;

/** A stack that can't do what was asked. The message says what happened and what to do. */
export class StackError extends CodedError<StackErrorCode> {
  /** The last lines a dead process printed; empty otherwise. */
  readonly lastLines: readonly string[];

  constructor(
    code: StackErrorCode,
    detail: string,
    options: { cause?: unknown; lastLines?: readonly string[] } = {},
  ) {
    super(code, detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.lastLines = options.lastLines ?? [];
  }
}
