/** How long to saturate before counting and while counting. */
export interface MeasureTimes {
  warmUpMs: number;
  /** A multiple of the quota's period of 100 ms, so that its phase does not matter. */
  measureMs: number;
  /**
   * What the process will answer once it is warm, over what it answers in this time after its start: V8 compiles the
   * hot functions for good only after some thousand calls. Measured on an otherwise idle machine.
   */
  warmGain: number;
}

/** A first look at a cold process. */
export const LOOK: MeasureTimes = { warmUpMs: 400, measureMs: 600, warmGain: 1.3 };
/** One round of a calibration. */
export const ROUND: MeasureTimes = { warmUpMs: 1_000, measureMs: 1_500, warmGain: 1.1 };
/** A check of what is known, short enough for every start. */
export const CHECK: MeasureTimes = { warmUpMs: 800, measureMs: 1_200, warmGain: 1.12 };
/** A check of a process that has answered many requests. */
export const WARM: MeasureTimes = { warmUpMs: 500, measureMs: 2_000, warmGain: 1 };
/** From so many requests on a process counts as warm. */
export const WARM_REQUESTS = 800;
