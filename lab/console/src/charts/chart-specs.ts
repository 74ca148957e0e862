import type { BackendName, ChartPoint, RunView } from '../../../src/console/api.js';
import { serviceTitle } from '../format.js';
import { dashOf, type Palette } from './palette.js';

export interface ChartLine {
  label: string;
  unit: string;
  color: string;
  dash: number[];
  width?: number;
  /** Holds its value until the next one. */
  stepped?: true;
  /** Drawn against the axis on the right. */
  right?: true;
  values: (points: readonly ChartPoint[]) => (number | null)[];
}

export interface ChartSpec {
  id: string;
  title: string;
  /** What the axis shows, with its unit. */
  axis: string;
  rightAxis?: string;
  lines: ChartLine[];
}

type Value = (point: ChartPoint) => number | null;
const each = (value: Value) => (points: readonly ChartPoint[]) => points.map(value);

/** The six charts of a run, for the services and partitions that it has. */
export function chartSpecs(run: RunView, palette: Palette): ChartSpec[] {
  return [
    loadChart(palette),
    durationChart(palette),
    cpuChart(run, palette),
    answersChart(palette),
    partitionChart(run, palette),
    costChart(palette),
  ];
}

function liner({ series }: Palette) {
  let next = 0;
  return (line: Omit<ChartLine, 'color' | 'dash'>): ChartLine => {
    const at = next;
    next += 1;
    return { ...line, color: series[at % series.length] as string, dash: dashOf(at) };
  };
}

export function loadChart(palette: Palette): ChartSpec {
  const line = liner(palette);
  return {
    id: 'load',
    title: 'Requests against users',
    axis: 'requests/s',
    rightAxis: 'users',
    lines: [
      line({ label: 'requests', unit: '/s', values: each((point) => point.requests) }),
      line({ label: 'errors', unit: '/s', values: each((point) => point.failed) }),
      line({ label: 'users', unit: '', right: true, values: each((point) => point.users) }),
    ],
  };
}

const BACKENDS: readonly BackendName[] = ['drone-utilization', 'delivery', 'package'];

export function durationChart(palette: Palette): ChartSpec {
  const line = liner(palette);
  return {
    id: 'durations',
    title: 'Mean duration of each backend operation',
    axis: 'ms',
    lines: BACKENDS.map((name) =>
      line({
        label: serviceTitle(name),
        unit: ' ms',
        values: each((point) => point.operations[name].meanMs),
      }),
    ),
  };
}

const SERVICES = ['delivery', 'gateway', 'drone-utilization', 'package'] as const;

export function cpuChart({ limitedServices }: Pick<RunView, 'limitedServices'>, palette: Palette): ChartSpec {
  const line = liner(palette);
  return {
    id: 'cpu',
    title: 'CPU of each service against its limit',
    axis: '% of the limit',
    lines: [
      ...SERVICES.map((name) =>
        line({
          label: limitedServices.includes(name) ? serviceTitle(name) : `${serviceTitle(name)} (of one core)`,
          unit: ' %',
          values: each((point) => point.cpuPercent[name] ?? null),
        }),
      ),
      {
        label: 'limit',
        unit: ' %',
        color: palette.limit,
        dash: [3, 3],
        values: each(() => 100),
      },
    ],
  };
}

export function answersChart(palette: Palette): ChartSpec {
  const line = liner(palette);
  return {
    id: 'answers',
    title: 'Answers of Cosmos DB',
    axis: 'answers/s',
    lines: [
      line({ label: '2xx', unit: '/s', values: each((point) => point.answered) }),
      line({ label: '429', unit: '/s', values: each((point) => point.throttled) }),
    ],
  };
}

function partitionChart({ points }: RunView, palette: Palette): ChartSpec {
  const line = liner(palette);
  const names = [...new Set(points.flatMap(({ ruByPartition }) => Object.keys(ruByPartition)))];
  names.sort((a, b) => Number(a) - Number(b));
  return {
    id: 'partitions',
    title: 'Request units of each physical partition',
    axis: 'RU/s',
    lines: [
      ...names.map((name) =>
        line({
          label: `partition ${name}`,
          unit: '',
          width: 1.25,
          values: each((point) => point.ruByPartition[name] ?? null),
        }),
      ),
      {
        label: 'provisioned for each',
        unit: '',
        color: palette.limit,
        dash: [3, 3],
        width: 2,
        stepped: true,
        values: each((point) => point.limitRuPerSecond),
      },
    ],
  };
}

/** Operations take longer than a second, so that a ratio within one second would say little. */
const RATIO_SECONDS = 5;

function ratio(value: (point: ChartPoint) => number) {
  return (points: readonly ChartPoint[]) =>
    points.map((_, at) => {
      const last = points.slice(Math.max(0, at + 1 - RATIO_SECONDS), at + 1);
      const successes = last.reduce((sum, point) => sum + point.successes, 0);
      return successes === 0 ? null : last.reduce((sum, point) => sum + value(point), 0) / successes;
    });
}

function costChart(palette: Palette): ChartSpec {
  const line = liner(palette);
  return {
    id: 'cost',
    title: `Cost of a successful GetDroneUtilization, over ${RATIO_SECONDS} s`,
    axis: 'partition queries',
    rightAxis: 'RU',
    lines: [
      line({ label: 'partition queries', unit: '', values: ratio((point) => point.partitionQueries) }),
      line({
        label: 'request units',
        unit: ' RU',
        right: true,
        values: ratio((point) => point.requestCharge),
      }),
    ],
  };
}
