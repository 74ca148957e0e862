import { grouped } from './answer-formats.js';
import type { QueryAnswer } from './telemetry-source.js';

/**
 * A result drawn with characters: over time when there is a datetime column with several values, else as bars. `render ... with
 * (xcolumn, ycolumns, series)` decides which columns; else the first datetime column, all numbers, and all texts as names.
 */
export function answerChart(answer: QueryAnswer, width: number): string {
  const { rows } = answer;
  const { time, numbers, names } = chartColumns(answer);
  if (numbers.length === 0) return '(nothing to draw: no column of numbers)';
  if (rows.length === 0) return '(nothing to draw: no rows)';
  if (time === undefined || new Set(rows.map((row) => row[time])).size < 2) {
    return numbers
      .map((at) => {
        const bars = rows.map((row) => ({ label: nameOf(row, names), value: numberOf(row[at]) ?? 0 }));
        return `${answer.columns[at]?.name}\n${barChart(bars, width)}`;
      })
      .join('\n\n');
  }
  const series = numbers.flatMap((at) => seriesOf(answer, { time, names, at, several: numbers.length > 1 }));
  return series.length === 0 ? '(nothing to draw: no values)' : timeChart(series, width);
}

/** Positions of the columns that are drawn. */
function chartColumns(answer: QueryAnswer): { time: number | undefined; numbers: number[]; names: number[] } {
  const { columns, visualization } = answer;
  const { xcolumn, ycolumns, series } = visualization?.properties ?? {};
  const named = (value: unknown) =>
    [value].flat().flatMap((name) => {
      const at = columns.findIndex((column) => column.name === name);
      return at < 0 ? [] : [at];
    });
  const numbers = named(ycolumns);
  const datetimes = positionsOf(answer, ['datetime']);
  const [x = datetimes[0]] = named(xcolumn);
  const time = datetimes.find((at) => at === x);
  const names = [...named(xcolumn), ...named(series)].filter((at) => at !== time);
  return {
    time,
    numbers: numbers.length > 0 ? numbers : positionsOf(answer, ['int', 'long', 'real']),
    names: names.length > 0 ? names : positionsOf(answer, ['string', 'bool', 'guid']),
  };
}

function positionsOf({ columns }: QueryAnswer, types: readonly string[]): number[] {
  return columns.flatMap(({ type }, at) => (types.includes(type) ? [at] : []));
}

const nameOf = (row: readonly unknown[], names: readonly number[]) =>
  names.map((at) => String(row[at] ?? '')).join(' ');

interface Series {
  name: string;
  points: Map<number, number>;
  /** The largest value of all series of the same column: they share a scale. */
  largest: number;
}

function seriesOf(
  { columns, rows }: QueryAnswer,
  place: { time: number; names: readonly number[]; at: number; several: boolean },
): Series[] {
  const { time, names, at, several } = place;
  const own = several || names.length === 0 ? (columns[at]?.name ?? '') : '';
  const found = new Map<string, Map<number, number>>();
  for (const row of rows) {
    const value = numberOf(row[at]);
    if (value === null || row[time] === null) continue;
    const name = `${nameOf(row, names)} ${own}`.trim();
    const points = found.get(name) ?? new Map<number, number>();
    found.set(name, points.set(Date.parse(String(row[time])), value));
  }
  const largest = Math.max(...[...found.values()].flatMap((points) => [...points.values()]));
  return [...found].map(([name, points]) => ({ name, points, largest }));
}

const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

const LEVELS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const LONGEST_LABEL = 40;

/** One line per series, all on the same scale of time. */
function timeChart(series: readonly Series[], width: number): string {
  const times = [...new Set(series.flatMap(({ points }) => [...points.keys()]))].sort((a, b) => a - b);
  const [first, last] = [times[0] as number, times.at(-1) as number];
  const labelWidth = Math.min(LONGEST_LABEL, Math.max(...series.map(({ name }) => name.length)));
  const room = Math.max(20, Math.min(times.length * 4, width - labelWidth - 18));
  const lines = series.map(({ name, points, largest }) => {
    const cells = bucketMeans({ points, first, last, room });
    const drawn = cells.map((value) => (value === null ? ' ' : level(value, largest))).join('');
    return `${cut(name, labelWidth)}  ${drawn}  max ${grouped(Math.max(...points.values()))}`;
  });
  const axis = `${' '.repeat(labelWidth)}  ${clock(first)}${clock(last).padStart(room - 8)}`;
  return [...lines, axis].join('\n');
}

const cut = (text: string, length: number) =>
  (text.length > length ? `${text.slice(0, length - 1)}…` : text).padEnd(length);

/** The mean of the points in each cell of the line; a cell without any repeats the one before. */
function bucketMeans(options: {
  points: ReadonlyMap<number, number>;
  first: number;
  last: number;
  room: number;
}) {
  const { points, first, last, room } = options;
  const sums = Array.from({ length: room }, () => ({ sum: 0, count: 0 }));
  for (const [time, value] of points) {
    const at = Math.min(room - 1, Math.floor(((time - first) / Math.max(1, last - first)) * room));
    const cell = sums[at] as { sum: number; count: number };
    cell.sum += value;
    cell.count += 1;
  }
  let before: number | null = null;
  return sums.map(({ sum, count }) => {
    if (count > 0) before = sum / count;
    return before;
  });
}

function level(value: number, largest: number): string {
  const at = largest <= 0 ? 0 : Math.round((value / largest) * (LEVELS.length - 1));
  return LEVELS[Math.min(LEVELS.length - 1, Math.max(0, at))] as string;
}

/** `16:44:20`, UTC. */
const clock = (time: number) => new Date(time).toISOString().slice(11, 19);

function barChart(bars: readonly { label: string; value: number }[], width: number): string {
  const labelWidth = Math.min(LONGEST_LABEL, Math.max(...bars.map(({ label }) => label.length)));
  const largest = Math.max(...bars.map(({ value }) => value));
  const room = Math.max(10, width - labelWidth - 16);
  return bars
    .map(({ label, value }) => {
      const length = largest <= 0 ? 0 : Math.max(0, Math.round((value / largest) * room));
      return `${cut(label, labelWidth)}  ${'█'.repeat(length)} ${grouped(value)}`;
    })
    .join('\n');
}
