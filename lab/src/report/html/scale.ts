/** Values on one axis of a chart. */
export interface Scale {
  ticks: number[];
  /** Position of a value, in the chart's units. */
  at(value: number): number;
}

/** From 0 to the first round number at or above `max`, in about `count` round steps. */
export function scaleFromZero(options: { max: number; from: number; to: number; count: number }): Scale {
  const { max, from, to, count } = options;
  const step = roundStep((max > 0 ? max : 1) / count);
  const steps = Math.max(1, Math.ceil((max > 0 ? max : 1) / step - 1e-9));
  const end = steps * step;
  return {
    ticks: Array.from({ length: steps + 1 }, (_, at) => Number((at * step).toPrecision(12))),
    at: (value) => from + ((to - from) * value) / end,
  };
}

/** Seconds of a load: ends where the load ends, with ticks at round times. */
export function timeScale(options: { seconds: number; from: number; to: number }): Scale {
  const { seconds, from, to } = options;
  const step =
    TIME_STEPS.find((one) => seconds / one <= MOST_TIME_TICKS) ?? Math.ceil(seconds / MOST_TIME_TICKS);
  return {
    ticks: Array.from({ length: Math.floor(seconds / step) + 1 }, (_, at) => at * step),
    at: (second) => from + ((to - from) * second) / Math.max(1, seconds),
  };
}

const TIME_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600];
const MOST_TIME_TICKS = 9;

/** 1, 2 or 5 times a power of ten, at or above `rough`. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((one) => one * power >= rough * (1 - 1e-9)) ?? 10;
  return factor * power;
}
