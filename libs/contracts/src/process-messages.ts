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

/** Changes the CPU limit of a service that was started with one (CPU_LIMIT); what it has computed so far stays warm. */
export interface CpuLimitMessage {
  type: 'cpu-limit';
  /** More than 0. */
  cores: number;
}

/** The answer: the limit in effect from now on, which is the old one where a container enforces it or there is none. */
export interface CpuLimitSetMessage {
  type: 'cpu-limit-set';
  cores: number | null;
}

export type FromServiceMessage = ListeningMessage | FinalRowsMessage | CpuLimitSetMessage;
export type ToServiceMessage = ShutdownMessage | CpuLimitMessage;
