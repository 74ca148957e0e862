import type http from 'node:http';
import { trace } from '@opentelemetry/api';

/** W3C Trace Context and Baggage as they came in. This process starts no trace of its own without a telemetry SDK. */
export interface TraceHeaders {
  traceparent?: string;
  tracestate?: string;
  baggage?: string;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;
/** The specifications ask for at least 512 characters of tracestate and allow 8192 bytes of baggage. */
const TRACESTATE_MAX_CHARS = 512;
const BAGGAGE_MAX_CHARS = 8_192;

/** Keeps what is valid. A bad traceparent takes tracestate with it, as the specification says. */
export function readTraceHeaders(headers: http.IncomingHttpHeaders): TraceHeaders {
  const kept: TraceHeaders = {};
  const { traceparent, tracestate, baggage } = headers;
  if (typeof traceparent === 'string' && TRACEPARENT.test(traceparent)) {
    kept.traceparent = traceparent;
    if (typeof tracestate === 'string' && tracestate.length <= TRACESTATE_MAX_CHARS)
      kept.tracestate = tracestate;
  }
  if (typeof baggage === 'string' && baggage.length <= BAGGAGE_MAX_CHARS) kept.baggage = baggage;
  return kept;
}

/** The trace id, for logs: of the active span where a telemetry SDK runs, else of the incoming header. */
export function traceIdOf(headers: TraceHeaders): string | undefined {
  return trace.getActiveSpan()?.spanContext().traceId ?? headers.traceparent?.slice(3, 35);
}

/** What to send on. With a telemetry SDK its instrumentation injects the headers itself, and twice would be wrong. */
export function outboundTraceHeaders(headers: TraceHeaders): TraceHeaders {
  return trace.getActiveSpan() === undefined ? headers : {};
}
