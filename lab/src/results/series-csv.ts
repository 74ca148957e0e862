import type { SecondPoint, SecondSeries } from './second-series.js';

type Cell = number | null;

/** One line per second of the load, a header with units; RFC 4180 needs no quotes for numbers. */
export function seriesCsv(series: SecondSeries): string {
  const columns = columnsOf(series);
  const lines = [
    columns.map(([title]) => title).join(','),
    ...series.points.map((point) => columns.map(([, cell]) => text(cell(point))).join(',')),
  ];
  return `${lines.join('\n')}\n`;
}

function columnsOf(series: SecondSeries): [string, (point: SecondPoint) => Cell][] {
  return [
    ['second', (point) => point.second],
    ['users', (point) => point.users],
    ['requests_per_second', (point) => point.requests],
    ['failed_per_second', (point) => point.failed],
    ['client_mean_ms', (point) => point.clientMeanMs],
    ['client_p95_ms', (point) => point.clientP95Ms],
    ['utilization_mean_ms', (point) => point.utilizationMeanMs],
    ['delivery_mean_ms', (point) => point.deliveryMeanMs],
    ['package_mean_ms', (point) => point.packageMeanMs],
    ['partition_queries_answered', (point) => point.queriesAnswered],
    ['partition_queries_429', (point) => point.queriesThrottled],
    ['partition_limit_ru_per_second', (point) => point.limitRuPerSecond],
    ...series.partitions.map((partition): [string, (point: SecondPoint) => Cell] => [
      `ru_partition_${partition}`,
      (point) => point.ruByPartition[partition] ?? 0,
    ]),
    ...series.services.map((service): [string, (point: SecondPoint) => Cell] => [
      `cpu_${service.replace('-', '_')}_percent_of_limit`,
      (point) => point.cpuPercent[service] ?? null,
    ]),
  ];
}

function text(cell: Cell): string {
  return cell === null ? '' : String(Math.round(cell * 100) / 100);
}
