import { SERVICE_NAMES } from '@bottleneck-lab/contracts';
import { isMeasureName, MEASURE_TABLE, type MeasureName } from '../analysis/measure-table.js';
import { quantity } from '../analysis/quantity.js';
import { type Cell, columns, type LayoutOptions, painter } from '../report/layout.js';
import type { RunResult } from '../results/index.js';

/** What instruments show of a run, in the order in which one looks at them. No range, no knob, no explanation. */
const DIALS: readonly (readonly [title: string, measure: MeasureName])[] = [
  ['requests/s, mean', 'throughput.mean'],
  ['requests/s, best 5 s', 'throughput.best5s'],
  ['requests/s, last 5 s', 'throughput.last5s'],
  ['failed at the client', 'client.errors'],
  ['invoice, mean', 'client.meanMs'],
  ['invoice, p95', 'client.p95Ms'],
  ['GetDroneUtilization, mean', 'utilization.meanMs'],
  ['deliveries summary, mean', 'delivery.meanMs'],
  ['packages summary, mean', 'package.meanMs'],
  ['answers 429 of Cosmos DB', 'cosmos.throttled'],
  ['answers 429, share of attempts', 'cosmos.throttledPercent'],
  ['partition queries/operation', 'cosmos.queriesPerOperation'],
  ['one partition query, mean', 'cosmos.queryMeanMs'],
  ['waiting to retry, share of time', 'cosmos.retryWaitPercent'],
  ['RU/operation', 'cosmos.ruPerOperation'],
];

/** Instruments only, for whoever has to find the bottleneck. */
export function formatPanel(result: RunResult, options: LayoutOptions): string {
  const paint = painter(options);
  const section = (title: string, rows: readonly (readonly Cell[])[]) =>
    rows.length < 2 ? [] : ['', paint('bold', title), ...columns(rows, options)];
  return [
    `${paint('bold', 'What was measured')}  ${paint('dim', `${result.id}, ${result.measuredSeconds} s`)}`,
    ...section('The whole load', dialRows(result)),
    ...section('Each step of the load', stepRows(result)),
    ...section('CPU of each service', cpuRows(result)),
    ...section('Physical partitions, container by container', partitionRows(result)),
  ].join('\n');
}

const header = (...texts: string[]): Cell[] => texts.map((text) => ({ text, style: 'dim' }));
const row = (...texts: string[]): Cell[] => texts.map((text) => ({ text }));
const number = (value: number | undefined) => (value === undefined ? '-' : quantity(value, 3));

function dialRows({ measures }: RunResult): Cell[][] {
  const rows = DIALS.filter(([, measure]) => measures[measure] !== undefined);
  return [
    header('', '', ''),
    ...rows.map(([title, measure]) => row(title, number(measures[measure]), unitOf(measure))),
  ];
}

function unitOf(measure: string): string {
  const unit = isMeasureName(measure) ? MEASURE_TABLE[measure].unit : '';
  return unit === 'ratio' ? '' : unit;
}

function stepRows({ steps }: RunResult): Cell[][] {
  return [
    header('step', 'users', 'req/s', 'invoice ms', 'GetDroneUtilization ms', 'deliveries ms', '429 %'),
    ...steps.map(({ name, users, measures }) =>
      row(
        name,
        quantity(Math.round(users)),
        number(measures['throughput.mean']),
        number(measures['client.meanMs']),
        number(measures['utilization.meanMs']),
        number(measures['delivery.meanMs']),
        number(measures['cosmos.throttledPercent']),
      ),
    ),
  ];
}

function cpuRows({ measures }: RunResult): Cell[][] {
  const services = SERVICE_NAMES.filter((name) => measures[`cpu.${name}.meanCores`] !== undefined);
  return [
    header('', 'cores, mean', '% of limit, mean', '% of limit, last 5 s', '% of periods throttled, last 5 s'),
    ...services.map((name) =>
      row(
        name,
        number(measures[`cpu.${name}.meanCores`]),
        number(measures[`cpu.${name}.meanPercent`]),
        number(measures[`cpu.${name}.last5sPercent`]),
        number(measures[`cpu.${name}.last5sThrottledPeriodsPercent`]),
      ),
    ),
  ];
}

function partitionRows({ partitions }: RunResult): Cell[][] {
  const used = partitions.filter((one) => one.requests + one.throttled > 0);
  const meanOf = new Map<string, number>();
  for (const { container } of used) {
    const own = partitions.filter((one) => one.container === container);
    meanOf.set(container, own.reduce((sum, one) => sum + one.requestUnits, 0) / own.length);
  }
  return [
    header(
      'partition',
      'answered',
      '429',
      'RU',
      'times the mean',
      'most RU/s',
      'its limit',
      'first 429 in second',
    ),
    ...used.map((one) =>
      row(
        `${one.container} ${one.partition}`,
        quantity(one.requests),
        quantity(one.throttled),
        number(one.requestUnits),
        number(one.requestUnits / (meanOf.get(one.container) ?? 1)),
        number(one.peakRuPerSecond),
        number(one.limitRuPerSecond),
        one.firstThrottledSecond === null ? '-' : String(one.firstThrottledSecond),
      ),
    ),
  ];
}
