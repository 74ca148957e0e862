import { createHash } from 'node:crypto';
import { context, propagation, ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { tracing } from '@opentelemetry/sdk-node';
import { describe, expect, it } from 'vitest';
import { attributesOf } from '../../../libs/telemetry/src/process/pino-logs.js';
import { ContextSpanProcessor } from '../../../libs/telemetry/src/spans/context-processor.js';
import { RatioSampler } from '../../../libs/telemetry/src/spans/ratio-sampler.js';

function newTracer() {
  const exporter = new tracing.InMemorySpanExporter();
  const spanProcessors = [new ContextSpanProcessor(), new tracing.SimpleSpanProcessor(exporter)];
  const tracer = new tracing.BasicTracerProvider({ spanProcessors }).getTracer('test');
  return { tracer, attributes: () => exporter.getFinishedSpans().map((span) => span.attributes) };
}

describe('ContextSpanProcessor', () => {
  it('copies the operation name from a request to everything below it', () => {
    const { tracer, attributes } = newTracer();
    const server = tracer.startSpan('GET', { kind: SpanKind.SERVER }, ROOT_CONTEXT);
    const inRequest = trace.setSpan(ROOT_CONTEXT, server);
    tracer.startSpan('early', {}, inRequest).end();
    server.setAttribute('http.route', 'Deliveries/GetSummary').updateName('GET Deliveries/GetSummary');
    const child = tracer.startSpan('child', {}, inRequest);
    tracer.startSpan('grandchild', {}, trace.setSpan(ROOT_CONTEXT, child)).end();
    child.end();
    const name = { 'ai.operation.name': 'GET Deliveries/GetSummary' };
    expect(attributes()).toEqual([{}, name, name]);
  });

  it("copies the members of the baggage that are the lab's", () => {
    const { tracer, attributes } = newTracer();
    const entries = { 'lab.run': { value: 'r' }, 'lab.step': { value: '3' }, secret: { value: 'x' } };
    tracer.startSpan('s', {}, propagation.setBaggage(ROOT_CONTEXT, propagation.createBaggage(entries))).end();
    expect(attributes()).toEqual([{ 'lab.run': 'r', 'lab.step': '3' }]);
  });
});

describe('RatioSampler', () => {
  const decide = (ratio: number, traceId: string, parent = ROOT_CONTEXT) =>
    new RatioSampler(ratio).shouldSample(parent, traceId, 's', SpanKind.SERVER);
  const random = (seed: number) => createHash('md5').update(String(seed)).digest('hex');

  it('keeps its share, and says on each span how many it stands for', () => {
    const decisions = Array.from({ length: 4000 }, (_, i) => decide(0.25, random(i + 1)));
    const kept = decisions.filter(
      (result) => result.decision === tracing.SamplingDecision.RECORD_AND_SAMPLED,
    );
    expect(kept.length).toBeGreaterThan(800);
    expect(kept.length).toBeLessThan(1200);
    expect(kept[0]?.attributes).toEqual({ 'microsoft.sample_rate': 25 });
  });

  it('keeps all without a mark at 1', () => {
    expect(decide(1, random(7))).toEqual({
      decision: tracing.SamplingDecision.RECORD_AND_SAMPLED,
      attributes: {},
    });
  });

  it('follows its parent', () => {
    const parent = (traceFlags: TraceFlags) =>
      trace.setSpanContext(context.active(), {
        traceId: '1'.repeat(32),
        spanId: '2'.repeat(16),
        traceFlags,
        isRemote: true,
      });
    for (let i = 1; i < 50; i += 1) {
      expect(decide(0.5, random(i), parent(TraceFlags.SAMPLED)).decision).toBe(
        tracing.SamplingDecision.RECORD_AND_SAMPLED,
      );
      expect(decide(0.5, random(i), parent(TraceFlags.NONE)).decision).toBe(
        tracing.SamplingDecision.NOT_RECORD,
      );
    }
  });
});

describe('attributes of a log line', () => {
  it('are scalars as they are, errors by convention, the rest as JSON', () => {
    const error = new RangeError('far');
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    expect(
      attributesOf({ n: 1, t: 'x', b: false, list: [1], none: undefined, err: error, circular }),
    ).toEqual({
      n: 1,
      t: 'x',
      b: false,
      list: '[1]',
      circular: '[not serialisable]',
      'exception.type': 'RangeError',
      'exception.message': 'far',
      'exception.stacktrace': error.stack,
    });
    expect(attributesOf(error)).toMatchObject({ 'exception.type': 'RangeError' });
    expect(attributesOf(undefined)).toEqual({});
  });
});
