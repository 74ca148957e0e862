import type { Row } from '../kql/index.js';
import { ItemRejection, type MetricPoint } from './envelope.js';
import { cutText, integer, real } from './fields.js';
import { properties } from './properties.js';
import type { AddRow, MappingScope } from './rows.js';

/** Sent by the exporter with each batch: resource attributes in the shape of a metric. */
const RESOURCE_METRIC = '_OTELRESOURCE_';
/** Marks the pre-aggregated standard metrics, which the service keeps apart from custom metrics. */
const STANDARD_METRIC_PROPERTY = '_MS.MetricId';

/** `\Category(instance)\Counter` or `\Category\Counter`. */
const PERFORMANCE_COUNTER = /^\\([^\\(]+?)(?:\((.*)\))?\\(.+)$/;
const MAX_METRICS = 1000;

export function metricRows(scope: MappingScope, add: AddRow): void {
  const { data, limits } = scope;
  const { metrics } = data;
  if (!Array.isArray(metrics) || metrics.length === 0) {
    throw new ItemRejection("field 'metrics' on type 'MetricData' must be a list with at least one entry");
  }
  if (metrics.length > MAX_METRICS) {
    throw new ItemRejection(
      `field 'metrics' has ${metrics.length} entries; at most ${MAX_METRICS} are allowed`,
    );
  }
  const dimensions = properties(data.properties, limits);
  if (dimensions !== null && STANDARD_METRIC_PROPERTY in dimensions) return;
  const rows = metrics.map((point) => metricRow(point, scope, dimensions)).filter((row) => row !== null);
  for (const { table, row } of rows) add(table, row);
}

function metricRow(
  value: unknown,
  { envelope, time, context, limits }: MappingScope,
  dimensions: Record<string, string> | null,
): { table: 'customMetrics' | 'performanceCounters'; row: Row } | null {
  if (typeof value !== 'object' || value === null) {
    throw new ItemRejection("an entry of field 'metrics' must be an object");
  }
  const point = value as MetricPoint;
  const name = cutText(point.name, limits.maxNameCharacters);
  if (name === '')
    throw new ItemRejection("field 'name' on type 'DataPoint' is required but missing or empty");
  if (name === RESOURCE_METRIC) return null;
  const sum = real(point.value);
  if (sum === null)
    throw new ItemRejection(`field 'value' of metric ${name} is required and must be a number`);
  const counter = name.startsWith('\\') ? PERFORMANCE_COUNTER.exec(name) : null;
  if (counter !== null) {
    const [, category, instance, counterName] = counter as unknown as [string, string, string?, string?];
    const columns: unknown[] = [
      time,
      counterName,
      category,
      counterName,
      instance ?? '',
      sum,
      'performanceCounter',
      dimensions,
    ];
    return { table: 'performanceCounters', row: columns.concat(context.of(envelope)) };
  }
  const count = integer(point.count) ?? 1;
  const columns: unknown[] = [
    time,
    name,
    sum,
    count,
    sum,
    real(point.min) ?? (count === 1 ? sum : null),
    real(point.max) ?? (count === 1 ? sum : null),
    real(point.stdDev),
    'customMetric',
    dimensions,
  ];
  return { table: 'customMetrics', row: columns.concat(context.of(envelope)) };
}
