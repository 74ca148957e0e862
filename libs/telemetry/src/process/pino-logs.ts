import { tracingChannel } from 'node:diagnostics_channel';
import { type AnyValueMap, type Logger, logs, SeverityNumber } from '@opentelemetry/api-logs';

/** What pino publishes about every line that it writes, on a channel of its own. */
interface PinoLine {
  /** Merged fields or an error, message, level number, time. */
  arguments: ArrayLike<unknown>;
}

/** pino's levels, and the severities of OpenTelemetry's data model. */
const SEVERITIES: readonly (readonly [number, SeverityNumber, string])[] = [
  [60, SeverityNumber.FATAL, 'FATAL'],
  [50, SeverityNumber.ERROR, 'ERROR'],
  [40, SeverityNumber.WARN, 'WARN'],
  [30, SeverityNumber.INFO, 'INFO'],
  [20, SeverityNumber.DEBUG, 'DEBUG'],
  [0, SeverityNumber.TRACE, 'TRACE'],
];

/**
 * Sends every line that pino writes as a log record too. The active span is that of the caller, so that a line is found under its trace.
 * No line is lost or held up by this: pino writes to its own destination as before.
 */
export function forwardPinoLogs(): void {
  let logger: Logger | undefined;
  tracingChannel('pino_asJson').subscribe({
    start() {},
    asyncStart() {},
    asyncEnd() {},
    error() {},
    end(message) {
      logger ??= logs.getLogger('pino');
      emitLine(logger, message as PinoLine);
    },
  });
}

function emitLine(logger: Logger, { arguments: args }: PinoLine): void {
  const [fields, message, level] = Array.from(args) as [unknown, unknown, number];
  const [, severityNumber, severityText] = SEVERITIES.find(([from]) => level >= from) ?? [
    0,
    SeverityNumber.UNSPECIFIED,
    '',
  ];
  const attributes = attributesOf(fields);
  const body = typeof message === 'string' ? message : String(attributes['exception.message'] ?? '');
  logger.emit({ severityNumber, severityText, body, attributes });
}

/** Scalars as they are, errors by the conventions for exceptions, the rest as JSON. */
export function attributesOf(fields: unknown): AnyValueMap {
  if (fields instanceof Error) return exceptionAttributes(fields);
  const attributes: AnyValueMap = {};
  for (const [name, value] of Object.entries((fields ?? {}) as Record<string, unknown>)) {
    if (value instanceof Error) Object.assign(attributes, exceptionAttributes(value));
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      attributes[name] = value;
    } else if (value !== undefined && value !== null) attributes[name] = jsonText(value);
  }
  return attributes;
}

function exceptionAttributes(error: Error): AnyValueMap {
  return {
    'exception.type': error.name,
    'exception.message': error.message,
    'exception.stacktrace': error.stack ?? `${error.name}: ${error.message}`,
  };
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // Circular, or nested too deep: the line itself has it.
    return '[not serialisable]';
  }
}
