import { type Attributes, type Context, type SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { tracing } from '@opentelemetry/sdk-node';
import { SAMPLE_RATE } from './attributes.js';

/**
 * Keeps a share of traces, the same ones in all processes, and writes the share on each span, so that a receiver can tell how many
 * requests a kept one stands for. The Azure Monitor path has a sampler of its own that does the same.
 */
export class RatioSampler implements tracing.Sampler {
  readonly #ratio: tracing.TraceIdRatioBasedSampler;
  readonly #attributes: Attributes;

  constructor(ratio: number) {
    this.#ratio = new tracing.TraceIdRatioBasedSampler(ratio);
    this.#attributes = ratio === 1 ? {} : { [SAMPLE_RATE]: Math.round(ratio * 100) };
  }

  shouldSample(context: Context, traceId: string, _name: string, _kind: SpanKind): tracing.SamplingResult {
    const parent = trace.getSpanContext(context);
    const decision =
      parent !== undefined && trace.isSpanContextValid(parent)
        ? fromParent(parent.traceFlags)
        : this.#ratio.shouldSample(context, traceId).decision;
    return { decision, attributes: this.#attributes };
  }

  toString(): string {
    return `RatioSampler{${this.#ratio.toString()}}`;
  }
}

const fromParent = (flags: TraceFlags) =>
  (flags & TraceFlags.SAMPLED) === 0
    ? tracing.SamplingDecision.NOT_RECORD
    : tracing.SamplingDecision.RECORD_AND_SAMPLED;
