import type { ClientRequest, IncomingMessage } from 'node:http';
import { COSMOS_PROPERTIES, COSMOS_RETRY_WAIT } from '@bottleneck-lab/contracts';
import { context, type Span, type SpanContext, SpanKind, trace } from '@opentelemetry/api';
import { DEPENDENCY_TYPE, OPERATION_NAME, PEER_SERVICE } from '../spans/attributes.js';
import { CosmosAttempts, type Wait } from './attempts.js';
import { CosmosMetrics } from './metrics.js';
import {
  type CosmosRequest,
  describeCosmosRequest,
  isCosmosRequest,
  type OutgoingRequest,
  partitionOfSessionToken,
} from './request.js';

/** The parts of an SDK span that the API does not show. */
interface RecordedSpan extends Span {
  readonly parentSpanContext?: SpanContext;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

interface Call extends CosmosRequest {
  attempt: number;
  /** Identity of the request inside the calling operation. */
  key: string;
}

/** Makes each HTTP attempt to Cosmos DB a dependency that says what it was, what it cost and whether it had to wait before. */
export class CosmosSpans {
  readonly #attempts = new CosmosAttempts();
  readonly #calls = new WeakMap<Span, Call>();
  readonly #metrics = new CosmosMetrics();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.timeOrigin + performance.now()) {
    this.#now = now;
  }

  /** Called with the span of every outgoing request before it is sent. */
  requestStarts(span: RecordedSpan, request: ClientRequest): void {
    const outgoing = outgoingRequest(request);
    if (!isCosmosRequest(outgoing)) return;
    const described = describeCosmosRequest(outgoing);
    const key = `${span.parentSpanContext?.spanId ?? ''}\n${described.identity}`;
    const { attempt, wait } = this.#attempts.begin(key);
    if (wait !== null) this.#recordWait(span, wait);
    this.#calls.set(span, { ...described, attempt, key });
    span.setAttributes({
      [DEPENDENCY_TYPE]: described.type,
      [PEER_SERVICE]: described.target,
      [COSMOS_PROPERTIES.attempt]: attempt,
    });
    setIfKnown(span, COSMOS_PROPERTIES.partitionKeyRangeId, described.partition);
    setIfKnown(span, COSMOS_PROPERTIES.partitionKey, described.partitionKey);
  }

  /** Called with the span of every outgoing request when the head of its answer is there. */
  answerArrives(span: Span, response: IncomingMessage): void {
    const call = this.#calls.get(span);
    if (call === undefined) return;
    const header = (name: string) => String(response.headers[name] ?? '');
    const partition = call.partition || partitionOfSessionToken(header('x-ms-session-token'));
    const requestCharge = Number(header('x-ms-request-charge') || 0);
    const throttled = response.statusCode === 429;
    span.setAttribute(COSMOS_PROPERTIES.requestCharge, requestCharge);
    setIfKnown(span, COSMOS_PROPERTIES.partitionKeyRangeId, partition);
    setIfKnown(span, COSMOS_PROPERTIES.substatus, header('x-ms-substatus'));
    setIfKnown(span, COSMOS_PROPERTIES.documentCount, header('x-ms-item-count'));
    const { container, type, attempt, key } = call;
    this.#metrics.record({ container, partition, type }, { requestCharge, throttled });
    if (!throttled) return;
    const retryAfterMs = Number(header('x-ms-retry-after-ms') || 0);
    span.setAttribute(COSMOS_PROPERTIES.retryAfterMs, retryAfterMs);
    this.#attempts.throttled(key, { attempt, answeredAtMs: this.#now(), retryAfterMs });
  }

  /** A sibling of the attempts, as the time between them belongs to none. */
  #recordWait(next: RecordedSpan, wait: Wait): void {
    const parent = next.parentSpanContext;
    if (parent === undefined) return;
    const operation = next.attributes?.[OPERATION_NAME];
    trace
      .getTracer('bottleneck-lab.telemetry')
      .startSpan(
        COSMOS_RETRY_WAIT,
        {
          kind: SpanKind.INTERNAL,
          startTime: wait.startedAtMs,
          attributes: {
            [COSMOS_PROPERTIES.retryAfterMs]: wait.retryAfterMs,
            ...(operation === undefined ? {} : { [OPERATION_NAME]: String(operation) }),
          },
        },
        trace.setSpanContext(context.active(), parent),
      )
      .end(this.#now());
  }
}

function outgoingRequest(request: ClientRequest): OutgoingRequest {
  return {
    method: request.method,
    path: request.path,
    header: (name) => String(request.getHeader(name) ?? ''),
  };
}

function setIfKnown(span: Span, name: string, value: string): void {
  if (value !== '') span.setAttribute(name, value);
}
