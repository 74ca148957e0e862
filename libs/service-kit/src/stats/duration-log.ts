import type { DurationSummary } from '@bottleneck-lab/contracts';
import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js';

const MAX_MICROSECONDS = 600_000_000;

/** One for all: encoding is rare and synchronous, and a histogram of this range takes 80 kB. */
const scratch = build({
  lowestDiscernibleValue: 1,
  highestTrackableValue: MAX_MICROSECONDS,
  numberOfSignificantValueDigits: 3,
  bitBucketSize: 32,
});

/** Durations of one second and subject. Recording is a push; the histogram is made when somebody reads. */
export class DurationLog {
  #microseconds: number[] = [];
  #summary: DurationSummary | undefined;
  #sumMs = 0;
  #maxMs = 0;
  count = 0;

  record(durationMs: number): void {
    this.count += 1;
    this.#sumMs += durationMs;
    if (durationMs > this.#maxMs) this.#maxMs = durationMs;
    this.#microseconds.push(durationMs * 1_000);
    this.#summary = undefined;
  }

  /** The summary; the first reading of a finished second frees the single values. */
  summarize(options: { final: boolean }): DurationSummary {
    if (this.#summary) return this.#summary;
    scratch.reset();
    for (const value of this.#microseconds) {
      scratch.recordValue(Math.min(MAX_MICROSECONDS, Math.max(1, Math.round(value))));
    }
    const summary = {
      count: this.count,
      sumMs: this.#sumMs,
      maxMs: this.#maxMs,
      histogram: encodeIntoCompressedBase64(scratch),
    };
    if (options.final) {
      this.#summary = summary;
      this.#microseconds = [];
    }
    return summary;
  }
}
