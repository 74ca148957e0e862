import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { QueryAnswered } from '../../../src/console/api.js';
import { borderOf, dashOf, paletteOf } from '../charts/palette.js';
import { figure } from '../format.js';
import { theme, typeSize } from '../preferences.js';
import { useStore } from '../store.js';

const NUMBERS = ['int', 'long', 'real'];
const NAMES = ['string', 'bool', 'guid'];
const SHOWN_BARS = 40;

export function isDrawable({ columns, rows }: QueryAnswered): boolean {
  return rows.length > 0 && columns.some(({ type }) => NUMBERS.includes(type));
}

/** Over time where there is a column of times, else as bars. */
export function AnswerChart({ answer }: { answer: QueryAnswered }) {
  const time = answer.columns.findIndex(({ type }) => type === 'datetime');
  const times = new Set(answer.rows.map((row) => row[time]));
  return time >= 0 && times.size > 1 ? (
    <TimeChart answer={answer} time={time} />
  ) : (
    <BarChart answer={answer} />
  );
}

const positions = ({ columns }: QueryAnswered, types: readonly string[]) =>
  columns.flatMap(({ type }, at) => (types.includes(type) ? [at] : []));

/** One line for each number and each combination of names. */
function linesOf(answer: QueryAnswered, time: number) {
  const at = [...new Set(answer.rows.map((row) => Date.parse(String(row[time])) / 1000))].sort(
    (a, b) => a - b,
  );
  const place = new Map(at.map((second, index) => [second, index]));
  const lines = new Map<string, (number | null)[]>();
  const names = positions(answer, NAMES);
  const numbers = positions(answer, NUMBERS);
  for (const row of answer.rows) {
    const index = place.get(Date.parse(String(row[time])) / 1000);
    if (index === undefined) continue;
    for (const number of numbers) {
      const own = numbers.length > 1 || names.length === 0 ? [answer.columns[number]?.name] : [];
      const label = [...names.map((name) => row[name]), ...own].join(' ');
      const line = lines.get(label) ?? at.map(() => null);
      lines.set(label, line);
      line[index] = typeof row[number] === 'number' ? row[number] : null;
    }
  }
  return { at, lines };
}

/** `16:44:20`. */
const clock = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 19);

function TimeChart({ answer, time }: { answer: QueryAnswered; time: number }) {
  const place = useRef<HTMLDivElement>(null);
  const colours = useStore(theme);
  const large = useStore(typeSize) === 'large';
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const palette = paletteOf(colours);
    const { at, lines } = linesOf(answer, time);
    const unit = positions(answer, NUMBERS)
      .map((number) => answer.columns[number]?.name)
      .join(', ');
    const font = `${large ? 18 : 12}px system-ui, sans-serif`;
    const axis = {
      font,
      stroke: palette.text,
      ticks: { show: false },
      grid: { stroke: palette.grid, width: 1 },
    };
    const plot = new uPlot(
      {
        width: Math.max(300, element.clientWidth),
        height: large ? 380 : 280,
        // Room for the last time of the axis.
        padding: [null, large ? 44 : 32, null, null],
        scales: { y: { range: (_plot, _min, max) => [0, max <= 0 ? 1 : max * 1.08] } },
        axes: [
          {
            ...axis,
            ...{ label: 'time, UTC', labelFont: font, labelSize: large ? 26 : 18, size: large ? 34 : 26 },
            values: (_plot, values) => values.map(clock),
          },
          {
            ...axis,
            ...{ label: unit, labelFont: font, labelSize: large ? 26 : 18, size: large ? 76 : 56 },
            values: (_plot, values) => values.map((one) => figure(one)),
          },
        ],
        series: [
          {
            label: 'time',
            value: (_plot: uPlot, value: number | null) => (value === null ? '–' : clock(value)),
          },
          ...[...lines.keys()].map((label, index) => ({
            label,
            stroke: palette.series[index % palette.series.length] as string,
            dash: dashOf(index),
            width: 2,
            spanGaps: true,
            points: { show: at.length < 40 },
            value: (_plot: uPlot, value: number | null) => figure(value),
          })),
        ],
        cursor: { drag: { x: false, y: false } },
        // Without a pointer, the legend shows the newest.
        hooks: { ready: [(plot) => plot.setLegend({ idx: at.length - 1 }, false)] },
        legend: { markers: { width: 1.5, dash: (_plot, line) => borderOf(dashOf(line - 1)) } },
      },
      [at, ...lines.values()],
      element,
    );
    return () => plot.destroy();
  }, [answer, time, colours, large]);
  return <div ref={place} class="plot" data-chart="answer" />;
}

function BarChart({ answer }: { answer: QueryAnswered }) {
  const names = positions(answer, [...NAMES, 'datetime']);
  return (
    <>
      {positions(answer, NUMBERS).map((number) => {
        const bars = answer.rows.slice(0, SHOWN_BARS).map((row) => ({
          label: names.map((name) => row[name]).join(' '),
          value: typeof row[number] === 'number' ? row[number] : 0,
        }));
        const largest = Math.max(...bars.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
        return (
          <table class="bars" key={number} data-chart="answer">
            <caption>{answer.columns[number]?.name}</caption>
            <tbody>
              {bars.map(({ label, value }, at) => (
                <tr key={at}>
                  <th scope="row">{label}</th>
                  <td class="lane">
                    <span class="bar" style={{ width: `${(100 * Math.max(0, value)) / largest}%` }} />
                  </td>
                  <td>{figure(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        );
      })}
    </>
  );
}
