import type { MapEdge } from '../../../src/console/api.js';
import { path } from '../api-client.js';
import { consoleState } from '../connection.js';
import { figure, milliseconds } from '../format.js';
import { route } from '../router.js';
import { useStore } from '../store.js';
import { useAnswer } from '../use-answer.js';
import { NoTelemetry, RunChoice, useAskableRuns } from './run-choice.js';

/** Who calls whom: calls, mean duration, share of failures. */
export function MapView() {
  const { params } = useStore(route);
  const telemetry = useStore(consoleState)?.telemetry;
  const runs = useAskableRuns();
  const run = params.run ?? runs[0]?.id ?? '';
  const edges = useAnswer<MapEdge[]>(run === '' ? null : path('/api/map', { run }));
  if (run === '') return <NoTelemetry reason={telemetry?.reason ?? ''} />;
  return (
    <>
      <div class="controls row">
        <RunChoice runs={runs} value={run} />
        <button type="button" onClick={edges.reload}>
          Reload
        </button>
      </div>
      {edges.error !== '' && <p class="error">{edges.error}</p>}
      {edges.loading && <p class="note">Asking…</p>}
      {edges.value !== null && <Drawing edges={edges.value} />}
      <p class="hint">Along each line: calls × mean duration, and the share that failed.</p>
      {edges.value !== null && <EdgeTable edges={edges.value} />}
    </>
  );
}

const BOX = { width: 220, height: 44 };
const COLUMN = 500;
const ROW = 96;

/** Columns by the distance from whoever is called by nobody. */
function placesOf(edges: readonly MapEdge[]): Map<string, { x: number; y: number }> {
  const names = [...new Set(edges.flatMap(({ caller, callee }) => [caller, callee]))];
  const depth = new Map(names.map((name) => [name, 0]));
  // As many rounds as there are names settle every chain; a circle stops growing with them.
  for (const _ of names) {
    for (const { caller, callee } of edges) {
      const next = Math.min(names.length, (depth.get(caller) ?? 0) + 1);
      if (caller !== callee) depth.set(callee, Math.max(depth.get(callee) ?? 0, next));
    }
  }
  const filled = new Map<number, number>();
  return new Map(
    names.map((name) => {
      const column = depth.get(name) ?? 0;
      const row = filled.get(column) ?? 0;
      filled.set(column, row + 1);
      return [name, { x: column * COLUMN, y: row * ROW }];
    }),
  );
}

function Drawing({ edges: all }: { edges: readonly MapEdge[] }) {
  const edges = merged(all);
  const places = placesOf(edges);
  const xs = [...places.values()].map(({ x }) => x);
  const ys = [...places.values()].map(({ y }) => y);
  const [width, height] = [Math.max(0, ...xs) + BOX.width, Math.max(0, ...ys) + BOX.height + 12];
  return (
    <svg
      class="map"
      viewBox={`-4 -4 ${width + 8} ${height + 8}`}
      role="img"
      aria-label="Application map; the table below holds the same"
    >
      {edges.map((edge) => (
        <EdgeLine key={`${edge.caller}${edge.callee}`} edge={edge} places={places} />
      ))}
      {/* Above all lines, none of which may cross out a number. */}
      {edges.map((edge) => (
        <EdgeLabel key={`${edge.caller}${edge.callee}`} edge={edge} places={places} />
      ))}
      {[...places].map(([name, { x, y }]) => (
        <g key={name} transform={`translate(${x},${y})`}>
          <rect {...BOX} rx={6} />
          <text x={BOX.width / 2} y={BOX.height / 2 + 5} text-anchor="middle">
            {shortName(name)}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** Where on its way a call is described: callers fan out and databases are shared, so neither end. */
const LABEL_AT = 0.5;

interface EdgeProps {
  edge: MapEdge;
  places: ReadonlyMap<string, { x: number; y: number }>;
}

function endsOf({ edge: { caller, callee }, places }: EdgeProps) {
  const [from, to] = [places.get(caller), places.get(callee)];
  if (from === undefined || to === undefined) return null;
  return {
    start: { x: from.x + BOX.width, y: from.y + BOX.height / 2 },
    end: { x: to.x, y: to.y + BOX.height / 2 },
  };
}

const edgeClass = ({ failed }: MapEdge) => (failed === 0 ? 'edge' : 'edge failed');

function EdgeLine(props: EdgeProps) {
  const ends = endsOf(props);
  if (ends === null) return null;
  const { start, end } = ends;
  return (
    <g class={edgeClass(props.edge)}>
      <line x1={start.x} y1={start.y} x2={end.x} y2={end.y} />
    </g>
  );
}

function EdgeLabel(props: EdgeProps) {
  const ends = endsOf(props);
  if (ends === null) return null;
  const { start, end } = ends;
  const { calls, failed, meanMs } = props.edge;
  const failures = failed === 0 ? '' : `, ${figure((100 * failed) / calls)} % failed`;
  return (
    <g class={edgeClass(props.edge)}>
      <text
        x={start.x + LABEL_AT * (end.x - start.x)}
        y={start.y + LABEL_AT * (end.y - start.y) - 7}
        text-anchor="middle"
      >
        {figure(calls)} × {milliseconds(meanMs)}
        {failures}
      </text>
    </g>
  );
}

/** Calls of all kinds from one to another. */
function merged(edges: readonly MapEdge[]): MapEdge[] {
  const pairs = new Map<string, MapEdge>();
  for (const edge of edges) {
    const key = JSON.stringify([edge.caller, edge.callee]);
    const known = pairs.get(key);
    if (known === undefined) {
      pairs.set(key, edge);
      continue;
    }
    const calls = known.calls + edge.calls;
    const meanMs = (known.calls * known.meanMs + edge.calls * edge.meanMs) / calls;
    pairs.set(key, { ...known, calls, meanMs, failed: known.failed + edge.failed });
  }
  return [...pairs.values()];
}

/** `127.0.0.1:8081|invoicing` is the database of an account. */
const shortName = (name: string) => (name.includes('|') ? `Cosmos DB ${name.split('|').at(-1)}` : name);

function EdgeTable({ edges }: { edges: readonly MapEdge[] }) {
  return (
    <table class="edges">
      <thead>
        <tr>
          {['caller', 'called', 'kind', 'calls', 'mean duration', 'failed'].map((title, at) => (
            <th scope="col" key={title} class={at < 3 ? 'words' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {edges.map(({ caller, callee, type, calls, failed, meanMs }) => (
          <tr key={`${caller}${callee}${type}`}>
            <th scope="row">{caller}</th>
            <td class="words">{callee}</td>
            <td class="words">{type}</td>
            <td>{figure(calls)}</td>
            <td>{milliseconds(meanMs)}</td>
            <td>{figure((100 * failed) / calls)} %</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
