import { quantity } from '../../analysis/quantity.js';
import type { SecondPoint } from '../../results/second-series.js';
import { barChart } from './bar-chart.js';
import type { Figure } from './figure.js';
import { kneeOf } from './knee.js';
import type { ReportedRun } from './reported-run.js';
import { line, type TimeFigure, timeFigure } from './time-figure.js';
import { TONES, type Tone } from './tone.js';

/** One for each run; a fifth run shares its dashes with the users, and more begin again. */
const RUN_TONES: readonly Tone[] = ['orange', 'purple', 'green', 'blue'];
const toneOf = (at: number): Tone => RUN_TONES[at % RUN_TONES.length] ?? (Object.keys(TONES)[0] as Tone);

type Values = (run: ReportedRun) => (number | null)[];
const points = (value: (point: SecondPoint) => number | null): Values =>
  ((run) => run.series.points.map(value)) satisfies Values;

/** Charts 1 to 6 with all runs on the same axes. */
export function overlaidFigures(runs: readonly ReportedRun[]): Figure[] {
  const each = (text: (run: ReportedRun) => string) =>
    runs.map((run, at) => `${nameOf(runs, at)}: ${text(run)}`).join('; ');
  const known = ({ result }: ReportedRun, name: string, unit: string) => {
    const value = result.measures[name];
    return value === undefined ? 'unknown' : `${quantity(value, 3)}${unit}`;
  };
  const overlaid = (values: Values) =>
    runs.map((run, at) =>
      line({ name: nameOf(runs, at), tone: toneOf(at), weight: 'strong', values: values(run) }),
    );
  const seconds = Math.max(0, ...runs.map((run) => run.result.plannedSeconds));
  const chart = (of: Omit<TimeFigure, 'seconds' | 'rightUnit' | 'marks'> & Partial<TimeFigure>) =>
    timeFigure({ seconds, rightUnit: '', marks: [], ...of });
  return [
    chart({
      number: 1,
      title: 'Users against requests per second and errors',
      reading: `Successful requests. ${each((run) => `${known(run, 'client.errors', ' failed')}, ${lower(kneeOf(run.result).text)}`)}.`,
      leftUnit: 'req/s',
      rightUnit: 'users',
      series: [
        line({
          name: 'users',
          tone: 'grey',
          axis: 'right',
          values: usersOf(runs),
        }),
        ...overlaid(points((point) => point.requests - point.failed)),
      ],
    }),
    chart({
      number: 2,
      title: 'Mean duration of GetDroneUtilization',
      reading: `Over the whole load, ${each((run) => known(run, 'utilization.meanMs', ' ms'))}. The other two operations are in the report of each run.`,
      leftUnit: 'ms',
      series: overlaid(points((point) => point.utilizationMeanMs)),
    }),
    chart({
      number: 3,
      title: 'CPU of delivery against its limit',
      reading: `In the last 5 s, ${each((run) => known(run, 'cpu.delivery.last5sPercent', ' %'))}.`,
      leftUnit: '%',
      series: [
        ...overlaid(points((point) => point.cpuPercent.delivery ?? null)),
        line({ name: 'limit', tone: 'grey', values: Array(seconds).fill(100) as number[] }),
      ],
    }),
    chart({
      number: 4,
      title: 'Queries that Cosmos DB answered 429',
      reading: `Of all attempts, ${each((run) => known(run, 'cosmos.throttledPercent', ' %'))}.`,
      leftUnit: '429/s',
      series: overlaid(points((point) => point.queriesThrottled)),
    }),
    chart({
      number: 5,
      title: 'The busiest physical partition against what is provisioned for it',
      reading: `Its peak, ${each((run) => `${known(run, 'partition.peakRuPerSecond', '')} of ${known(run, 'partition.limitRuPerSecond', ' RU/s')}`)}.`,
      leftUnit: '% of provisioned',
      series: [
        ...overlaid(points(busiestPercent)),
        line({ name: 'provisioned', tone: 'grey', values: Array(seconds).fill(100) as number[] }),
      ],
    }),
    costFigure(runs),
  ];
}

function busiestPercent({ ruByPartition, limitRuPerSecond }: SecondPoint): number | null {
  if (limitRuPerSecond === null || limitRuPerSecond === 0) return null;
  return (100 * Math.max(0, ...Object.values(ruByPartition))) / limitRuPerSecond;
}

function costFigure(runs: readonly ReportedRun[]): Figure {
  const shown = [
    { measure: 'cosmos.queriesPerOperation', unit: 'partition queries per operation', tone: 'blue' },
    { measure: 'cosmos.ruPerOperation', unit: 'RU per operation', tone: 'green' },
  ] as const;
  const reading = 'Over the whole load, per successful operation; retries are not counted as queries.';
  const value = (run: ReportedRun, measure: string) => run.result.measures[measure] ?? null;
  return {
    number: 6,
    title: 'Partition queries and request units per successful operation',
    reading,
    pictures: shown.map(({ measure, unit, tone }) =>
      barChart({
        id: `chart-6-${measure.replace('.', '-')}`,
        title: unit,
        description: reading,
        unit,
        groups: runs.map((run, at) => ({
          name: nameOf(runs, at),
          bars: [{ value: value(run, measure), tone, label: '' }],
        })),
      }),
    ),
    legend: [],
    table: {
      header: ['run', ...shown.map(({ unit }) => unit)],
      rows: runs.map((run, at) => [
        nameOf(runs, at),
        ...shown.map(({ measure }) => {
          const known = value(run, measure);
          return known === null ? '' : quantity(known, 3);
        }),
      ]),
      note: '',
    },
  };
}

/** A scenario that was run twice gets a number. */
function nameOf(runs: readonly ReportedRun[], at: number): string {
  const names = runs.map((run) => run.result.scenario.name);
  const name = names[at] ?? '';
  const before = names.slice(0, at).filter((one) => one === name).length;
  return names.filter((one) => one === name).length === 1 ? name : `${name} (${before + 1})`;
}

/** The users of the run that got furthest: all runs of a progression have the same load. */
function usersOf(runs: readonly ReportedRun[]): number[] {
  return runs
    .map((run) => run.series.points.map((point) => point.users))
    .reduce((most, users) => (users.length > most.length ? users : most), []);
}

const lower = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1).replace(/\.$/, '')}`;
