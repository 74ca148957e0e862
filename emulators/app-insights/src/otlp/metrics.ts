import type { Envelope } from '../ingestion/envelope.js';
import { type Attributes, attributesOf, listOf, numberOf, textOf, timeOf } from './attributes.js';
import type { CumulativeSeries, MetricValue } from './cumulative-series.js';
import { tagsOfResource } from './resource.js';
import type { OtlpScope } from './spans.js';

const CUMULATIVE = 2;

type DataKind = 'gauge' | 'sum' | 'histogram' | 'exponentialHistogram' | 'summary';
const DATA_KINDS: readonly DataKind[] = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'];

export interface MetricScope extends OtlpScope {
  /** Remembers running totals, as the tables keep what was added between two exports. */
  series: CumulativeSeries;
}

/** Items of an ExportMetricsServiceRequest: one per data point. */
export function metricEnvelopes(request: unknown, scope: MetricScope): Envelope[] {
  const envelopes: Envelope[] = [];
  const resources = listOf((request as Record<string, unknown>).resourceMetrics, 'resourceMetrics');
  for (const { resource, scopeMetrics } of resources) {
    const raw = (resource as Record<string, unknown> | undefined)?.attributes;
    const tags = tagsOfResource(attributesOf(raw, scope.maxNesting));
    const source = `${tags['ai.cloud.role']}\n${tags['ai.cloud.roleInstance']}`;
    for (const { metrics } of listOf(scopeMetrics, 'scopeMetrics')) {
      for (const metric of listOf(metrics, 'metrics')) {
        for (const { time, point, properties } of pointsOf(metric, source, scope)) {
          const baseData = { metrics: [{ name: metric.name, ...point }], properties };
          envelopes.push({ iKey: scope.iKey, time, tags, data: { baseType: 'MetricData', baseData } });
        }
      }
    }
  }
  return envelopes;
}

interface Point {
  time: string | null;
  point: MetricValue;
  properties: Attributes;
}

function pointsOf(metric: Record<string, unknown>, source: string, scope: MetricScope): Point[] {
  const kind = DATA_KINDS.find((name) => typeof metric[name] === 'object' && metric[name] !== null);
  if (kind === undefined) return [];
  const data = metric[kind] as Record<string, unknown>;
  const running = isRunningTotal(kind, data);
  return listOf(data.dataPoints, 'dataPoints').flatMap((dataPoint) => {
    const properties = attributesOf(dataPoint.attributes, scope.maxNesting);
    const total = measured(kind, dataPoint);
    const point = running
      ? scope.series.added({
          key: `${source}\n${textOf(metric.name, 'name')}\n${JSON.stringify(properties)}`,
          start: textOf(dataPoint.startTimeUnixNano, 'startTimeUnixNano'),
          total,
          isSum: kind === 'sum',
        })
      : total;
    // An instrument that nothing was recorded to since the last export says nothing.
    if (running && point.count === 0) return [];
    return [{ time: timeOf(dataPoint.timeUnixNano), point, properties }];
  });
}

function isRunningTotal(kind: DataKind, data: Record<string, unknown>): boolean {
  if (kind === 'summary') return true;
  const temporality = data.aggregationTemporality;
  const cumulative = temporality === CUMULATIVE || temporality === 'AGGREGATION_TEMPORALITY_CUMULATIVE';
  return cumulative && (kind === 'sum' ? data.isMonotonic === true : kind !== 'gauge');
}

function measured(kind: DataKind, dataPoint: Record<string, unknown>): MetricValue {
  if (kind === 'gauge' || kind === 'sum') {
    return { value: numberOf(dataPoint.asDouble ?? dataPoint.asInt, 'a data point'), count: 1 };
  }
  const value: MetricValue = {
    value: numberOf(dataPoint.sum, 'sum'),
    count: numberOf(dataPoint.count, 'count'),
  };
  if (dataPoint.min !== undefined) value.min = numberOf(dataPoint.min, 'min');
  if (dataPoint.max !== undefined) value.max = numberOf(dataPoint.max, 'max');
  return value;
}
