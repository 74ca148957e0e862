import type { Row } from '../kql/index.js';
import type { IngestionLimits } from '../limits.js';
import type { TableName } from '../schema.js';
import { ContextValues, type ResourceIdentity } from './context-values.js';
import { type Envelope, ItemRejection } from './envelope.js';
import { exceptionRow } from './exception-row.js';
import {
  cutText,
  durationMs,
  performanceBucket,
  real,
  severityLevel,
  shown,
  successText,
  TimestampReader,
  text,
} from './fields.js';
import { metricRows } from './metric-rows.js';
import { measurements, properties } from './properties.js';

export type AddRow = (table: TableName, row: Row) => void;

/** What a mapping of one item works with. */
export interface MappingScope {
  readonly envelope: Envelope;
  readonly data: Readonly<Record<string, unknown>>;
  readonly time: number;
  readonly limits: IngestionLimits;
  readonly context: ContextValues;
}

const MAX_NAME = 1024;
const MAX_URL = 2048;
const MAX_DATA = 8192;
/** Slots of shared texts, see ContextValues. */
const SLOT = {
  requestName: 32,
  dependencyName: 33,
  target: 34,
  type: 35,
  url: 36,
  data: 37,
  message: 38,
} as const;

type Mapping = (scope: MappingScope, add: AddRow) => void;

const MAPPINGS: Readonly<Record<string, Mapping>> = {
  RequestData: (scope, add) => add('requests', requestRow(scope)),
  RemoteDependencyData: (scope, add) => add('dependencies', dependencyRow(scope)),
  MessageData: (scope, add) => add('traces', traceRow(scope)),
  ExceptionData: (scope, add) => add('exceptions', exceptionRow(scope)),
  EventData: (scope, add) => add('customEvents', eventRow(scope)),
  MetricData: metricRows,
  AvailabilityData: (scope, add) => add('availabilityResults', availabilityRow(scope)),
  PageViewData: (scope, add) => add('pageViews', pageViewRow(scope)),
};

/** Turns items into rows. One instance per store, as it remembers texts that repeat. */
export class RowMapper {
  readonly #limits: IngestionLimits;
  readonly #context: ContextValues;
  readonly #times = new TimestampReader();
  #lastValidKey: string | null = null;

  constructor(options: { limits: IngestionLimits; identity: ResourceIdentity; newItemId: () => string }) {
    this.#limits = options.limits;
    this.#context = new ContextValues(options.identity, options.newItemId);
  }

