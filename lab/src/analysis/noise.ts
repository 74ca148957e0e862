/**
 * How far two repeats of one run may lie apart: `relativePercent` of the larger value, at least `absolute` in
 * the measure's unit. Taken from repeats of the article's tests with other seeds, doubled or more for what a
 * machine adds; a test repeats them.
 */
export interface Noise {
  relativePercent: number;
  absolute: number;
}

const noise = (relativePercent: number, absolute = 0): Noise => ({ relativePercent, absolute });

/** Bands by the kind of figure. */
export const NOISE = {
  none: noise(0),
  count: noise(5, 3),
  rareCount: noise(40, 10),
  meanRate: noise(5, 0.2),
  windowRate: noise(12, 0.5),
  fall: noise(0, 12),
  mean: noise(10, 2),
  median: noise(15, 2),
  p95: noise(25, 10),
  p99: noise(50, 20),
  /** Queueing before a service near saturation swings widely. */
  queueingMean: noise(60, 3),
  queueingTail: noise(80, 15),
  ratio: noise(8, 0.02),
  perOperation: noise(4),
  rareShare: noise(40, 0.5),
  waitShare: noise(40, 3),
  peak: noise(30, 5),
  window: noise(20, 3),
  skew: noise(15),
  share: noise(10, 3),
  cores: noise(20, 0.02),
  periods: noise(60, 15),
  /** 50 periods only. */
  fewPeriods: noise(60, 30),
  eventLoop: noise(40, 5),
  knee: noise(30, 6),
} as const;
