import { quantity } from '../../analysis/quantity.js';
import type { Figure } from './figure.js';
import { kneeOf } from './knee.js';
import type { ReportedRun } from './reported-run.js';
import { line, timeFigure } from './time-figure.js';
import { turnMarks } from './turn-marks.js';

/** Chart 1: what the users asked for and got. */
export function usersFigure({ result, series }: ReportedRun): Figure {
  const { measures } = result;
  const knee = kneeOf(result);
  const known = (name: string) => quantity(measures[name] ?? 0, 3);
  return timeFigure({
    number: 1,
    title: 'Users against requests per second and errors',
    reading: `${known('load.maxUsers')} users got ${known('throughput.last5s')} req/s in the last 5 s; the best 5 s gave ${known('throughput.best5s')}. ${knee.text} ${known('client.errors')} of ${known('client.requests')} requests failed.`,
    seconds: result.plannedSeconds,
    leftUnit: 'req/s',
    rightUnit: 'users',
    series: [
      line({
        name: 'users',
        tone: 'grey',
        axis: 'right',
        values: series.points.map((point) => point.users),
      }),
      line({
        name: 'successful requests',
        tone: 'blue',
        weight: 'strong',
        values: series.points.map((point) => point.requests - point.failed),
      }),
      line({ name: 'failed requests', tone: 'orange', values: series.points.map((point) => point.failed) }),
    ],
    marks: [...turnMarks(result), ...(knee.second === null ? [] : [{ second: knee.second, label: 'knee' }])],
  });
}

/** Chart 2: which backend operation takes the time. */
export function operationsFigure({ result, series }: ReportedRun): Figure {
  const { measures } = result;
  const mean = (name: string) => {
    const value = measures[name];
    return value === undefined ? 'unknown' : `${quantity(value, 3)} ms`;
  };
  return timeFigure({
    number: 2,
    title: 'Mean duration of each backend operation',
    reading: `Over the whole load GetDroneUtilization took ${mean('utilization.meanMs')}, the deliveries summary ${mean('delivery.meanMs')}, the packages summary ${mean('package.meanMs')}, all at the server; the invoice took ${mean('client.meanMs')} at the client.`,
    seconds: result.plannedSeconds,
    leftUnit: 'ms',
    rightUnit: '',
    series: [
      line({
        name: 'GetDroneUtilization',
        tone: 'blue',
        weight: 'strong',
        values: series.points.map((point) => point.utilizationMeanMs),
      }),
      line({
        name: 'deliveries summary',
        tone: 'orange',
        values: series.points.map((point) => point.deliveryMeanMs),
      }),
      line({
        name: 'packages summary',
        tone: 'green',
        values: series.points.map((point) => point.packageMeanMs),
      }),
    ],
    marks: turnMarks(result),
  });
}
