import { quantity } from '../../analysis/quantity.js';
import { bin, binSeconds } from './bins.js';
import type { DataTable, Figure, LegendEntry } from './figure.js';
import { type LineChart, type LineSeries, lineChart } from './line-chart.js';

/** A chart over time in words: the picture, its legend and its table come from the same series. */
export interface TimeFigure extends Omit<LineChart, 'id' | 'description'> {
  number: number;
  reading: string;
  /** Instead of one entry for each series, where several are drawn alike. */
  legend?: readonly LegendEntry[];
}

/** Rows of a table that somebody still reads. */
const MOST_ROWS = 60;

export function timeFigure(chart: TimeFigure): Figure {
  const { number, title, reading, series } = chart;
  return {
    number,
    title,
    reading,
    pictures: [lineChart({ ...chart, id: `chart-${number}`, description: reading })],
    legend:
      chart.legend ??
      series.map(({ name, tone, shape, weight }) => ({ name, tone, shape, strong: weight === 'strong' })),
    table: tableOf(chart),
  };
}

/** A series on the left axis, as most are. */
export function line(series: Pick<LineSeries, 'name' | 'tone' | 'values'> & Partial<LineSeries>): LineSeries {
  return { axis: 'left', shape: 'line', weight: 'plain', ...series };
}

function tableOf({ series, seconds, leftUnit, rightUnit }: TimeFigure): DataTable {
  const width = binSeconds(seconds, MOST_ROWS);
  const columns = series.map(({ values }) => bin(values, width).values);
  const unitOf = ({ axis, name }: LineSeries) => {
    const unit = axis === 'left' ? leftUnit : rightUnit;
    return name.includes(unit) ? name : `${name}, ${unit}`;
  };
  return {
    header: ['second', ...series.map(unitOf)],
    rows: Array.from({ length: Math.ceil(seconds / width) }, (_, at) => [
      width === 1 ? String(at) : `${at * width} to ${Math.min(seconds, (at + 1) * width)}`,
      ...columns.map((column) => {
        const value = column[at] ?? null;
        return value === null ? '' : quantity(value, 3);
      }),
    ]),
    note: width === 1 ? '' : `Each row is the mean of ${width} s.`,
  };
}
