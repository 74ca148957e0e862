import type { CpuSeries } from '../../analysis/cpu-series.js';
import { quantity } from '../../analysis/quantity.js';
import type { RunResult } from '../../results/result-schema.js';
import type { Figure } from './figure.js';
import type { LineSeries } from './line-chart.js';
import type { ReportedRun } from './reported-run.js';
import { line, timeFigure } from './time-figure.js';
import type { Tone } from './tone.js';
import { turnMarks } from './turn-marks.js';

const CPU_TONES: Record<CpuSeries['service'], Tone> = {
  delivery: 'blue',
  gateway: 'green',
  'drone-utilization': 'purple',
  package: 'orange',
};

/** Chart 3: CPU of each service, and how often its limit held it up. */
export function cpuFigure({ result, cpu }: ReportedRun): Figure {
  const limited = cpu.filter((one) => one.limited);
  const series: LineSeries[] = [
    ...limited.map((one) =>
      line({
        name: `${one.service}, throttled periods`,
        tone: CPU_TONES[one.service],
        shape: 'area',
        values: one.throttledPeriodsPercent,
      }),
    ),
    ...cpu.map((one) =>
      line({
        name: one.limited ? `${one.service}, of its limit` : `${one.service}, of one core (no limit)`,
        tone: CPU_TONES[one.service],
        weight: one.limited ? 'strong' : 'plain',
        values: one.percent,
      }),
    ),
    ...(limited.length === 0
      ? []
      : [line({ name: 'limit', tone: 'grey', values: Array(result.measuredSeconds).fill(100) as number[] })]),
  ];
  return timeFigure({
    number: 3,
    title: 'CPU of each service against its limit',
    reading: cpuReading(result, cpu),
    seconds: result.plannedSeconds,
    leftUnit: '%',
    rightUnit: '',
    series,
    marks: turnMarks(result),
  });
}

function cpuReading({ measures, calibration }: RunResult, cpu: readonly CpuSeries[]): string {
  if (cpu.length === 0) return 'No service told its CPU.';
  const limited = cpu
    .filter((one) => one.limited)
    .map(({ service }) => {
      const cores =
        service === 'delivery' && calibration !== null
          ? ` (${quantity(calibration.deliveryCpuLimitCores, 3)} cores)`
          : '';
      const last = measures[`cpu.${service}.last5sPercent`];
      const throttled = measures[`cpu.${service}.last5sThrottledPeriodsPercent`];
      return `In the last 5 s ${service} used ${last === undefined ? 'an unknown share' : `${quantity(last)} %`} of its limit${cores}, and ${quantity(throttled ?? 0)} % of its enforcement periods were throttled.`;
    });
  const free = cpu.filter((one) => !one.limited).map((one) => one.service);
  if (free.length > 0) limited.push(`Without a limit: ${free.join(', ')}.`);
  return limited.join(' ');
}

/** Chart 4: what the database answered. */
export function responsesFigure({ result, series }: ReportedRun): Figure {
  const { measures, partitions } = result;
  const first = partitions
    .filter((one) => one.container === series.container)
    .map((one) => one.firstThrottledSecond)
    .filter((second) => second !== null);
  const throttled = measures['cosmos.throttled'];
  const began = first.length === 0 ? '' : `; the first came in second ${Math.min(...first)}`;
  return timeFigure({
    number: 4,
    title: 'Answers of Cosmos DB: 2xx and 429',
    reading:
      throttled === undefined
        ? 'No partition query was recorded.'
        : `${quantity(throttled, 3)} attempts of partition queries were answered 429, ${quantity(measures['cosmos.throttledPercent'] ?? 0)} % of all${began}.`,
    seconds: result.plannedSeconds,
    leftUnit: 'answers/s',
    rightUnit: '',
    series: [
      line({
        name: '2xx',
        tone: 'blue',
        weight: 'strong',
        values: series.points.map((point) => point.queriesAnswered),
      }),
      line({
        name: '429',
        tone: 'orange',
        weight: 'strong',
        values: series.points.map((point) => point.queriesThrottled),
      }),
    ],
    marks: turnMarks(result),
  });
}

/** Chart 5: the budget of each physical partition. */
export function partitionsFigure({ result, series }: ReportedRun): Figure {
  const own = result.partitions.filter((one) => one.container === series.container);
  const share = (one: (typeof own)[number]) => one.peakRuPerSecond / Math.max(one.limitRuPerSecond, 1e-9);
  const hottest = own.toSorted((a, b) => share(b) - share(a))[0];
  const values = (partition: string) => series.points.map((point) => point.ruByPartition[partition] ?? 0);
  const others = series.partitions.filter((partition) => partition !== hottest?.partition);
  const busiest = `partition ${hottest?.partition ?? '-'}, the busiest`;
  return timeFigure({
    number: 5,
    title: 'Request units per physical partition against what is provisioned',
    reading:
      hottest === undefined
        ? 'No physical partition of a queried container told what it spent.'
        : `Partition ${hottest.partition} of ${hottest.container} used ${quantity(hottest.peakRuPerSecond)} RU/s in second ${hottest.peakSecond}, of ${quantity(hottest.limitRuPerSecond)} provisioned; in its best 5 s it used ${quantity(hottest.sustainedRuPerSecond)}.`,
    seconds: result.plannedSeconds,
    leftUnit: 'RU/s',
    rightUnit: '',
    series: [
      ...others.map((partition) =>
        line({ name: `partition ${partition}`, tone: 'blue', weight: 'faint', values: values(partition) }),
      ),
      ...(hottest === undefined
        ? []
        : [line({ name: busiest, tone: 'blue', weight: 'strong', values: values(hottest.partition) })]),
      line({
        name: 'provisioned for each',
        tone: 'orange',
        weight: 'strong',
        values: series.points.map((point) => point.limitRuPerSecond),
      }),
    ],
    legend: [
      { name: busiest, tone: 'blue', shape: 'line', strong: true },
      ...(others.length === 0
        ? []
        : [{ name: 'the other partitions', tone: 'blue' as const, shape: 'thin' as const, strong: false }]),
      { name: 'provisioned for each', tone: 'orange', shape: 'line', strong: true },
    ],
    marks: turnMarks(result),
  });
}
