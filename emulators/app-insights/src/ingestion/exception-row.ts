import type { Row } from '../kql/index.js';
import { ItemRejection } from './envelope.js';
import { cutText, severityLevel, text } from './fields.js';
import { measurements, properties } from './properties.js';
import type { MappingScope } from './rows.js';

interface Details {
  type: string;
  message: string;
  method: string;
  assembly: string;
  stack: string;
}

const MAX_EXCEPTIONS = 16;
const SEVERITY_NAMES = ['Verbose', 'Information', 'Warning', 'Error', 'Critical'];

/** The first exception of the list is the outermost, the last the innermost. */
export function exceptionRow(scope: MappingScope): Row {
  const { envelope, data, time, limits, context } = scope;
  const list = exceptionsOf(data.exceptions, limits.maxMessageCharacters);
  const outer = list[0] as Details;
  const inner = list[list.length - 1] as Details;
  const level = severityLevel(data.severityLevel);
  const own: unknown[] = [
    time,
    text(data.problemId) || (outer.method === '' ? outer.type : `${outer.type} at ${outer.method}`),
    text(data.handledAt),
    outer.type,
    outer.message,
    outer.assembly,
    outer.method,
    outer.type,
    outer.message,
    outer.assembly,
    outer.method,
    inner.type,
    inner.message,
    inner.assembly,
    inner.method,
    level,
    list.map((entry, index) => ({
      severityLevel: SEVERITY_NAMES[level ?? 3],
      outerId: String(index === 0 ? 0 : index),
      id: String(index + 1),
      type: entry.type,
      message: entry.message,
      rawStack: entry.stack,
    })),
    'exception',
    properties(data.properties, limits),
    measurements(data.measurements, limits),
  ];
  return own.concat(context.of(envelope));
}

function exceptionsOf(value: unknown, maxMessage: number): Details[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new ItemRejection(
      "field 'exceptions' on type 'ExceptionData' must be a list with at least one entry",
    );
  }
  if (value.length > MAX_EXCEPTIONS) {
    throw new ItemRejection(
      `field 'exceptions' has ${value.length} entries; at most ${MAX_EXCEPTIONS} are allowed`,
    );
  }
  return value.map((entry) => detailsOf(entry, maxMessage));
}

function detailsOf(entry: unknown, maxMessage: number): Details {
  if (typeof entry !== 'object' || entry === null) {
    throw new ItemRejection("an entry of field 'exceptions' must be an object");
  }
  const { typeName, message, stack } = entry as Record<string, unknown>;
  const stackText = cutText(stack, maxMessage);
  return {
    type: cutText(typeName, 1024),
    message: cutText(message, maxMessage),
    stack: stackText,
    ...topFrame(stackText),
  };
}

/** Method and source file of a JavaScript stack's first frame: `at fn (file:1:2)` or `at file:1:2`. */
export function topFrame(stack: string): { method: string; assembly: string } {
  const frame = stack.split('\n').find((line) => line.trimStart().startsWith('at '));
  if (frame === undefined) return { method: '', assembly: '' };
  const place = frame.trim().slice(3);
  const open = place.lastIndexOf(' (');
  const method = open < 0 ? '<anonymous>' : place.slice(0, open);
  const file = open < 0 ? place : place.slice(open + 2).replace(/\)$/, '');
  return { method, assembly: file.replace(/:\d+:\d+$/, '') };
}
