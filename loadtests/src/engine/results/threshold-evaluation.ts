import type { MetricRegistry, MetricView } from './metric.js';
import type { Threshold } from './threshold.js';

export interface ThresholdVerdict {
  readonly view: MetricView;
  readonly threshold: Threshold;
  readonly value: number;
  readonly ok: boolean;
}

/**
 * Judges all thresholds. While the test runs, metrics without samples are left out; at its end they are judged as
 * empty: a trend or rate is 0, a count too.
 */
export function evaluateThresholds(
  metrics: MetricRegistry,
  { elapsedMs, final }: { elapsedMs: number; final: boolean },
): ThresholdVerdict[] {
  return metrics.views
    .filter((view) => final || !view.sink.empty)
    .flatMap((view) =>
      view.thresholds.map((threshold) => {
        const value = view.sink.aggregate(threshold.aggregation, elapsedMs) ?? 0;
        // An empty rate has nothing that could have failed.
        const ok = (view.metric.type === 'rate' && view.sink.empty) || threshold.passes(value);
        return { view, threshold, value, ok };
      }),
    );
}

/** The first failed threshold that wants the test to end, once its delay is over. */
export function thresholdThatAborts(
  verdicts: readonly ThresholdVerdict[],
  elapsedMs: number,
): ThresholdVerdict | undefined {
  return verdicts.find(
    ({ ok, threshold }) => !ok && threshold.abortOnFail && threshold.delayAbortEvalMs < elapsedMs,
  );
}
