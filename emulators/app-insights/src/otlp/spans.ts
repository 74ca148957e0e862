import type { Envelope } from '../ingestion/envelope.js';
import {
  type Attributes,
  attributesOf,
  durationText,
  idOf,
  listOf,
  nanosOf,
  numberOf,
  textOf,
  timeOf,
} from './attributes.js';
import { dependencyData } from './dependency.js';
import { type Tags, tagsOfResource } from './resource.js';
import { clientAddress, customProperties, httpMethod, httpStatus, pathOf, urlOf } from './semantics.js';

export interface OtlpScope {
  /** Instrumentation key that the rows get. */
  iKey: string;
  maxNesting: number;
}

export const SPAN_KIND = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const;
const STATUS = { ok: 1, error: 2 } as const;

/** A span with what its items have in common. */
export interface SpanScope {
  span: Record<string, unknown>;
  attributes: Attributes;
  kind: number;
  /** Whether the span's own status, or else its HTTP status, says that it succeeded. */
  succeeded: boolean;
  duration: string;
}

/** Items of an ExportTraceServiceRequest: a request or a dependency per span, a trace or an exception per span event. */
export function spanEnvelopes(request: unknown, scope: OtlpScope): Envelope[] {
  const envelopes: Envelope[] = [];
  const resources = listOf((request as Record<string, unknown>).resourceSpans, 'resourceSpans');
  for (const { resource, scopeSpans } of resources) {
    const resourceAttributes = (resource as Record<string, unknown> | undefined)?.attributes;
    const tags = tagsOfResource(attributesOf(resourceAttributes, scope.maxNesting));
    for (const { spans } of listOf(scopeSpans, 'scopeSpans')) {
      for (const span of listOf(spans, 'spans')) envelopes.push(...envelopesOfSpan(span, tags, scope));
    }
  }
  return envelopes;
}

function envelopesOfSpan(span: Record<string, unknown>, resourceTags: Tags, scope: OtlpScope): Envelope[] {
  const attributes = attributesOf(span.attributes, scope.maxNesting);
  const start = nanosOf(span.startTimeUnixNano);
  const status = numberOf((span.status as { code?: unknown } | undefined)?.code, 'code');
  const httpFailed = Number(httpStatus(attributes) ?? 0) >= 400;
  const described: SpanScope = {
    span,
    attributes,
    kind: kindOf(span.kind),
    succeeded: status === STATUS.error ? false : status === STATUS.ok || !httpFailed,
    duration: durationText(nanosOf(span.endTimeUnixNano) - start),
  };
  const common = {
    iKey: scope.iKey,
    sampleRate:
      attributes['microsoft.sample_rate'] === undefined ? 100 : Number(attributes['microsoft.sample_rate']),
  };
  const incoming = described.kind === SPAN_KIND.server || described.kind === SPAN_KIND.consumer;
  const tags = spanTags(described, resourceTags, incoming);
  const item = {
    ...common,
    time: timeOf(span.startTimeUnixNano),
    tags,
    data: {
      baseType: incoming ? 'RequestData' : 'RemoteDependencyData',
      baseData: {
        ...(incoming ? requestData(described, tags) : dependencyData(described)),
        properties: spanProperties(span, attributes),
      },
    },
  };
  const events = listOf(span.events, 'events').map((event) =>
    eventEnvelope(event, { common, tags: eventTags(span, resourceTags), maxNesting: scope.maxNesting }),
  );
  return [item, ...events];
}

/** Kinds come as numbers, or in JSON also by name. */
function kindOf(value: unknown): number {
  if (typeof value !== 'string') return numberOf(value, 'kind');
  const name = value.replace(/^SPAN_KIND_/, '').toLowerCase();
  return SPAN_KIND[name as keyof typeof SPAN_KIND] ?? Number(value);
}

function spanTags({ span, attributes }: SpanScope, resourceTags: Tags, incoming: boolean): Tags {
  const tags: Tags = { ...resourceTags, 'ai.operation.id': idOf(span.traceId) };
  const parent = idOf(span.parentSpanId);
  if (parent !== '') tags['ai.operation.parentId'] = parent;
  const synthetic = attributes['user_agent.synthetic.type'];
  if (synthetic !== undefined) tags['ai.operation.syntheticSource'] = 'True';
  const operation = incoming ? requestName(span, attributes) : attributes['ai.operation.name'];
  if (operation !== undefined) tags['ai.operation.name'] = String(operation);
  const address = incoming ? clientAddress(attributes) : undefined;
  if (address !== undefined) tags['ai.location.ip'] = address;
  return tags;
}

function requestName(span: Record<string, unknown>, attributes: Attributes): string {
  const method = httpMethod(attributes);
  if (method === undefined) return textOf(span.name, 'name');
  const route = attributes['http.route'] ?? pathOf(urlOf(attributes));
  return route === undefined ? textOf(span.name, 'name') : `${method} ${route}`;
}

function requestData({ span, attributes, succeeded, duration }: SpanScope, tags: Tags) {
  return {
    id: idOf(span.spanId),
    name: tags['ai.operation.name'],
    url: urlOf(attributes),
    responseCode: httpStatus(attributes) ?? String(attributes['rpc.grpc.status_code'] ?? '0'),
    success: succeeded,
    duration,
  };
}

function spanProperties(span: Record<string, unknown>, attributes: Attributes): Record<string, string> {
  const properties = customProperties(attributes);
  const links = listOf(span.links, 'links').map((link) => ({
    operation_Id: idOf(link.traceId),
    id: idOf(link.spanId),
  }));
  if (links.length > 0) properties['_MS.links'] = JSON.stringify(links);
  return properties;
}

function eventTags(span: Record<string, unknown>, resourceTags: Tags): Tags {
  return {
    ...resourceTags,
    'ai.operation.id': idOf(span.traceId),
    'ai.operation.parentId': idOf(span.spanId),
  };
}

function eventEnvelope(
  event: Record<string, unknown>,
  { common, tags, maxNesting }: { common: Partial<Envelope>; tags: Tags; maxNesting: number },
): Envelope {
  const attributes = attributesOf(event.attributes, maxNesting);
  const properties = customProperties(attributes);
  const data =
    event.name === 'exception'
      ? { baseType: 'ExceptionData', baseData: { exceptions: [exceptionOf(attributes)], properties } }
      : { baseType: 'MessageData', baseData: { message: event.name, properties } };
  return { ...common, time: timeOf(event.timeUnixNano), tags, data };
}

export function exceptionOf(attributes: Attributes): Record<string, unknown> {
  const stack = attributes['exception.stacktrace'];
  return {
    typeName: attributes['exception.type'] ?? '',
    message: attributes['exception.message'] ?? 'Exception',
    hasFullStack: stack !== undefined,
    stack: stack ?? '',
  };
}
