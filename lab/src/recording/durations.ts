import type { DurationSummary } from '@bottleneck-lab/contracts';
import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
} from 'hdr-histogram-js';

/** The contract's histogram: microseconds up to ten minutes with three significant digits. */
const LARGEST_MICROSECONDS = 600_000_000;

function emptyHistogram(): Histogram {
  return build({
    bitBucketSize: 32,
    autoResize: true,
    lowestDiscernibleValue: 1,
    highestTrackableValue: 2,
    numberOfSignificantValueDigits: 3,
  });
}

/** Durations in milliseconds as one row carries them. */
export function summarizeDurations(durationsMs: readonly number[]): DurationSummary {
  const histogram = emptyHistogram();
  let sumMs = 0;
  let maxMs = 0;
  for (const durationMs of durationsMs) {
    const microseconds = Math.round(durationMs * 1000);
    histogram.recordValue(Math.min(LARGEST_MICROSECONDS, Math.max(1, microseconds)));
    sumMs += durationMs;
    maxMs = Math.max(maxMs, durationMs);
  }
  return { count: durationsMs.length, sumMs, maxMs, histogram: encodeIntoCompressedBase64(histogram) };
}

/** Durations of many rows together. */
export interface MergedDurations {
  count: number;
  sumMs: number;
  /** `null` when there are none. */
  meanMs: number | null;
  maxMs: number;
  /** Milliseconds; `percentile(95)`. `null` when there are none. */
  percentile(percent: number): number | null;
}

/** Merges the histograms of rows, so that percentiles hold across seconds and instances. */
export function mergeDurations(summaries: Iterable<DurationSummary>): MergedDurations {
  const merged = emptyHistogram();
  let count = 0;
  let sumMs = 0;
  let maxMs = 0;
  for (const summary of summaries) {
    if (summary.count === 0) continue;
    count += summary.count;
    sumMs += summary.sumMs;
    maxMs = Math.max(maxMs, summary.maxMs);
    merged.add(decodeFromCompressedBase64(summary.histogram, 32));
  }
  return {
    count,
    sumMs,
    maxMs,
    meanMs: count === 0 ? null : sumMs / count,
    percentile: (percent) => (count === 0 ? null : merged.getValueAtPercentile(percent) / 1000),
  };
}
