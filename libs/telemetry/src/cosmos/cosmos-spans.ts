import { errorMonitor } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { COSMOS_PROPERTIES, COSMOS_RETRY_WAIT } from '@bottleneck-lab/contracts';
import {
  type Attributes,
  type Context,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { DEPENDENCY_TYPE, PEER_SERVICE } from '../spans/attributes.js';
import { CosmosAttempts, type Wait } from './attempts.js';
import { CosmosMetrics } from './metrics.js';
import {
  type CosmosRequest,
  describeCosmosRequest,
  isCosmosRequest,
  type OutgoingRequest,
  partitionOfSessionToken,
} from './request.js';

/** One HTTP request of the SDK. */
interface Attempt {
  span: Span;
  described: CosmosRequest;
  number: number;
  /** Identity of the request inside the calling operation. */
  key: string;
}

const FIRST_ERROR_STATUS = 400;
const THROTTLED = 429;

/** Makes each HTTP attempt to Cosmos DB a dependency that says what it was, what it cost and whether it had to wait before. */
export class CosmosSpans {
  readonly #attempts = new CosmosAttempts();
  readonly #metrics = new CosmosMetrics();
  readonly #now: () => number;

  /** `now`: Unix time, ms; the SDK's spans begin by the same clock, which goes on while a laptop sleeps. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Follows a request that was just made, if it is one of the SDK's and part of an operation: probes in the background are not. */
  follow(request: ClientRequest): void {
    const parent = context.active();
    const caller = trace.getSpanContext(parent);
    if (caller === undefined || !trace.isSpanContextValid(caller)) return;
    const outgoing = outgoingRequest(request);
    if (!isCosmosRequest(outgoing)) return;
    const described = describeCosmosRequest(outgoing);
    const key = `${caller.spanId}\n${described.identity}`;
    const { attempt: number, wait } = this.#attempts.begin(key);
    if (wait !== null) this.#recordWait(parent, wait);
    const attributes = attributesOf(request, described, number);
    const span = tracer().startSpan(request.method, { kind: SpanKind.CLIENT, attributes }, parent);
    this.#untilEnd(request, { span, described, number, key });
  }

  #untilEnd(request: ClientRequest, attempt: Attempt): void {
    const { span } = attempt;
    let response: IncomingMessage | undefined;
    // The SDK listens for the response itself; without any other listener this one would keep it from being discarded.
    request.once('response', (head: IncomingMessage) => {
      response = head;
      this.#answerArrives(attempt, head);
    });
    request.once(errorMonitor, (error: Error) => {
      span.setAttribute('error.type', error.name);
      span.recordException(error);
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
    });
    request.once('close', () => {
      if (response !== undefined && !response.complete) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
  }

  #answerArrives({ span, described, number, key }: Attempt, response: IncomingMessage): void {
    const header = (name: string) => String(response.headers[name] ?? '');
    const partition = described.partition || partitionOfSessionToken(header('x-ms-session-token'));
    const requestCharge = Number(header('x-ms-request-charge') || 0);
    const status = response.statusCode ?? 0;
    const throttled = status === THROTTLED;
    const retryAfterMs = throttled ? Number(header('x-ms-retry-after-ms') || 0) : undefined;
    span.setAttributes({
      'http.response.status_code': status,
      [COSMOS_PROPERTIES.requestCharge]: requestCharge,
      ...known({
        [COSMOS_PROPERTIES.partitionKeyRangeId]: partition,
        [COSMOS_PROPERTIES.substatus]: header('x-ms-substatus'),
        [COSMOS_PROPERTIES.documentCount]: header('x-ms-item-count'),
      }),
      ...(retryAfterMs === undefined ? {} : { [COSMOS_PROPERTIES.retryAfterMs]: retryAfterMs }),
    });
    if (status >= FIRST_ERROR_STATUS) span.setStatus({ code: SpanStatusCode.ERROR });
    const { container, type } = described;
    this.#metrics.record({ container, partition, type }, { requestCharge, throttled });
    if (retryAfterMs === undefined) return;
    this.#attempts.throttled(key, { attempt: number, answeredAtMs: this.#now(), retryAfterMs });
  }

  /** A sibling of the attempts, as the time between them belongs to none. */
  #recordWait(parent: Context, { startedAtMs, retryAfterMs }: Wait): void {
    const attributes = { [COSMOS_PROPERTIES.retryAfterMs]: retryAfterMs };
    const options = { kind: SpanKind.INTERNAL, startTime: startedAtMs, attributes };
    tracer().startSpan(COSMOS_RETRY_WAIT, options, parent).end(this.#now());
  }
}

const tracer = () => trace.getTracer('bottleneck-lab.telemetry');

function outgoingRequest(request: ClientRequest): OutgoingRequest {
  return {
    method: request.method,
    path: request.path,
    header: (name) => String(request.getHeader(name) ?? ''),
  };
}

function attributesOf(request: ClientRequest, described: CosmosRequest, attempt: number): Attributes {
  return {
    'http.request.method': request.method,
    'url.full': `${request.protocol}//${String(request.getHeader('host') ?? request.host)}${request.path}`,
    [DEPENDENCY_TYPE]: described.type,
    [PEER_SERVICE]: described.target,
    [COSMOS_PROPERTIES.attempt]: attempt,
    ...known({
      [COSMOS_PROPERTIES.partitionKeyRangeId]: described.partition,
      [COSMOS_PROPERTIES.partitionKey]: described.partitionKey,
    }),
  };
}

/** Those that have a value. */
function known(attributes: Record<string, string>): Attributes {
  const found: Attributes = {};
  for (const name in attributes) if (attributes[name] !== '') found[name] = attributes[name];
  return found;
}
