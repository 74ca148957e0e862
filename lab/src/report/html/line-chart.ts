import { quantity } from '../../analysis/quantity.js';
import { bin, binSeconds } from './bins.js';
import { html, type Markup } from './markup.js';
import { type Scale, scaleFromZero, timeScale } from './scale.js';
import { DASHES, type Tone } from './tone.js';

export interface LineSeries {
  name: string;
  /** One per second of the load; a gap where nothing is known. */
  values: readonly (number | null)[];
  tone: Tone;
  axis: 'left' | 'right';
  shape: 'line' | 'area';
  weight: 'strong' | 'plain' | 'faint';
}

export interface LineChart {
  /** Unique on the page. */
  id: string;
  title: string;
  description: string;
  /** Length of the horizontal axis. */
  seconds: number;
  leftUnit: string;
  /** Empty when nothing is drawn on the right axis. */
  rightUnit: string;
  series: readonly LineSeries[];
  /** Seconds worth a vertical line, with a word. */
  marks: readonly { second: number; label: string }[];
}

const WIDTH = 640;
const HEIGHT = 250;
const PLOT = { left: 52, right: WIDTH - 46, top: 24, bottom: HEIGHT - 34 };
/** More points than that are not seen, and cost bytes. */
const MOST_POINTS = 480;

/** Lines over the seconds of a load, on one or two axes that begin at 0. */
export function lineChart(chart: LineChart): Markup {
  const { id, title, description, seconds } = chart;
  const time = timeScale({ seconds, from: PLOT.left, to: PLOT.right });
  const left = axisScale(chart, 'left');
  const right = axisScale(chart, 'right');
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-description">
<title id="${id}-title">${title}</title><desc id="${id}-description">${description}</desc>
${left.ticks.map((tick) => html`<path class="grid" d="M${PLOT.left} ${place(left.at(tick))}H${PLOT.right}"/><text class="end" x="${PLOT.left - 6}" y="${place(left.at(tick) + 4)}">${quantity(tick)}</text>`)}
${chart.rightUnit === '' ? null : right.ticks.map((tick) => html`<text x="${PLOT.right + 6}" y="${place(right.at(tick) + 4)}">${quantity(tick)}</text>`)}
${time.ticks.map((tick) => html`<path class="tick" d="M${place(time.at(tick))} ${PLOT.bottom}v4"/><text class="middle" x="${place(time.at(tick))}" y="${PLOT.bottom + 17}">${tick}</text>`)}
<text class="unit end" x="${PLOT.right}" y="${HEIGHT - 3}">seconds of the load</text>
<text class="unit" x="4" y="13">${chart.leftUnit}</text>
${chart.rightUnit === '' ? null : html`<text class="unit end" x="${WIDTH - 4}" y="13">${chart.rightUnit}</text>`}
${chart.marks.map((mark) => markLine(mark, time))}
${chart.series.map((series) => seriesPath(series, { time, value: series.axis === 'left' ? left : right }))}
<path class="axis" d="M${PLOT.left} ${PLOT.top}V${PLOT.bottom}H${PLOT.right}"/>
</svg>`;
}

function axisScale({ series }: LineChart, axis: LineSeries['axis']): Scale {
  const max = series
    .filter((one) => one.axis === axis)
    .flatMap((one) => one.values)
    .reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
  return scaleFromZero({ max, from: PLOT.bottom, to: PLOT.top, count: 5 });
}

function markLine({ second, label }: LineChart['marks'][number], time: Scale): Markup {
  const x = place(time.at(second));
  const late = time.at(second) > (PLOT.left + PLOT.right) / 2;
  return html`<path class="mark" d="M${x} ${PLOT.top}V${PLOT.bottom}"/><text class="mark-label${late ? ' end' : ''}" x="${late ? x - 4 : x + 4}" y="${PLOT.top - 4}">${label}</text>`;
}

function seriesPath(series: LineSeries, scales: { time: Scale; value: Scale }): Markup {
  const { tone, shape, weight } = series;
  const path = pathOf(series, scales);
  if (path === '') return html``;
  if (shape === 'area') return html`<path class="area ${tone}" d="${path}"/>`;
  return html`<path class="line ${tone} ${weight}" stroke-dasharray="${weight === 'faint' ? '' : DASHES[tone]}" d="${path}"/>`;
}

/** A value stands in the middle of its seconds; gaps stay gaps, a value between two gaps is a short stroke. */
function pathOf({ values, shape }: LineSeries, scales: { time: Scale; value: Scale }): string {
  const { seconds, values: binned } = bin(values, binSeconds(values.length, MOST_POINTS));
  const runs: string[][] = [];
  let open = false;
  for (const [at, value] of binned.entries()) {
    if (value === null) {
      open = false;
      continue;
    }
    const x = scales.time.at((at + 0.5) * seconds);
    const point = `${place(x)} ${place(scales.value.at(value))}`;
    if (!open) runs.push([]);
    runs.at(-1)?.push(point);
    open = true;
  }
  const base = place(scales.value.at(0));
  return runs
    .map((points) => {
      const [first = '', last = ''] = [points[0], points.at(-1)];
      if (shape === 'area')
        return `M${first.split(' ')[0]} ${base}L${points.join('L')}L${last.split(' ')[0]} ${base}Z`;
      return points.length === 1 ? `M${first}h2` : `M${points.join('L')}`;
    })
    .join('');
}

/** Tenths are as fine as a screen or a page shows. */
function place(value: number): number {
  return Math.round(value * 10) / 10;
}
