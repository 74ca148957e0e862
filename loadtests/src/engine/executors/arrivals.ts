import type { Stage } from './stages.js';

/** Starts of iterations at a constant rate, since the scenario's start: 0, 1/rate, 2/rate, ... */
export function* constantArrivals(ratePerMs: number, durationMs: number): Generator<number> {
  if (ratePerMs <= 0) return;
  for (let i = 0; ; i++) {
    const atMs = i / ratePerMs;
    if (atMs >= durationMs) return;
    yield atMs;
  }
}

/**
 * Starts of iterations when the rate follows a line through the stages: iteration i (from 1) starts where the area
 * under the rate reaches i. In a stage from rate a to b over d, the area after x is a*x + (b-a)*x*x/(2*d); solved for x.
 * Rates are per `timeUnitMs`.
 */
export function* rampingArrivals(
  startRate: number,
  stages: readonly Stage[],
  timeUnitMs: number,
): Generator<number> {
  let from = startRate / timeUnitMs;
  let stageStartMs = 0;
  let areaBefore = 0;
  let i = 1;
  for (const stage of stages) {
    const to = stage.target / timeUnitMs;
    const { durationMs } = stage;
    const area = (durationMs * (from + to)) / 2;
    for (; i <= areaBefore + area; i++) {
      const wanted = i - areaBefore;
      const slope = (to - from) / durationMs;
      // The form with the root in the denominator also holds for slope 0 and loses no digits near it.
      const atMs = (2 * wanted) / (from + Math.sqrt(Math.max(0, from * from + 2 * slope * wanted)));
      yield stageStartMs + atMs;
    }
    areaBefore += area;
    stageStartMs += durationMs;
    from = to;
  }
}
