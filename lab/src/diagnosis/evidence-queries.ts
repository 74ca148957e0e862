import type { MeasureName } from '../analysis/measure-table.js';

/** Names of queries under lab/queries; a test compares. */
export type QueryName =
  | 'application-map'
  | 'backend-durations'
  | 'cosmos-calls-per-operation'
  | 'cosmos-results-over-time'
  | 'cpu-against-limit'
  | 'failures-by-operation'
  | 'partition-throughput'
  | 'percentiles-per-step'
  | 'request-units-per-operation'
  | 'slowest-operations';

/** By the beginning of a measure's name, the longest first: where telemetry shows what the measure counts. */
const QUERIES: readonly (readonly [beginning: string, query: QueryName])[] = [
  ['cosmos.retryWait', 'slowest-operations'],
  ['cosmos.throttled', 'cosmos-results-over-time'],
  ['cosmos.ru', 'request-units-per-operation'],
  ['cosmos.', 'cosmos-calls-per-operation'],
  ['partition.', 'partition-throughput'],
  ['cpu.', 'cpu-against-limit'],
  ['client.errors', 'failures-by-operation'],
  ['client.', 'percentiles-per-step'],
  ['load.kneeUsers', 'percentiles-per-step'],
  ['throughput.', 'percentiles-per-step'],
  ['gateway.', 'application-map'],
  ['utilization.', 'backend-durations'],
  ['delivery.', 'backend-durations'],
  ['package.', 'backend-durations'],
];

/** The query behind a sentence: that of the first measure it quotes. Null where telemetry does not tell. */
export function queryBehind(measures: readonly MeasureName[]): QueryName | null {
  for (const measure of measures) {
    const row = QUERIES.find(([beginning]) => measure.startsWith(beginning));
    if (row !== undefined) return row[1];
  }
  return null;
}
