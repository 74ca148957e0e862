import type { MeasurementRow } from './measurement.js';

/** Messages between a service process and whatever supervises it, over Node's IPC channel. */

/** Sent once the service accepts connections. */
export interface ListeningMessage {
  type: 'listening';
  /** Public and internal port. */
  port: number;
  internalPort: number;
}

/** Sent last before exit: the rows that nobody has read from `/-/stats` yet may be among them. */
export interface FinalRowsMessage {
  type: 'final-rows';
  rows: MeasurementRow[];
}

/** Asks the service to drain and exit; the same as SIGTERM, and works on Windows. */
export interface ShutdownMessage {
  type: 'shutdown';
}

export type FromServiceMessage = ListeningMessage | FinalRowsMessage;
export type ToServiceMessage = ShutdownMessage;
