import type { Emulator } from '../emulator.js';
import { EmulatorError } from '../errors.js';
import type { Envelope } from '../ingestion/envelope.js';
import { logEnvelopes } from '../otlp/logs.js';
import { decodeProtobuf, encodeProtobuf, type RequestMessage } from '../otlp/messages.js';
import { metricEnvelopes } from '../otlp/metrics.js';
import { type OtlpScope, spanEnvelopes } from '../otlp/spans.js';
import type { Answer } from './answer.js';
import type { BodyReader } from './body.js';
import type { Route, RouteRequest } from './routes.js';

/** Both versions of the ingestion path differ in nothing that matters here. */
export function trackRoutes(emulator: Emulator, bodies: BodyReader): Route[] {
  return [
    {
      method: 'POST',
      path: /^\/v2(?:\.1)?\/track$/,
      family: 'track',
      handle: ({ message }) =>
        bodies.with(message, async (body) => {
          const response = await emulator.ingestion.track(body);
          return { status: trackStatus(response), body: response };
        }),
    },
  ];
}

/** 200 when all went in, 206 when some did, else the status that all errors share, or 400. */
function trackStatus(response: { itemsAccepted: number; errors: { statusCode: number }[] }): number {
  if (response.errors.length === 0) return 200;
  if (response.itemsAccepted > 0) return 206;
  const statuses = new Set(response.errors.map((error) => error.statusCode));
  return statuses.size === 1 ? (response.errors[0]?.statusCode ?? 400) : 400;
}

interface Signal {
  path: RegExp;
  message: RequestMessage;
  /** Name of the rejected count in OTLP's partial success. */
  rejected: string;
  envelopes: (request: unknown) => Envelope[];
}

export function otlpRoutes(emulator: Emulator, bodies: BodyReader): Route[] {
  const scope: OtlpScope = {
    iKey: emulator.options.instrumentationKey,
    maxNesting: emulator.options.limits.maxNesting,
  };
  const signals: Signal[] = [
    {
      path: /^\/v1\/traces$/,
      message: 'TracesRequest',
      rejected: 'rejectedSpans',
      envelopes: (request) => spanEnvelopes(request, scope),
    },
    {
      path: /^\/v1\/metrics$/,
      message: 'MetricsRequest',
      rejected: 'rejectedDataPoints',
      envelopes: (request) => metricEnvelopes(request, { ...scope, series: emulator.series }),
    },
    {
      path: /^\/v1\/logs$/,
      message: 'LogsRequest',
      rejected: 'rejectedLogRecords',
      envelopes: (request) => logEnvelopes(request, scope),
    },
  ];
  return signals.map((signal) => ({
    method: 'POST',
    path: signal.path,
    family: 'otlp',
    handle: (request) => exported(signal, request, { emulator, bodies }),
  }));
}

async function exported(
  signal: Signal,
  { message }: RouteRequest,
  { emulator, bodies }: { emulator: Emulator; bodies: BodyReader },
): Promise<Answer> {
  const encoding = encodingOf(message.headers['content-type']);
  return bodies.with(message, async (body) => {
    const request = encoding === 'protobuf' ? decodeProtobuf(signal.message, body) : parseJson(body);
    const { itemsReceived, itemsAccepted, errors } = await emulator.ingestion.accept(
      signal.envelopes(request),
      body.length,
    );
    const rejected = itemsReceived - itemsAccepted;
    const errorMessage = errors
      .map((error) => error.message)
      .join('; ')
      .slice(0, 1000);
    if (encoding === 'protobuf') {
      const partialSuccess = rejected === 0 ? {} : { partialSuccess: { rejected, errorMessage } };
      return { status: 200, body: encodeProtobuf('ExportResponse', partialSuccess) };
    }
    const partialSuccess = { [signal.rejected]: String(rejected), errorMessage };
    return { status: 200, body: rejected === 0 ? {} : { partialSuccess } };
  });
}

export function encodingOf(contentType: string | undefined): 'json' | 'protobuf' {
  const type = (contentType ?? '').split(';')[0]?.trim();
  if (type === 'application/json') return 'json';
  if (type === 'application/x-protobuf') return 'protobuf';
  throw new EmulatorError(
    'UNSUPPORTED_MEDIA',
    `content-type ${JSON.stringify(type)}; OTLP/HTTP has application/json and application/x-protobuf`,
  );
}

function parseJson(body: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new EmulatorError('BAD_JSON', (cause as Error).message, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new EmulatorError('BAD_JSON', 'an OTLP request is an object');
  }
  return value as Record<string, unknown>;
}
