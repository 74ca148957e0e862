import type { Envelope } from '../ingestion/envelope.js';
import { attributesOf, idOf, listOf, numberOf, plainValue, timeOf } from './attributes.js';
import { type Tags, tagsOfResource } from './resource.js';
import { customProperties } from './semantics.js';
import { exceptionOf, type OtlpScope } from './spans.js';

const CUSTOM_EVENT = 'microsoft.custom_event.name';

/** Items of an ExportLogsServiceRequest: traces, exceptions (with type and stack), custom events (by attribute). */
export function logEnvelopes(request: unknown, scope: OtlpScope): Envelope[] {
  const envelopes: Envelope[] = [];
  const resources = listOf((request as Record<string, unknown>).resourceLogs, 'resourceLogs');
  for (const { resource, scopeLogs } of resources) {
    const resourceAttributes = (resource as Record<string, unknown> | undefined)?.attributes;
    const tags = tagsOfResource(attributesOf(resourceAttributes, scope.maxNesting));
    for (const { logRecords } of listOf(scopeLogs, 'scopeLogs')) {
      for (const record of listOf(logRecords, 'logRecords')) {
        envelopes.push(envelopeOfRecord(record, tags, scope));
      }
    }
  }
  return envelopes;
}

function envelopeOfRecord(record: Record<string, unknown>, resourceTags: Tags, scope: OtlpScope): Envelope {
  const attributes = attributesOf(record.attributes, scope.maxNesting);
  const tags: Tags = { ...resourceTags };
  const traceId = idOf(record.traceId);
  const spanId = idOf(record.spanId);
  if (traceId !== '') tags['ai.operation.id'] = traceId;
  if (spanId !== '') tags['ai.operation.parentId'] = spanId;
  if (attributes['ai.operation.name'] !== undefined) {
    tags['ai.operation.name'] = String(attributes['ai.operation.name']);
  }
  const properties = customProperties(attributes);
  const severityLevel = severityOf(numberOf(record.severityNumber, 'severityNumber'));
  const envelope = {
    iKey: scope.iKey,
    time: timeOf(record.timeUnixNano) ?? timeOf(record.observedTimeUnixNano),
    tags,
  };
  if (attributes['exception.type'] !== undefined && attributes['exception.stacktrace'] !== undefined) {
    const baseData = { exceptions: [exceptionOf(attributes)], severityLevel, properties };
    return { ...envelope, data: { baseType: 'ExceptionData', baseData } };
  }
  if (attributes[CUSTOM_EVENT] !== undefined) {
    return {
      ...envelope,
      data: { baseType: 'EventData', baseData: { name: attributes[CUSTOM_EVENT], properties } },
    };
  }
  const message = messageOf(plainValue(record.body, scope.maxNesting));
  return { ...envelope, data: { baseType: 'MessageData', baseData: { message, severityLevel, properties } } };
}

const messageOf = (body: unknown) =>
  typeof body === 'object' && body !== null ? JSON.stringify(body) : String(body ?? '');

/** OpenTelemetry's 24 severities in steps of four, Verbose to Critical; 0 is none. */
function severityOf(severityNumber: number): number | null {
  if (!(severityNumber > 0)) return null;
  if (severityNumber < 9) return 0;
  if (severityNumber < 13) return 1;
  if (severityNumber < 17) return 2;
  return severityNumber < 21 ? 3 : 4;
}
