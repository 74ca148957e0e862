export { mergeDurations, summarizeDurations } from './durations.js';
export { type LoadSecond, loadRows, loadStartSecond } from './load-rows.js';
export type {
  Calibration,
  KnobCapability,
  LoadRecord,
  LoadStep,
  Machine,
  MachineSample,
  Recording,
  RunStatus,
  RunTarget,
} from './recording.js';
