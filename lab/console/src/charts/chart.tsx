import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import type { ChartPoint } from '../../../src/console/api.js';
import { figure } from '../format.js';
import { theme, typeSize } from '../preferences.js';
import { useStore } from '../store.js';
import type { ChartSpec } from './chart-specs.js';
import { paletteOf } from './palette.js';
import { createPlot, type PlotState } from './plot.js';
import { zoom } from './zoom.js';

interface ChartProps {
  spec: ChartSpec;
  points: readonly ChartPoint[];
  state: PlotState;
  /** Told apart from other charts of the same kind on the page. */
  name?: string;
  compact?: boolean;
}

/** A chart over the seconds of a load, with its values as a table on request. */
export function Chart({ spec, points, state, name = spec.title, compact = false }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(state);
  latest.current = state;
  const colours = useStore(theme);
  const large = useStore(typeSize) === 'large';
  const [tabled, setTabled] = useState(false);
  const shape = `${spec.lines.map(({ label }) => label).join()}|${colours}|${large}|${compact}`;
  const height = (compact ? 150 : 200) * (large ? 1.4 : 1);

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const size = () => ({ width: Math.max(200, element.clientWidth), height });
    const created = createPlot({
      ...{ spec, large, size: size(), place: element },
      palette: paletteOf(colours),
      state: () => latest.current,
    });
    plot.current = created;
    const resized = new ResizeObserver(() => created.setSize(size()));
    resized.observe(element);
    const forget = zoom.subscribe(() => created.setData(created.data));
    return () => {
      forget();
      resized.disconnect();
      created.destroy();
      plot.current = null;
    };
  }, [shape]);

  useEffect(() => {
    const data = [points.map(({ second }) => second), ...spec.lines.map(({ values }) => values(points))];
    plot.current?.setData(data as uPlot.AlignedData);
  }, [points, state, shape]);

  return (
    <figure class="chart" data-chart={spec.id} aria-label={name}>
      <figcaption>
        <h3>{spec.title}</h3>
        <button type="button" class="quiet" aria-expanded={tabled} onClick={() => setTabled(!tabled)}>
          {tabled ? 'Chart only' : 'Values'}
          <span class="unseen"> of {name}</span>
        </button>
      </figcaption>
      <div ref={place} class="plot" />
      {tabled && <ValueTable spec={spec} points={points} />}
    </figure>
  );
}

function ValueTable({ spec, points }: Pick<ChartProps, 'spec' | 'points'>) {
  const columns = useMemo(() => spec.lines.map(({ values }) => values(points)), [spec, points]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="values" tabIndex={0} aria-label={`Values: ${spec.title}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">second</th>
            {spec.lines.map(({ label, unit }) => (
              <th scope="col" key={label}>
                {label}
                {unit === '' ? '' : `,${unit.startsWith(' ') ? unit : ` ${unit}`}`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map(({ second }, at) => (
            <tr key={second}>
              <th scope="row">{second}</th>
              {columns.map((column, line) => (
                <td key={spec.lines[line]?.label} data-value={column[at] ?? ''}>
                  {figure(column[at])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
