/** How long to saturate before counting and while counting. */
export interface MeasureTimes {
  warmUpMs: number;
  /** A multiple of the quota's period of 100 ms, so that its phase does not matter. */
  measureMs: number;
}

/**
 * Under no limit to speak of: V8 compiles the hot functions for good only after some hundred calls, which a limited
 * process would take ten times as long to answer. What it gives meanwhile is a first guess.
 */
export const HEAT: MeasureTimes = { warmUpMs: 800, measureMs: 1_000 };
/** One round of a calibration, under a limit. */
export const ROUND: MeasureTimes = { warmUpMs: 300, measureMs: 1_500 };
