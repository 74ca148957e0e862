import type { StackErrorCode } from './errors.js';
import type { PhaseEvent } from './phases.js';

/** Messages from the stack's process to the command line that started it, over Node's IPC channel. */
export type FromStackMessage =
  | { type: 'phase'; event: PhaseEvent }
  | { type: 'ready'; controlUrl: string; token: string }
  | { type: 'failed'; code: StackErrorCode; message: string; lastLines: readonly string[] };

/** `detach`: the stack outlives its parent. `shutdown`: it ends. */
export type ToStackMessage = { type: 'detach' } | { type: 'shutdown' };
