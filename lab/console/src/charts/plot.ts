import uPlot from 'uplot';
import type { StepMark, TurnMark } from '../../../src/console/api.js';
import { figure } from '../format.js';
import type { ChartLine, ChartSpec } from './chart-specs.js';
import { borderOf, type Palette } from './palette.js';
import { zoom } from './zoom.js';

/** What a chart shows beside its lines; read anew at each drawing. */
export interface PlotState {
  seconds: number;
  steps: readonly StepMark[];
  turns: readonly TurnMark[];
  /** Ends of the axes where several charts share them. */
  top?: { left: number; right: number };
}

/** Charts with the same key share their pointer. */
const SYNC_KEY = 'lab';
/** More room on the right, so that two lines in proportion do not hide each other. */
const ROOM_LEFT = 1.08;
const ROOM_RIGHT = 1.4;

export function createPlot(options: {
  spec: ChartSpec;
  palette: Palette;
  large: boolean;
  size: { width: number; height: number };
  place: HTMLElement;
  state: () => PlotState;
}): uPlot {
  const { spec, palette, large, size, place, state } = options;
  const font = `${large ? 18 : 12}px system-ui, sans-serif`;
  const axis = (label: string, right: boolean): uPlot.Axis => ({
    scale: right ? 'right' : 'left',
    side: right ? 1 : 3,
    label,
    font,
    labelFont: font,
    labelSize: large ? 26 : 18,
    size: large ? 66 : 48,
    stroke: palette.text,
    grid: { show: !right, stroke: palette.grid, width: 1 },
    ticks: { show: false },
    values: (_plot, values) => values.map((value) => figure(value)),
  });
  const range =
    (right: boolean) =>
    (_plot: uPlot, _min: number | null, max: number | null): [number, number] => {
      const shared = state().top;
      const top = shared === undefined ? (max ?? 0) : right ? shared.right : shared.left;
      return [0, top <= 0 ? 1 : top * (right ? ROOM_RIGHT : ROOM_LEFT)];
    };
  return new uPlot(
    {
      ...size,
      scales: {
        x: {
          time: false,
          range: () => {
            const shown = zoom.get() ?? { min: 0, max: state().seconds };
            return [shown.min, shown.max];
          },
        },
        left: { range: range(false) },
        right: { range: range(true) },
      },
      axes: [
        {
          label: 'seconds of the load',
          font,
          labelFont: font,
          labelSize: large ? 26 : 18,
          size: large ? 34 : 26,
          stroke: palette.text,
          grid: { show: false },
          ticks: { show: false },
        },
        axis(spec.axis, false),
        ...(spec.rightAxis === undefined ? [] : [axis(spec.rightAxis, true)]),
      ],
      series: [{ label: 'second' }, ...spec.lines.map(seriesOf)],
      legend: { markers: { width: 1.5, dash: (_plot, at) => borderOf(spec.lines[at - 1]?.dash ?? []) } },
      cursor: {
        sync: { key: SYNC_KEY, scales: ['x', null] },
        drag: { x: true, y: false, setScale: false },
        focus: { prox: 24 },
        bind: {
          dblclick: () => () => {
            zoom.set(null);
            return null;
          },
        },
      },
      hooks: {
        setSelect: [takeSelection],
        setCursor: [showLatest],
        setData: [showLatest],
        drawClear: [(plot) => drawSteps(plot, state().steps, palette)],
        draw: [(plot) => placeTurns(plot, state().turns)],
      },
    },
    [[], ...spec.lines.map(() => [])],
    place,
  );
}

const ROWS_OF_MARKS = 3;
/** From here on, a mark's words would leave the chart on the right. */
const LEFTWARD_FROM = 0.75;

const stepped = uPlot.paths.stepped?.({ align: 1 });

function seriesOf(line: ChartLine): uPlot.Series {
  return {
    label: line.label,
    scale: line.right ? 'right' : 'left',
    stroke: line.color,
    width: line.width ?? 2,
    dash: line.dash,
    ...(line.stepped === true && stepped !== undefined ? { paths: stepped } : {}),
    points: { show: false },
    value: (_plot, value) => (value === null || value === undefined ? '–' : `${figure(value)}${line.unit}`),
  };
}

/** A dragged range is for all charts. */
function takeSelection(plot: uPlot): void {
  const { left, width } = plot.select;
  if (width < 4) return;
  const min = plot.posToVal(left, 'x');
  const max = plot.posToVal(left + width, 'x');
  plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
  if (max - min >= 2) zoom.set({ min: Math.max(0, Math.floor(min)), max: Math.ceil(max) });
}

/** Without a pointer, the legend shows the newest second. */
function showLatest(plot: uPlot): void {
  const pointed = plot.cursor.left !== undefined && plot.cursor.left >= 0;
  const last = (plot.data[0]?.length ?? 0) - 1;
  if (!pointed && last >= 0) plot.setLegend({ idx: last }, false);
}

function drawSteps(plot: uPlot, steps: readonly StepMark[], palette: Palette): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = palette.step;
  ctx.lineWidth = 1;
  ctx.setLineDash([2, 4]);
  for (const { fromSecond } of steps) {
    if (fromSecond === 0) continue;
    const x = Math.round(plot.valToPos(fromSecond, 'x', true)) + 0.5;
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

/** Knobs are marked by elements, so that they are text for every reader. */
function placeTurns(plot: uPlot, turns: readonly TurnMark[]): void {
  const known = [...plot.over.querySelectorAll<HTMLElement>('.turn-mark')];
  for (const mark of known.slice(turns.length)) mark.remove();
  for (const [at, { second, knob, to }] of turns.entries()) {
    const mark = known[at] ?? document.createElement('div');
    const left = plot.valToPos(second, 'x');
    mark.className = 'turn-mark';
    mark.dataset.second = String(second);
    mark.textContent = `${knob} ${to}`;
    mark.style.left = `${left}px`;
    // One below the other, so that turns soon after one another can be read.
    mark.style.paddingTop = `${(at % ROWS_OF_MARKS) * 1.2}em`;
    mark.classList.toggle('leftward', left > plot.over.clientWidth * LEFTWARD_FROM);
    mark.hidden = left < 0 || left > plot.over.clientWidth;
    if (mark.parentElement === null) plot.over.append(mark);
  }
}