  /**
   * Hands each row of one item to `add` and returns the item's time, ticks. Throws `ItemRejection`, then nothing of the item was
   * added.
   */
  map(item: unknown, add: AddRow): number {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      throw new ItemRejection(
        `an item must be an object, got ${Array.isArray(item) ? 'an array' : shown(item)}`,
      );
    }
    const envelope = item as Envelope;
    if (envelope.iKey !== this.#lastValidKey) this.#lastValidKey = checkInstrumentationKey(envelope.iKey);
    const { baseType, baseData } = dataOf(envelope);
    const mapping = Object.hasOwn(MAPPINGS, baseType) ? MAPPINGS[baseType] : undefined;
    if (mapping === undefined) {
      throw new ItemRejection(
        `field 'baseType' on type 'Data' is ${shown(baseType)}; known are ${Object.keys(MAPPINGS).join(', ')}`,
      );
    }
    const time = this.#times.read(envelope.time);
    mapping({ envelope, data: baseData, time, limits: this.#limits, context: this.#context }, add);
    return time;
  }
}

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function checkInstrumentationKey(value: unknown): string {
  if (value === undefined || value === null || value === '') {
    throw new ItemRejection("field 'iKey' on type 'Envelope' is required but missing or empty");
  }
  if (typeof value !== 'string' || !GUID.test(value)) {
    throw new ItemRejection(`Invalid instrumentation key: ${shown(value)} is not a GUID`);
  }
  return value;
}

function dataOf(envelope: Envelope): { baseType: string; baseData: Readonly<Record<string, unknown>> } {
  const data = envelope.data as { baseType?: unknown; baseData?: unknown } | null | undefined;
  if (typeof data !== 'object' || data === null) {
    throw new ItemRejection("field 'data' on type 'Envelope' is required and must be an object");
  }
  const { baseType, baseData } = data;
  if (typeof baseType !== 'string') {
    throw new ItemRejection("field 'baseType' on type 'Data' is required and must be text");
  }
  if (typeof baseData !== 'object' || baseData === null || Array.isArray(baseData)) {
    throw new ItemRejection("field 'baseData' on type 'Data' is required and must be an object");
  }
  return { baseType, baseData: baseData as Readonly<Record<string, unknown>> };
}

function requestRow({ envelope, data, time, limits, context }: MappingScope): Row {
  const duration = durationMs(data.duration);
  const code = text(data.responseCode);
  const own: unknown[] = [
    time,
    text(data.id),
    cutText(data.source, MAX_NAME),
    context.shared(SLOT.requestName, data.name, MAX_NAME),
    context.shared(SLOT.url, data.url, MAX_URL),
    successText(data.success, !(Number(code) >= 400)),
    code,
    duration,
    performanceBucket(duration),
    'request',
    properties(data.properties, limits),
    measurements(data.measurements, limits),
  ];
  return own.concat(context.of(envelope));
}

function dependencyRow({ envelope, data, time, limits, context }: MappingScope): Row {
  const duration = durationMs(data.duration);
  const own: unknown[] = [
    time,
    text(data.id),
    context.shared(SLOT.target, data.target, MAX_NAME),
    context.shared(SLOT.type, data.type, MAX_NAME),
    context.shared(SLOT.dependencyName, data.name, MAX_NAME),
    context.shared(SLOT.data, data.data, MAX_DATA),
    successText(data.success, true),
    text(data.resultCode),
    duration,
    performanceBucket(duration),
    'dependency',
    properties(data.properties, limits),
    measurements(data.measurements, limits),
  ];
  return own.concat(context.of(envelope));
}

function traceRow({ envelope, data, time, limits, context }: MappingScope): Row {
  const own: unknown[] = [
    time,
    context.shared(SLOT.message, data.message, limits.maxMessageCharacters),
    severityLevel(data.severityLevel),
    'trace',
    properties(data.properties, limits),
    measurements(data.measurements, limits),
  ];
  return own.concat(context.of(envelope));
}

function eventRow({ envelope, data, time, limits, context }: MappingScope): Row {
  const own: unknown[] = [
    time,
    cutText(data.name, 512),
    'customEvent',
    properties(data.properties, limits),
    measurements(data.measurements, limits),
  ];
  return own.concat(context.of(envelope));
}

function availabilityRow({ envelope, data, time, limits, context }: MappingScope): Row {
  const duration = durationMs(data.duration);
  const own: unknown[] = [
    time,
    text(data.id),
    cutText(data.name, MAX_NAME),
    cutText(data.runLocation, MAX_NAME),
    successText(data.success, true),
    cutText(data.message, limits.maxMessageCharacters),
    duration,
    performanceBucket(duration),
    real(data.size),
    'availabilityResult',
    properties(data.properties, limits),
    measurements(data.measurements, limits),
  ];
  return own.concat(context.of(envelope));
}

function pageViewRow({ envelope, data, time, limits, context }: MappingScope): Row {
  const duration = durationMs(data.duration);
  const own: unknown[] = [
    time,
    text(data.id),
    cutText(data.name, MAX_NAME),
    cutText(data.url, MAX_URL),
    duration,
    performanceBucket(duration),
    'pageView',
    properties(data.properties, limits),
    measurements(data.measurements, limits),
  ];
  return own.concat(context.of(envelope));
}
